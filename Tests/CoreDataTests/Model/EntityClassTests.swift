import Foundation
import Testing

@testable import CoreData

class TestPlanet: NSManagedObject {}
class TestMoon: NSManagedObject {}
class TestComet: NSManagedObject {}
enum TestSpace {
    class Station: NSManagedObject {}
}

@Suite("Entity classes")
struct EntityClassTests {
    private func model(_ classNames: [(entity: String, className: String)]) throws -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = classNames.map { name, className in
            let entity = ModelFixtures.entity(name)
            entity.managedObjectClassName = className
            return entity
        }
        _ = try model.freeze()
        return model
    }

    @Test("A class is found by its full name, also inside another type")
    func fullNames() throws {
        let model = try model([
            ("Planet", NSStringFromClass(TestPlanet.self)),
            ("Station", "CoreDataTests.TestSpace.Station"),
        ])
        #expect(EntityClasses.objectClass(for: model.entitiesByName["Planet"]!) == TestPlanet.self)
        #expect(EntityClasses.objectClass(for: model.entitiesByName["Station"]!) == TestSpace.Station.self)
        #expect(EntityClasses.entity(for: TestSpace.Station.self) === model.entitiesByName["Station"])
    }

    @Test("A registered class is found by its bare name and by its full name")
    func registeredNames() throws {
        ManagedClasses.register("Moon", TestMoon.self, module: "Sky")
        let model = try model([("Moon", "Moon"), ("Far", "Sky.Moon")])
        #expect(EntityClasses.objectClass(for: model.entitiesByName["Moon"]!) == TestMoon.self)
        #expect(EntityClasses.objectClass(for: model.entitiesByName["Far"]!) == TestMoon.self)
    }

    @Test("A class is found by the name that a model uses for it")
    func namesInModels() throws {
        ManagedClasses.register("Moon", TestMoon.self, module: "Sky")
        for name in ["Moon", "Sky.Moon", "TestMoon", "CoreDataTests.TestMoon"] {
            #expect(ManagedClasses.classNamed(name, in: "CoreDataTests") == TestMoon.self)
        }
        #expect(ManagedClasses.classNamed("NSManagedObject", in: "Sky") == NSManagedObject.self)
        #expect(ManagedClasses.classNamed("NSString", in: "Sky") == NSString.self)
        #expect(ManagedClasses.classNamed("NoSuchClass", in: "Sky") == nil)
    }

    @Test("A class that asks for its entity becomes the class of the entities that name it")
    func bindingByAsking() throws {
        let model = try model([("Comet", "TestComet")])
        let entity = try #require(model.entitiesByName["Comet"])
        #expect(EntityClasses.objectClass(for: entity) == NSManagedObject.self)
        #expect(EntityClasses.entity(for: TestComet.self) === entity)
        #expect(EntityClasses.objectClass(for: entity) == TestComet.self)
    }

    @Test("An entity without a class of its own has its nearest ancestor's class")
    func inheritedClass() throws {
        let parent = ModelFixtures.entity("Parent")
        parent.managedObjectClassName = NSStringFromClass(TestPlanet.self)
        let child = ModelFixtures.entity("Child")
        child.managedObjectClassName = "NoSuchClass"
        parent.subentities = [child]
        let model = NSManagedObjectModel()
        model.entities = [parent]
        _ = try model.freeze()
        #expect(EntityClasses.objectClass(for: child) == TestPlanet.self)
    }

    @Test("A class's entity is that of the model used last, and a freed model is forgotten")
    func severalModels() throws {
        class Local: NSManagedObject {}
        ManagedClasses.register("Local", Local.self, module: "Test")
        let first = try model([("L", "Local")])
        do {
            let second = try model([("L", "Local")])
            #expect(EntityClasses.entity(for: Local.self) === second.entitiesByName["L"])
        }
        #expect(EntityClasses.entity(for: Local.self) === first.entitiesByName["L"])
    }

    @Test("A class's entity is of the model whose coordinator was made, or opened a store, last")
    func severalCoordinators() throws {
        class Local: NSManagedObject {}
        ManagedClasses.register("Shared", Local.self, module: "Test")
        let models = try (0..<2).map { _ in try model([("L", "Shared")]) }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: models[0])
        #expect(EntityClasses.entity(for: Local.self) === models[0].entitiesByName["L"])
        _ = NSPersistentStoreCoordinator(managedObjectModel: models[1])
        #expect(EntityClasses.entity(for: Local.self) === models[1].entitiesByName["L"])
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        #expect(EntityClasses.entity(for: Local.self) === models[0].entitiesByName["L"])
    }

    @Test("A class in no model traps with the class's name")
    func unknownClass() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            class Unknown: NSManagedObject {}
            _ = EntityClasses.entity(for: Unknown.self)
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("Unknown"))
    }

    @Test("A module's own registry is found by name")
    func moduleTable() throws {
        let model = try model([("Listed", "CoreDataTests.Listed")])
        #expect(EntityClasses.objectClass(for: model.entitiesByName["Listed"]!) == TestListed.self)
        #expect(ManagedClasses.name(of: \TestListed.label) == "label")
    }

    @Test("Registered key paths have names")
    func keyPathNames() {
        ManagedClasses.register(keyPath: \TestPlanet.description, name: "summary")
        #expect(ManagedClasses.name(of: \TestPlanet.description) == "summary")
        #expect(ManagedClasses.name(of: \TestPlanet.hash) == nil)
    }
}

class TestListed: NSManagedObject {
    var label: String { "" }
}

/// The registry that generated code declares for a module.
class ManagedModuleTable: ManagedModule {
    static func register() {
        ManagedClasses.register("Listed", TestListed.self, module: "CoreDataTests")
        ManagedClasses.register(keyPath: \TestListed.label, name: "label")
    }
}
