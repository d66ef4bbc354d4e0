import CoreData
import Foundation
import Testing

@Suite("Staged migration")
@MainActor
struct StagedMigrationTests {
    private static let first = "Plane\n  name string\n  log string"
    private static let second = """
        Flight
          text string
          plane -> Plane.flights
        Plane
          name string
          log string
          flights ->> Flight.plane
        """
    private static let third = """
        Flight
          text string
          plane -> Plane.flights
        Plane
          name string
          flights ->> Flight.plane
        """

    private static func reference(_ sketch: String) -> NSManagedObjectModelReference {
        let model = ModelSketch(sketch).model
        return NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
    }

    private final class Calls {
        var names: [String] = []
    }

    /// From the first version by a lightweight stage to the second, by a custom one to the third.
    private static func manager(_ calls: Calls, failing: Bool = false) -> NSStagedMigrationManager {
        let lightweight = NSLightweightMigrationStage([reference(first).versionChecksum])
        lightweight.label = "first to second"
        let custom = NSCustomMigrationStage(migratingFrom: reference(second), to: reference(third))
        custom.label = "second to third"
        custom.willMigrateHandler = { manager, stage in
            calls.names.append("will \(stage.label ?? "")")
            let context = try #require(manager.container).newBackgroundContext()
            try context.performAndWait {
                for plane in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Plane")) {
                    let flight = NSEntityDescription.insertNewObject(forEntityName: "Flight", into: context)
                    flight.setValue(plane.value(forKey: "log"), forKey: "text")
                    flight.setValue(plane, forKey: "plane")
                }
                try context.save()
            }
            if failing { throw CocoaError(.featureUnsupported) }
        }
        custom.didMigrateHandler = { manager, stage in
            calls.names.append("did \(stage.label ?? "")")
            let entity = manager.container?.managedObjectModel.entitiesByName["Plane"]
            #expect(entity?.attributesByName["log"] == nil)
        }
        return NSStagedMigrationManager([lightweight, custom])
    }

    private static func options(_ manager: NSStagedMigrationManager) -> [AnyHashable: Any] {
        [NSPersistentStoreStagedMigrationManagerOptionKey: manager]
    }

    @Test(
        "Stores without a model are staged from one version to the next",
        arguments: [NSXMLStoreType, NSBinaryStoreType])
    func storesWithoutModel(_ type: String) throws {
        let store = try VersionedStore(Self.second, type: type)
        store.insert("Plane", ["name": "a", "log": "l"])
        let calls = Calls()
        var options = VersionedStore.automatic
        options[NSPersistentStoreStagedMigrationManagerOptionKey] = Self.manager(calls)
        try store.migrate(to: Self.third, options: options)
        #expect(calls.names == ["will second to third", "did second to third"])
        #expect(try store.fetch("Flight").map { $0.value(forKeyPath: "plane.name") as? String } == ["a"])
        #expect(try store.fetch("Flight").map { $0.value(forKey: "text") as? String } == ["l"])
    }

    @Test(
        "A store runs the stages after its own version, with the app's handlers between",
        arguments: VersionedStore.Way.allInPlace)
    func stages(_ way: VersionedStore.Way) throws {
        for (start, expected) in [(Self.first, 2), (Self.second, 2), (Self.third, 0)] {
            let store = try VersionedStore(start, way)
            if start != Self.third { store.insert("Plane", ["name": "p", "log": "took off"]) }
            let calls = Calls()
            let manager = Self.manager(calls)
            try store.migrate(to: ModelSketch(Self.third).model, options: Self.options(manager))
            #expect(calls.names.count == expected)
            #expect(manager.container == nil)
            if expected > 0 {
                #expect(calls.names == ["will second to third", "did second to third"])
                let texts = try store.fetch("Plane").map {
                    $0.value(forKeyPath: "flights.text") as? Set<String>
                }
                #expect(texts == [["took off"]])
            }
        }
    }

    @Test("A failed stage leaves the previous version, from which the next try continues")
    func failure() throws {
        let store = try VersionedStore(Self.first)
        store.insert("Plane", ["name": "p", "log": "took off"])
        #expect(throws: CocoaError.self) {
            try store.migrate(
                to: ModelSketch(Self.third).model, options: Self.options(Self.manager(Calls(), failing: true))
            )
        }
        try store.migrate(to: ModelSketch(Self.second).model, options: [:])
        #expect(try store.fetch("Plane").count == 1)
    }

    @Test(
        "Versions without a stage, and versions later than the model's, are refused at the start"
    )
    func refusals() throws {
        let unknown = try VersionedStore("Plane\n  other string")
        for (store, target, code) in [
            (unknown, Self.third, NSManagedObjectModelReferenceNotFoundError),
            (try VersionedStore(Self.second), Self.first, NSStagedMigrationBackwardMigrationError),
        ] {
            let calls = Calls()
            let error = #expect(throws: NSError.self) {
                try store.migrate(to: ModelSketch(target).model, options: Self.options(Self.manager(calls)))
            }
            #expect(error?.code == code)
            #expect(calls.names.isEmpty)
        }
    }

    @Test("A model whose checksum differs from its reference is refused before the first stage")
    func wrongReference() throws {
        let store = try VersionedStore(Self.first)
        let wrong = NSManagedObjectModelReference(
            model: ModelSketch(Self.third).model, versionChecksum: Self.reference(Self.second).versionChecksum
        )
        let manager = NSStagedMigrationManager([
            NSLightweightMigrationStage([Self.reference(Self.first).versionChecksum]),
            NSCustomMigrationStage(migratingFrom: wrong, to: Self.reference(Self.third)),
        ])
        let error = #expect(throws: NSError.self) {
            try store.migrate(to: ModelSketch(Self.third).model, options: Self.options(manager))
        }
        #expect(error?.code == NSManagedObjectModelReferenceNotFoundError)
        try store.migrate(to: ModelSketch(Self.first).model, options: [:])
    }
}
