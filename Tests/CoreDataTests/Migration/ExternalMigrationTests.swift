import CoreData
import Foundation
import Testing

@Suite("Migration in place of external values and deferred clean-up")
@MainActor
struct ExternalMigrationTests {
    @Test("A deferred clean-up puts removed tables aside and drops them later in steps")
    func deferred() throws {
        let store = try VersionedStore(
            "Old\n  name string\nPerson\n  name string\n  photo external\n  note string")
        store.insert("Person", ["name": "a", "photo": Data(repeating: 1, count: 200_000), "note": "x"])
        store.insert("Old", ["name": "o"])
        var options = VersionedStore.automatic
        options[NSPersistentStoreDeferredLightweightMigrationOptionKey] = true as NSNumber
        try store.migrate(to: ModelSketch("Person\n  name string").model, options: options)
        #expect(try store.fetch("Person").count == 1)
        func leftovers() throws -> [String] {
            try PlainDatabase(store.folder.file()).strings(
                """
                SELECT name FROM pragma_table_info('ZPERSON') WHERE name LIKE 'Z\\_\\_OLD%' ESCAPE '\\' UNION ALL \
                SELECT name FROM sqlite_master WHERE name LIKE 'Z\\_\\_OLD%' ESCAPE '\\' ORDER BY 1
                """)
        }
        let coordinator = store.coordinator
        func isPending() -> Bool {
            coordinator.persistentStores[0].metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey]
                != nil
        }
        #expect(try leftovers() == ["Z__OLD_ZNOTE", "Z__OLD_ZOLD", "Z__OLD_ZPHOTO"])
        #expect(isPending())
        #expect(externalFiles(store).count == 1)
        try coordinator.finishDeferredLightweightMigrationTask()
        #expect(try leftovers().count == 2)
        #expect(isPending())
        try coordinator.finishDeferredLightweightMigration()
        #expect(try leftovers() == [])
        #expect(!isPending())
        #expect(externalFiles(store).isEmpty)
        try coordinator.finishDeferredLightweightMigration()
        try store.migrate(to: ModelSketch("Person\n  name string").model, options: [:])
    }

    private func externalFiles(_ store: VersionedStore) -> [String] {
        let path = store.folder.url.appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA").path
        return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    @Test("External values keep their files, except those of removed attributes and entities")
    func externalValues() throws {
        let store = try VersionedStore(
            "Film\n  name string\n  data external\nPhoto\n  name string\n  data external\n  other external")
        let big = Data(repeating: 7, count: 150_000)
        store.insert("Film", ["name": "f", "data": big])
        store.insert("Photo", ["name": "p", "data": big, "other": big])
        try store.context.save()
        #expect(externalFiles(store).count == 3)
        try store.migrate(to: "Picture was Photo\n  name string\n  bytes external was data")
        #expect(externalFiles(store).count == 1)
        #expect(try store.fetch("Picture").first?.value(forKey: "bytes") as? Data == big)
    }

    @Test("Inline values are readable after an attribute allows external storage")
    func becomingExternal() throws {
        let store = try VersionedStore("Photo\n  name string\n  data data")
        let bytes = Data([0, 1, 0, 255])
        store.insert("Photo", ["name": "p", "data": bytes])
        store.insert("Photo", ["name": "q"])
        try store.migrate(to: "Photo\n  name string\n  data external")
        #expect(try store.value("data", of: "Photo").map { $0 as? Data } == [bytes, nil])
    }

    private let big = Data(repeating: 7, count: 150_000)

    @Test(
        "Values return to their rows when an attribute no longer allows external storage",
        arguments: [VersionedStore.Way.inPlace, .copied])
    func becomingInline(_ way: VersionedStore.Way) throws {
        let store = try VersionedStore(
            "A\n  name string\nPhoto\n  name string\n  data external\n  tags external-transformable", way)
        let tags = ["x", String(repeating: "y", count: 150_000)] as NSArray
        store.insert("Photo", ["name": "p", "data": big, "tags": tags])
        store.insert("Photo", ["name": "q", "data": Data([1, 2]), "tags": ["z"] as NSArray])
        store.insert("Photo", ["name": "r"])
        try store.context.save()
        #expect(externalFiles(store).count == 2)
        func requireValues() throws {
            #expect(try store.value("data", of: "Photo").map { $0 as? Data } == [big, Data([1, 2]), nil])
            #expect(try store.value("tags", of: "Photo").map { $0 as? NSArray } == [tags, ["z"], nil])
        }
        try store.migrate(to: "A\n  name string\nPhoto\n  name string\n  data data\n  tags transformable")
        try requireValues()
        if way == .inPlace { #expect(externalFiles(store).isEmpty) }
        try store.migrate(
            to: "A\n  name string\nPhoto\n  name string\n  data external\n  tags external-transformable")
        try requireValues()
        try store.migrate(to: "A\n  name string\nPhoto: A\n  data data\n  tags transformable")
        try requireValues()
    }

    @Test("A missing external file stops a migration that moves its value into the row")
    func missingFile() throws {
        let store = try VersionedStore("Photo\n  name string\n  data external")
        store.insert("Photo", ["name": "p", "data": big])
        try store.close()
        let folder = store.folder.url.appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA")
        let file = folder.appendingPathComponent(try #require(externalFiles(store).first))
        let aside = store.folder.file("aside")
        try FileManager.default.moveItem(at: file, to: aside)
        let error = #expect(throws: NSError.self) {
            try store.migrate(to: "Photo\n  name string\n  data data")
        }
        #expect(error?.code == NSMigrationError)
        #expect(error?.userInfo["attribute"] as? String == "data")
        try FileManager.default.moveItem(at: aside, to: file)
        try store.migrate(to: "Photo\n  name string\n  data data")
        #expect(try store.value("data", of: "Photo").map { $0 as? Data } == [big])
    }

    @Test("Files of rows moved to another table stay, files of removed attributes are deleted")
    func movedRows() throws {
        let store = try VersionedStore(
            "A\n  name string\nPhoto\n  name string\n  data external\n  other external")
        store.insert("A", ["name": "a"])
        store.insert("Photo", ["name": "p", "data": big, "other": big])
        try store.context.save()
        try store.migrate(to: "A\n  name string\nPhoto: A\n  data external")
        #expect(externalFiles(store).count == 1)
        #expect(try store.value("data", of: "Photo").map { $0 as? Data } == [big])
    }

    @Test("Putting a table aside keeps the files of rows that moved out of it")
    func deferredMove() throws {
        let store = try VersionedStore("A\n  name string\nPhoto\n  name string\n  data external")
        store.insert("A", ["name": "a"])
        store.insert("Photo", ["name": "p", "data": big])
        var options = VersionedStore.automatic
        options[NSPersistentStoreDeferredLightweightMigrationOptionKey] = true as NSNumber
        try store.migrate(to: "A\n  name string\nPhoto: A\n  data external", options: options)
        try store.coordinator.finishDeferredLightweightMigration()
        store.context.reset()
        #expect(externalFiles(store).count == 1)
        #expect(try store.value("data", of: "Photo").map { $0 as? Data } == [big])
    }
}
