import CoreData
import Testing

@Suite("The class of new objects")
@MainActor
struct ClassOfEntityTests {
    class Vehicle: NSManagedObject {}

    final class Car: Vehicle {
        override func awakeFromInsert() {
            super.awakeFromInsert()
            setPrimitiveValue("awake", forKey: "name")
        }
    }

    final class Racer: Vehicle {
        var laps = 3
    }

    private nonisolated static func stack() throws -> TestStack {
        try TestStack(
            """
            Vehicle
              name string
            Car: Vehicle
            Racer: Vehicle
            """, classes: ["Vehicle": Vehicle.self, "Car": Car.self, "Racer": Racer.self])
    }

    private static func make<T: NSManagedObject>(_ type: T.Type, _ entity: String, in stack: TestStack) -> T {
        T(entity: stack.coordinator.managedObjectModel.entitiesByName[entity]!, insertInto: stack.context)
    }

    @Test("An object made without a class has its entity's class, before and after saving")
    func plainInitializer() throws {
        let stack = try Self.stack()
        let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Car"])
        for context in [stack.context, nil] {
            let object = NSManagedObject(entity: entity, insertInto: context)
            #expect(type(of: object) == Car.self)
            #expect(object.value(forKey: "name") as? String == (context == nil ? nil : "awake"))
        }
        try stack.context.save()
        let cars = try stack.context.fetch(NSFetchRequest<Car>(entityName: "Car"))
        #expect(cars.map { $0.value(forKey: "name") as? String } == ["awake"])
    }

    @Test("A generic function makes objects of the entity's class, a class makes its own")
    func otherInitializers() throws {
        let stack = try Self.stack()
        #expect(type(of: Self.make(Vehicle.self, "Car", in: stack)) == Car.self)
        #expect(Self.make(NSManagedObject.self, "Racer", in: stack) is Racer)
        #expect(Self.make(Racer.self, "Racer", in: stack).laps == 3)
        let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Vehicle"])
        #expect(type(of: Car(entity: entity, insertInto: stack.context)) == Car.self)
    }

    @Test("An initializer that cannot make the entity's class traps and names the remedy")
    func wrongInitializers() async throws {
        let other = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try Self.stack()
            let entity = stack.coordinator.managedObjectModel.entitiesByName["Car"]!
            _ = Vehicle(entity: entity, insertInto: stack.context)
        }
        let text = String(decoding: try #require(other).standardErrorContent, as: UTF8.self)
        #expect(text.contains("the class CoreDataTests.ClassOfEntityTests.Car"))
        #expect(text.contains("insertNewObject(forEntityName: \"Car\", into:)"))
        await #expect(processExitsWith: .failure) {
            let stack = try Self.stack()
            let entity = stack.coordinator.managedObjectModel.entitiesByName["Racer"]!
            _ = NSManagedObject(entity: entity, insertInto: stack.context)
        }
    }

    @Test("Attributes may be named like states of objects, such as deleted")
    func statesAsAttributes() throws {
        let names = ["deleted", "inserted", "updated", "fault"]
        for type in [NSPersistentStore.StoreType.tested, .inMemory] {
            let attributes = names.map { "\n  \($0) bool" }.joined()
            let stack = try TestStack("E" + attributes, type: type)
            let object = stack.insert("E")
            for isSaved in [false, true] {
                if isSaved { try stack.context.save() }
                for name in names {
                    object.setValue(!isSaved, forKey: name)
                    #expect(object.value(forKey: name) as? Bool == !isSaved)
                    #expect(try stack.fetch("E", "\(name) == %@", NSNumber(value: !isSaved)) == [object])
                    #expect(try stack.fetch("E", "\(name) == %@", NSNumber(value: isSaved)) == [])
                }
            }
            #expect(!object.isDeleted)
            #expect(object.value(forKey: "isDeleted") as? Bool == false)
        }
    }

    @Test("An object ID made without an object belongs to no object")
    func idsOfNothing() throws {
        let (first, second) = (NSManagedObjectID(), NSManagedObjectID())
        #expect(first == first)
        #expect(first != second)
        #expect(Set([first, second]).count == 2)
        #expect(first.isTemporaryID)
        #expect(first.persistentStore == nil)
        let context = try Self.stack().context
        #expect(context.registeredObject(for: first) == nil)
    }
}
