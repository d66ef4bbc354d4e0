import CoreData
import Foundation
import Testing

enum Zoo {
    final class Animal: NSManagedObject {}
}

private final class Keeper: NSManagedObject {}

private final class Plain: NSObject {}

@Suite("Names of classes")
@MainActor
struct ClassNameTests {
    @Test("A model finds nested and private classes by their NSStringFromClass names")
    func models() throws {
        let stack = try TestStack(
            "Animal\nKeeper", classes: ["Animal": Zoo.Animal.self, "Keeper": Keeper.self])
        #expect(stack.insert("Animal") is Zoo.Animal)
        #expect(stack.insert("Keeper") is Keeper)
        #expect(NSStringFromClass(Zoo.Animal.self) == "CoreDataTests.Zoo.Animal")
    }

    @Test("A class of the program is named with its module, a class of the framework without")
    func names() {
        #expect(NSStringFromClass(Employee.self) == "CoreDataTests.Employee")
        #expect(NSStringFromClass(NSManagedObject.self) == "NSManagedObject")
        #expect(NSStringFromClass(Plain.self) == NSStringFromClass(type(of: Plain())))
    }

    @Test(
        "Classes of Foundation have the names that Foundation gives them",
        arguments: [
            NSObject.self, NSDictionary.self, NSMutableArray.self, NSNumber.self, UserDefaults.self,
            Thread.self,
        ])
    func foreignNames(_ type: NSObject.Type) {
        #expect(NSStringFromClass(type) == Foundation.NSStringFromClass(type))
        #expect(!NSStringFromClass(type).contains("."))
    }
}
