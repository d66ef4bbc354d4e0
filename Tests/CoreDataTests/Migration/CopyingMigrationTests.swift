import Foundation
import Testing

@testable import CoreData

@Suite("Migration by copy in place of the store")
@MainActor
struct CopyingMigrationTests {
    private let former = "A\n  name string\n  blob external"
    private let latter = "A\n  name string\n  blob external\n  size int16! = 3"

    /// Migrates a store like a coordinator that finds one of another version.
    private func migrate(
        _ store: VersionedStore, to model: NSManagedObjectModel, _ mapping: NSMappingModel? = nil
    ) throws {
        let former = store.coordinator.managedObjectModel
        let mapping =
            try mapping
            ?? NSMappingModel.inferredMappingModel(forSourceModel: former, destinationModel: model)
        let open = store.coordinator.persistentStores[0]
        let metadata = try type(of: open).metadataForPersistentStore(with: store.url)
        try store.close()
        try CopyingMigration(open, at: store.url, metadata).run(mapping, from: former, to: model, nil)
    }

    private func files(_ store: VersionedStore) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: store.folder.url.path).sorted()
    }

    /// Returns whether an unfinished copy is beside the store.
    private func hasDraft(_ store: VersionedStore) throws -> Bool {
        try files(store).contains { $0.hasPrefix(".\(store.url.lastPathComponent).") }
    }

    @Test(
        "The copy replaces the store, with its identifier, metadata and external values",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func swap(_ type: String) throws {
        let store = try VersionedStore(former, type: type)
        let blob = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        store.insert("A", ["name": "a", "blob": blob])
        try store.context.save()
        store.coordinator.persistentStores[0].metadata["app"] = "kept"
        let identifier = store.coordinator.persistentStores[0].identifier
        let model = ModelSketch(latter).model
        model.entities[0].managedObjectClassName = "Some.Class"
        let before = try files(store).filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
        try migrate(store, to: model)
        #expect(try files(store).filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } == before)
        try store.migrate(to: ModelSketch(latter).model, options: [:])
        let object = try #require(try store.fetch("A").first)
        #expect(object.value(forKey: "blob") as? Data == blob)
        #expect(object.value(forKey: "size") as? Int16 == 3)
        #expect(store.coordinator.persistentStores[0].identifier == identifier)
        #expect(store.coordinator.persistentStores[0].metadata["app"] as? String == "kept")
        let moves = store.coordinator.persistentStores[0].metadata[PersistentStoreKeyMovesKey]
        #expect(moves as? [[String: Int]] == [[:]], "All objects have new keys")
        guard type == NSSQLiteStoreType else { return }
        let cached = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: store.url)
        #expect(cached.entities[0].managedObjectClassName == "Some.Class")
    }

    @Test(
        "A failed migration leaves the store unchanged and no file beside it",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func failure(_ type: String) throws {
        let store = try VersionedStore(former, type: type)
        for name in ["a", "b"] { store.insert("A", ["name": name, "blob": Data(count: 200_000)]) }
        try store.context.save()
        let model = ModelSketch(latter).model
        let mapping = MappingSketch.model(
            MappingSketch.entity(
                "A", from: "A", to: "A", ["name": "$source.name"], policy: StoppingPolicy.self))
        #expect(throws: NSError.self) { try migrate(store, to: model, mapping) }
        #expect(try !hasDraft(store))
        try store.migrate(to: ModelSketch(former).model, options: [:])
        #expect(try store.value("name", of: "A").map { $0 as? String } == ["a", "b"])
        #expect(try store.value("blob", of: "A").allSatisfy { ($0 as? Data)?.count == 200_000 })
    }

    @Test(
        "A change of inverse relationships, which SQL cannot express, is migrated by copy",
        .ofSQLite("External files"))
    func inexpressible() throws {
        let store = try VersionedStore(
            "A\n  name string\n  blob external\n  b -> B\nB\n  name string\n  as ->> A")
        let b = store.insert("B", ["name": "b"])
        store.insert("A", ["name": "a", "blob": Data(count: 300_000), "b": b])
        try store.context.save()
        let identifier = store.coordinator.persistentStores[0].identifier
        try store.migrate(
            to: "A\n  name string\n  blob external\n  b -> B.as\nB\n  name string\n  as ->> A.b")
        #expect(try store.value("blob", of: "A").map { ($0 as? Data)?.count } == [300_000])
        #expect(try store.value("b.name", of: "A").map { $0 as? String } == ["b"])
        #expect(store.coordinator.persistentStores[0].identifier == identifier)
        try store.close()
        let support = store.folder.url.appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA").path
        #expect(try FileManager.default.contentsOfDirectory(atPath: support).count == 1)
        #expect(try !hasDraft(store))
    }

    @Test(
        "A missing external file postpones the migration until the file is there", .ofSQLite("External files")
    )
    func unreadable() throws {
        let single = "A\n  name string\n  blob external\n  b -> B\nB\n  name string\n  as ->> A"
        let paired = single.replacingOccurrences(of: "-> B", with: "-> B.as").replacingOccurrences(
            of: "->> A", with: "->> A.b")
        let store = try VersionedStore(single)
        let blob = Data(repeating: 3, count: 300_000)
        store.insert("A", ["name": "a", "blob": blob])
        try store.close()
        let external = store.folder.url.appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA")
        let aside = store.folder.file("aside")
        try FileManager.default.moveItem(at: external, to: aside)
        let error = #expect(throws: NSError.self) { try store.migrate(to: paired) }
        #expect(error?.code == NSMigrationError)
        #expect(error?.userInfo["attribute"] as? String == "blob")
        let cause = error?.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(cause?.code == CocoaError.Code.fileReadNoSuchFile.rawValue)
        try? FileManager.default.removeItem(at: external)
        try FileManager.default.moveItem(at: aside, to: external)
        try store.migrate(to: paired)
        #expect(try store.value("blob", of: "A").map { $0 as? Data } == [blob])
    }

    @Test("A store of a custom class is replaced as a file")
    func ownClass() throws {
        StoreTypes.register(LineStore.self, as: "MigrationLineStore")
        let store = try VersionedStore("A\n  name string", type: "MigrationLineStore")
        store.insert("A", ["name": "a"])
        try store.migrate(to: "A\n  name string", options: [:])
        let open = try #require(store.coordinator.persistentStores.first)
        let metadata = try #require(open.metadata)
        let former = store.coordinator.managedObjectModel
        let model = ModelSketch("A\n  name string\n  size int16 = 2").model
        try store.close()
        try CopyingMigration(open, at: store.url, metadata).run(
            .inferredMappingModel(forSourceModel: former, destinationModel: model), from: former, to: model,
            nil)
        try store.migrate(to: model, options: [:])
        #expect(try store.value("name", of: "A").map { $0 as? String } == ["a"])
        #expect(try !hasDraft(store))
    }

    @Test("A coordinator migrates a store of a custom class when it is added, and counts objects")
    func ownClassAutomatically() throws {
        StoreTypes.register(LineStore.self, as: "AutomaticLineStore")
        let first = "Line\n  name string\n  friends ->> Line.friends"
        let store = try VersionedStore(first, type: "AutomaticLineStore")
        for name in ["a", "b"] { store.insert("Line", ["name": name]) }
        let identifier = store.coordinator.persistentStores[0].identifier
        // The program's models are searched beside its executable.
        let program = try #require(Bundle.main.executableURL).deletingLastPathComponent()
        let file = program.appendingPathComponent("\(UUID().uuidString).mom")
        try store.coordinator.managedObjectModel.archived().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let second = "Line\n  title string was name\n  kind string! = new\n  friends ->> Line.friends"
        let refused = #expect(throws: NSError.self) { try store.migrate(to: second, options: [:]) }
        #expect(refused?.code == NSPersistentStoreIncompatibleVersionHashError)
        try store.migrate(to: second, options: VersionedStore.verified)
        #expect(store.coordinator.persistentStores.count == 1)
        #expect(store.coordinator.persistentStores[0].identifier == identifier)
        #expect(
            try store.fetch("Line", "kind == 'new'", by: "title").map { $0.value(forKey: "title") as? String }
                == ["a", "b"])
        store.insert("Line", ["title": "c"])
        try store.migrate(to: store.coordinator.managedObjectModel, options: [:])
        #expect(
            try store.fetch("Line", by: "title").map { $0.value(forKey: "title") as? String } == [
                "a", "b", "c",
            ])
        #expect(try !hasDraft(store))
    }
}
