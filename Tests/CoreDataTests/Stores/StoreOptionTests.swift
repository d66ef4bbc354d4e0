import Foundation
import Testing

@testable import CoreData

@Suite("Options and metadata of stores")
struct StoreOptionTests {
    // MARK: Pragmas

    @Test("A journal mode given as pragma is the file's, and saves work with it")
    func journalMode() throws {
        let folder = try ScratchFolder()
        let options: [AnyHashable: Any] = [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
        let store = try NoteStore.open(folder.file(), options)
        try NoteStore.add(["a", "b"], to: store)
        #expect(try NoteStore.count(store) == 2)
        #expect(try PlainDatabase(folder.file()).strings("PRAGMA journal_mode") == ["delete"])
        #expect(Set(try NoteStore.files(in: folder.url).keys) == ["store.sqlite"])
        try store.close()
        // Without the pragma the store uses a write-ahead log again, like every store.
        let again = try NoteStore.open(folder.file())
        #expect(try PlainDatabase(folder.file()).strings("PRAGMA journal_mode") == ["wal"])
        #expect(try NoteStore.count(again) == 2)
        try again.close()
    }

    @Test("A description's pragmas reach the database, and a meaningless one is harmless")
    func description() throws {
        let folder = try ScratchFolder()
        let description = NSPersistentStoreDescription(url: folder.file())
        description.setValue("DELETE" as NSString, forPragmaNamed: "journal_mode")
        description.setValue("1" as NSString, forPragmaNamed: "no_such_pragma")
        description.setValue("1; DROP TABLE ZNOTE" as NSString, forPragmaNamed: "cache_size")
        let container = NSPersistentContainer(name: "Notes", managedObjectModel: NoteStore.model())
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        #expect(failure == nil)
        #expect(try PlainDatabase(folder.file()).strings("PRAGMA journal_mode") == ["delete"])
        #expect(try PlainDatabase(folder.file()).has(table: "ZNOTE"))
    }

    // MARK: Upkeep

    @Test("Manual vacuum releases the space of deleted rows")
    func vacuum() throws {
        let folder = try ScratchFolder()
        let store = try NoteStore.open(folder.file())
        try NoteStore.add((0..<500).map { String(repeating: "\($0)", count: 1_000) }, to: store)
        try store.context.performAndWait {
            let notes = try store.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
            for note in notes.dropFirst() { store.context.delete(note) }
            try store.context.save()
        }
        try store.close()
        let before = try PlainDatabase(folder.file()).integer("PRAGMA page_count")
        let vacuumed = try NoteStore.open(folder.file(), [NSSQLiteManualVacuumOption: true])
        #expect(try NoteStore.count(vacuumed) == 1)
        try vacuumed.close()
        let database = try PlainDatabase(folder.file())
        #expect(try database.integer("PRAGMA page_count") < before / 4)
        #expect(try database.integer("PRAGMA auto_vacuum") == 2)
    }

    @Test("Analyze writes statistics for the query planner, and the store opens as before")
    func analyze() throws {
        let folder = try ScratchFolder()
        try NoteStore.make(at: folder.file())
        let store = try NoteStore.open(folder.file(), [NSSQLiteAnalyzeOption: true])
        try store.close()
        #expect(try PlainDatabase(folder.file()).has(table: "sqlite_stat1"))
        let again = try NoteStore.open(folder.file())
        #expect(try NoteStore.count(again) == 1)
        try again.close()
    }

    // MARK: Metadata

    @Test("Metadata set by an app is in the file after a save, beside the framework's entries")
    func metadata() throws {
        let folder = try ScratchFolder()
        let store = try NoteStore.open(folder.file())
        var metadata = store.coordinator.metadata(for: store.store)
        #expect(metadata[NSStoreTypeKey] as? String == NSSQLiteStoreType)
        #expect(metadata[NSStoreUUIDKey] as? String == store.store.identifier)
        metadata["Opened"] = 3
        metadata["By"] = ["Ann", "Bob"]
        store.coordinator.setMetadata(metadata, for: store.store)
        try NoteStore.add(["a"], to: store)
        try store.close()
        let kept = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: folder.file())
        #expect(kept["Opened"] as? Int == 3)
        #expect(kept["By"] as? [String] == ["Ann", "Bob"])
        #expect(kept[NSStoreModelVersionHashesKey] as? [String: Data] != nil)
        #expect(kept[NSStoreUUIDKey] as? String == metadata[NSStoreUUIDKey] as? String)
        let again = try NoteStore.open(folder.file())
        #expect(again.store.metadata["Opened"] as? Int == 3)
        try again.close()
    }

    @Test(
        "Metadata set without the framework's entries keeps them",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func ownMetadata(_ type: String) throws {
        let folder = try ScratchFolder()
        func open() throws -> (NSPersistentStoreCoordinator, NSPersistentStore) {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ModelFixtures.company())
            return (
                coordinator,
                try coordinator.addPersistentStore(
                    ofType: type, configurationName: nil, at: folder.file())
            )
        }
        let (coordinator, store) = try open()
        coordinator.setMetadata(["Opened": 3, "By": "Ann"], for: store)
        coordinator.setMetadata(["Opened": 4], for: store)
        try coordinator.remove(store)
        let (_, again) = try open()
        #expect(again.metadata["Opened"] as? Int == 4)
        #expect(again.metadata["By"] == nil)
        #expect(again.metadata[NSStoreTypeKey] as? String == type)
    }

    @Test("Metadata set through an open store changes only the keys that were set")
    func sharedMetadata() throws {
        let folder = try ScratchFolder()
        let first = try NoteStore.open(folder.file()), second = try NoteStore.open(folder.file())
        first.store.metadata["A"] = ["a": [1, 2]]
        second.store.metadata["B"] = 1
        first.store.metadata["A"] = nil
        first.store.metadata["C"] = Data([1])
        second.store.metadata["B"] = 2
        #expect(first.store.metadata["B"] as? Int == 1)
        #expect(second.store.metadata["B"] as? Int == 2 && second.store.metadata["C"] as? Data == Data([1]))
        let kept = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: folder.file())
        #expect(kept["A"] == nil && kept["B"] as? Int == 2 && kept["C"] as? Data == Data([1]))
        try first.close()
        try second.close()
    }

    @Test("Metadata set through a store that another has migrated keeps the new version's hashes")
    func metadataAfterMigration() throws {
        let folder = try ScratchFolder()
        let old = try NoteStore.open(folder.file())
        let model = NoteStore.model()
        model.entities[0].properties.append(ModelFixtures.attribute("more", .stringAttributeType))
        let options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        try OpenedStore(folder.file(), model, options: options).close()
        old.store.metadata["A"] = 1
        let kept = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: folder.file())
        #expect(kept["A"] as? Int == 1)
        #expect(kept[NSStoreModelVersionHashesKey] as? [String: Data] == model.entityVersionHashesByName)
        try old.close()
    }

    @Test("Metadata that is no property list stays with the open store and is not written")
    func unwritableMetadata() throws {
        let folder = try ScratchFolder()
        let store = try NoteStore.open(folder.file())
        store.store.metadata["A"] = NSObject()
        store.store.metadata["A"] = nil
        store.store.metadata["B"] = 1
        let kept = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: folder.file())
        #expect(kept["A"] == nil && kept["B"] as? Int == 1)
        try store.close()
    }

    // MARK: Values

    @Test("Values of many sizes are read whole, in the row or beside it")
    func sizes() throws {
        let folder = try ScratchFolder()
        let model = ModelSketch(
            """
            Item
              inline data
              external external
            """
        ).model
        let sizes = [0, 1, 14, 15, 16, 4_096, 99_999, 100_000, 100_001, 5_000_000]
        func value(_ size: Int) -> Data { Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }) }
        let store = try OpenedStore(folder.file(), model)
        try store.context.performAndWait {
            for size in sizes {
                let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: store.context)
                item.setValue(value(size), forKey: "inline")
                item.setValue(value(size), forKey: "external")
            }
            try store.context.save()
        }
        try store.close()
        let again = try OpenedStore(folder.file(), model)
        try again.context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            let items = try again.context.fetch(request)
            for key in ["inline", "external"] {
                let found = items.compactMap { $0.value(forKey: key) as? Data }
                #expect(Set(found.map(\.count)) == Set(sizes), "\(key)")
                #expect(found.allSatisfy { $0 == value($0.count) }, "\(key)")
            }
        }
        try again.close()
        let support = folder.url.appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA")
        #expect(try FileManager.default.contentsOfDirectory(atPath: support.path).count == 2)
    }
}
