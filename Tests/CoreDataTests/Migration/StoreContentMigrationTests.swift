import CoreData
import Foundation
import Testing

@Suite("Contents of a store that a migration in place keeps")
@MainActor
struct StoreContentMigrationTests {
    @Test("History is kept, and its changes have the new entities, objects and properties")
    func history() throws {
        let tracking: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true as NSNumber]
        let options = VersionedStore.automatic.merging(tracking) { first, _ in first }
        let store = try VersionedStore(
            "Cow\n  name string\n  age int16\nOld\n  name string\nYak\n  name string", options: tracking)
        let cow = store.insert("Cow", ["name": "c", "age": 1])
        store.insert("Old", ["name": "o"])
        store.insert("Yak", ["name": "y"])
        try store.context.save()
        cow.setValue(2, forKey: "age")
        try store.context.save()
        try store.migrate(
            to: ModelSketch(
                """
                Animal
                  name string
                Ant
                  name string
                Bull: Animal was Cow
                  abc string
                  years int16 was age
                  zebra string
                Yak: Animal
                """
            ).model, options: options)
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        let result = try store.context.execute(request) as? NSPersistentHistoryResult
        let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
        let changes = transactions.map { $0.changes ?? [] }
        #expect(Set(changes[0].compactMap(\.changedObjectID.entity.name)) == ["Bull", "Yak"])
        #expect(changes[1].first?.updatedProperties?.map(\.name) == ["years"])
        for change in changes.joined() {
            let object = try store.context.existingObject(with: change.changedObjectID)
            #expect(["c", "y"].contains(object.value(forKey: "name") as? String))
        }
    }

    @Test(
        "Defaults of transformable attributes are converted by their transformers",
        arguments: VersionedStore.Way.allCases)
    func transformableDefaults(_ way: VersionedStore.Way) throws {
        let store = try VersionedStore(
            "A\n  name string\n  tags transformable\n  part composite\n  part.x string", way)
        store.insert("A", ["name": "a", "part": ["x": "y"] as NSDictionary])
        try store.migrate(
            to: """
                A
                  name string
                  tags transformable! = t
                  more external-transformable = m
                  part composite
                  part.x string
                  part.tags transformable = p
                """)
        let found = try #require(try store.fetch("A").first)
        #expect(found.value(forKey: "tags") as? NSArray == ["t"])
        #expect(found.value(forKey: "more") as? NSArray == ["m"])
        #expect(found.value(forKey: "part") as? NSDictionary == ["x": "y", "tags": ["p"] as NSArray])
    }

    @Test(
        "Indexes of unchanged tables stay, and renaming or adding writes no rows",
        .ofSQLite("SQLite's tables"))
    func untouched() throws {
        let store = try VersionedStore("Big\n  name string\n  unique name\nSmall\n  name string")
        for number in 0..<300 { store.insert("Big", ["name": "\(number)"]) }
        try store.context.save()
        try store.close()
        func pages() throws -> [String] {
            try PlainDatabase(store.folder.file()).strings(
                "SELECT name || ' ' || rootpage FROM sqlite_master WHERE tbl_name = 'ZBIG' ORDER BY 1")
        }
        let before = try pages()
        try store.migrate(
            to: "Big\n  name string\n  more int16\n  unique name\nSmall\n  name string\n  x string")
        #expect(try pages() == before)
        #expect(try store.fetch("Big").count == 300)
    }

    @Test(
        "A full-text index is removed with its entity, at once or deferred, and others stay",
        .ofSQLite("SQLite's tables"),
        arguments: [false, true])
    func fullTextIndexes(_ isDeferred: Bool) throws {
        let store = try VersionedStore("Note\n  title string full-text\nPage\n  title string full-text")
        store.insert("Note", ["title": "Quick foxes"])
        store.insert("Page", ["title": "Lazy dogs"])
        let deferred: [AnyHashable: Any] = [
            NSPersistentStoreDeferredLightweightMigrationOptionKey: isDeferred as NSNumber
        ]
        try store.migrate(
            to: "Page\n  title string full-text",
            options: VersionedStore.automatic.merging(deferred) { first, _ in first })
        try store.coordinator.finishDeferredLightweightMigration()
        store.insert("Page", ["title": "Lazy cats"])
        try store.context.save()
        let found = try store.fetch("Page", "title matchesFullText: 'lazy'", by: "title")
        #expect(found.map { $0.value(forKey: "title") as? String } == ["Lazy cats", "Lazy dogs"])
        #expect(try !PlainDatabase(store.url).has(table: "FULLTEXT_ZNOTE"))
    }

    @Test("A store limited to a configuration stays limited to it")
    func configuration() throws {
        func model(_ sketch: String, _ names: [String]) -> NSManagedObjectModel {
            let model = ModelSketch(sketch).model
            model.setEntities(names.map { model.entitiesByName[$0]! }, forConfigurationName: "Some")
            return model
        }
        let folder = try ScratchFolder()
        func open(_ model: NSManagedObjectModel) throws -> NSManagedObjectContext {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: "Some", at: folder.file(),
                options: VersionedStore.automatic)
            let context = coordinator.context(.mainQueue)
            return context
        }
        let old = try open(model("A\n  name string\nB\n  name string\nC\n  name string", ["B"]))
        _ = old.insert("B", ["name": "b"])
        try old.save()
        for store in old.persistentStoreCoordinator!.persistentStores {
            try old.persistentStoreCoordinator!.remove(store)
        }
        let new = try open(
            model("A\n  name string\n  x string\nB\n  name string\n  y string\nC\n  name string", ["B", "C"]))
        #expect(try new.fetch("B", nil, [], sortedBy: nil).count == 1)
        _ = new.insert("C", ["name": "c"])
        try new.save()
        #expect(try !PlainDatabase(folder.file()).has(table: "ZA"))
    }
}
