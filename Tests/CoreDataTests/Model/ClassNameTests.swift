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
    @Test("A model finds nested and private classes by the names that NSStringFromClass has for them")
    func models() throws {
        let animal = ModelFixtures.entity("Animal")
        animal.managedObjectClassName = NSStringFromClass(Zoo.Animal.self)
        let keeper = ModelFixtures.entity("Keeper")
        keeper.managedObjectClassName = NSStringFromClass(Keeper.self)
        let stack = try ModelStack([animal, keeper])
        #expect(stack.insert("Animal") is Zoo.Animal)
        #expect(stack.insert("Keeper") is Keeper)
        #expect(animal.managedObjectClassName == "CoreDataTests.Zoo.Animal")
    }

    @Test("The names of other classes are Foundation's")
    func names() {
        #expect(NSStringFromClass(NSManagedObject.self) == "NSManagedObject")
        #expect(NSStringFromClass(NSDictionary.self) == "NSDictionary")
        #expect(NSStringFromClass(Plain.self) == NSStringFromClass(type(of: Plain())))
    }
}
