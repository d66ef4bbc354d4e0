import CoreData
import Foundation
import Testing

// Observing and cancelling a migration.
extension MigrationManagerTests {
    @Test(
        "Progress and the current entity mapping can be observed until the observation ends",
        .ofSQLite("A destination that is a file"))
    func observed() throws {
        let store = try VersionedStore("A\n  name string\nB\n  name string")
        for name in 0..<1200 { store.insert("A", ["name": "\(name)"]) }
        try store.close()
        let model = store.coordinator.managedObjectModel
        let manager = NSMigrationManager(sourceModel: model, destinationModel: model)
        manager.usesStoreSpecificMigrationManager = false
        var progress: [Float] = []
        var mappings: [String?] = []
        let first = manager.observe(\.migrationProgress, options: [.old, .new]) { _, change in
            #expect(change.oldValue ?? 2 < change.newValue ?? 0)
            progress.append(change.newValue ?? 0)
        }
        let second = manager.observe(\.currentEntityMapping) { manager, _ in
            mappings.append(manager.currentEntityMapping.name)
        }
        func migrate(to name: String) throws {
            try manager.migrateStore(
                from: store.url, sourceType: NSSQLiteStoreType,
                with: NSMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: model),
                toDestinationURL: store.folder.file(name), destinationType: NSSQLiteStoreType)
        }
        try migrate(to: "first")
        #expect(progress.count > 6)
        #expect(progress.last == 1)
        #expect(mappings.prefix(3) == ["IEM_Copy_A", "IEM_Copy_B", "IEM_Copy_A"])
        let count = (progress.count, mappings.count)
        first.invalidate()
        second.invalidate()
        try migrate(to: "second")
        #expect(progress.count == count.0)
        #expect(mappings.count == count.1)
    }

    @Test(
        "A store that appears at the destination meanwhile stays, and the migration fails",
        .ofSQLite("A destination that is a file"),
        arguments: [NSSQLiteStoreType, NSXMLStoreType], [false, true])
    func overtaken(_ type: String, _ isDestroyed: Bool) throws {
        let store = try VersionedStore("A\n  name string")
        store.insert("A", ["name": "old"])
        try store.close()
        let model = store.coordinator.managedObjectModel
        let target = store.folder.file("target")
        func add(_ names: [String]) throws -> [String] {
            let opened = try OpenedStore(target, model, type: type)
            defer { try? opened.close() }
            return try opened.context.performAndWait {
                for name in names {
                    let object = NSEntityDescription.insertNewObject(forEntityName: "A", into: opened.context)
                    object.setValue(name, forKey: "name")
                }
                try opened.context.save()
                return try opened.context.fetch("A", nil, [], sortedBy: "name").compactMap {
                    $0.value(forKey: "name") as? String
                }
            }
        }
        if isDestroyed {
            _ = try add(["former"])
            try NSPersistentStoreCoordinator(managedObjectModel: model)
                .destroyPersistentStore(at: target, ofType: type)
        }
        let manager = NSMigrationManager(sourceModel: model, destinationModel: model)
        manager.usesStoreSpecificMigrationManager = false
        func migrate() throws {
            try manager.migrateStore(
                from: store.url, sourceType: NSSQLiteStoreType,
                with: NSMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: model),
                toDestinationURL: target, destinationType: type)
        }
        var isMade = false
        let observation = manager.observe(\.migrationProgress) { _, _ in
            guard !isMade else { return }
            isMade = true
            #expect(throws: Never.self) { try add(["meanwhile"]) }
        }
        #expect(throws: NSError.self) { try migrate() }
        observation.invalidate()
        #expect(try add([]) == ["meanwhile"])
        // A place that is still free when the migration ends is taken.
        try NSPersistentStoreCoordinator(managedObjectModel: model)
            .destroyPersistentStore(at: target, ofType: type)
        try migrate()
        #expect(try add([]) == ["old"])
    }

    @Test(
        "A cancellation before a migration ends that migration, and no later one",
        .ofSQLite("A destination that is a file"))
    func cancelledBefore() throws {
        let store = try VersionedStore("A\n  name string")
        store.insert("A", ["name": "a"])
        try store.close()
        let model = ModelSketch("A\n  name string\n  size int16").model
        let migration = manager(store, model)
        let mapping = MappingSketch.model(
            MappingSketch.entity("A", from: "A", to: "A", ["name": "$source.name"]))
        func migrate() throws {
            try migration.migrateStore(
                from: store.url, sourceType: NSSQLiteStoreType, with: mapping,
                toDestinationURL: store.folder.file("new"), destinationType: NSSQLiteStoreType)
        }
        migration.cancelMigrationWithError(StoppingPolicy.Failure())
        #expect(throws: StoppingPolicy.Failure.self) { try migrate() }
        #expect(!FileManager.default.fileExists(atPath: store.folder.file("new").path))
        migration.cancelMigrationWithError(StoppingPolicy.Failure())
        migration.reset()
        try migrate()
    }
}
