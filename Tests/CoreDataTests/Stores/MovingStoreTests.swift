import CoreData
import CoreDataSQLite
import Foundation
import PostgreSQLTestSupport
import Testing

@Suite("Moving stores")
@MainActor
struct MovingStoreTests {
    /// Returns a model of folders with ordered notes, tags, and photos for external files.
    private static func model() -> NSManagedObjectModel {
        ModelSketch(
            """
            Folder
              name string
              photo external
              notes ->>> Note.folder
            Note
              name string
              folder -> Folder.notes
              tags ->> Tag.notes
            Letter: Note
              stamps int16
            Tag
              name string
              notes ->> Note.tags
            """
        ).model
    }

    @Test("An open database keeps its locks while its file is inspected, reopened, or misread")
    func locks() throws {
        let folder = try ScratchFolder()
        let url = folder.url.appendingPathComponent("store")
        let stack = try Self.stack()
        let store = try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let locks = try LockProbe(url)
        #expect(try locks.isHeld())
        _ = try SQLiteStores.exists(at: url.path)
        _ = try SQLiteStores.metadata(at: url.path)
        _ = try SQLiteStores.modelCache(at: url.path)
        #expect(try locks.isHeld())
        let other = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try other.remove(
            other.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url))
        #expect(try locks.isHeld())
        for type in [NSXMLStoreType, NSBinaryStoreType] {
            #expect(throws: CocoaError.self) {
                try other.addPersistentStore(ofType: type, configurationName: nil, at: url)
            }
        }
        #expect(try locks.isHeld())
        try stack.coordinator.remove(store)
        #expect(try !locks.isHeld())
    }

    nonisolated fileprivate static let photo = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })

    /// Returns a stack without a store.
    private static func stack() throws -> TestStack { try TestStack(model(), configurations: []) }

    nonisolated private static let expected = [
        "F true", "3 [\"a\"] 0", "1 [\"a\", \"b\"] 7", "2 [\"a\", \"b\"] 0",
    ]
    nonisolated private static let types =
        [NSPersistentStore.StoreType.sqlite, .xml, .binary, .inMemory]
        + (TestServer.isAvailable ? [.postgreSQL] : [])

    @Test("A move between any two types loses nothing", arguments: types, types)
    func migrate(_ old: NSPersistentStore.StoreType, _ new: NSPersistentStore.StoreType) throws {
        let folder = try ScratchFolder()
        let stack = try Self.stack()
        let store = try stack.coordinator.addPersistentStore(type: old, at: folder.place(old, "old"))
        try stack.fill()
        stack.coordinator.setMetadata(
            stack.coordinator.metadata(for: store).merging(["note": "kept"]) { $1 }, for: store)
        let moved = try stack.coordinator.migratePersistentStore(
            store, to: folder.place(new, "new"), type: new)
        #expect(stack.coordinator.persistentStores == [moved])
        #expect(moved.type == new.rawValue)
        #expect(store.persistentStoreCoordinator == nil)
        #expect(try stack.contents() == Self.expected)
        #expect(stack.coordinator.metadata(for: moved)["note"] as? String == "kept")
        #expect(stack.coordinator.metadata(for: moved)[NSStoreTypeKey] as? String == new.rawValue)
        // The moved store is like any other: it can be changed and opened again.
        try stack.context.fetch("Folder", nil, [], sortedBy: nil)[0].setValue("G", forKey: "name")
        try stack.context.save()
        guard new != .inMemory else { return }
        let again = try Self.stack()
        try again.coordinator.addPersistentStore(type: new, at: folder.place(new, "new"))
        #expect(try again.contents() == ["G true"] + Self.expected.dropFirst())
        guard old != .inMemory, old != .postgreSQL else { return }
        #expect(FileManager.default.fileExists(atPath: folder.file("old").path))
    }

    @Test("A store that moves from one SQLite file to another keeps its IDs and its history")
    func copied() throws {
        let folder = try ScratchFolder()
        let stack = try Self.stack()
        let store = try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("old"),
            options: [NSPersistentHistoryTrackingKey: true as NSNumber])
        try stack.fill()
        let uri = try stack.context.fetch("Folder", nil, [], sortedBy: nil)[0].objectID.uriRepresentation()
        stack.context.reset()
        try stack.coordinator.migratePersistentStore(
            store, to: folder.file("new"), withType: NSSQLiteStoreType)
        #expect(stack.coordinator.managedObjectID(forURIRepresentation: uri) != nil)
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        let result = try stack.context.execute(request) as? NSPersistentHistoryResult
        #expect((result?.result as? [NSPersistentHistoryTransaction])?.count == 1)
    }

    @Test("A store cannot move to its own place")
    func same() throws {
        let folder = try ScratchFolder()
        let stack = try Self.stack()
        let store = try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file())
        try stack.fill()
        #expect(throws: NSError.self) {
            try stack.coordinator.migratePersistentStore(
                store, to: folder.file(), withType: NSSQLiteStoreType)
        }
        #expect(try stack.contents() == Self.expected)
    }

    @Test("Replacing copies the log and the external files, and leaves nothing of the old store")
    func replace() throws {
        let folder = try ScratchFolder()
        let (new, old) = (try Self.stack(), try Self.stack())
        try new.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("source"))
        try old.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("target"))
        try old.fill()
        try old.fill()
        try new.fill()
        // The source is open, and its content is in its log.
        try old.coordinator.replacePersistentStore(
            at: folder.file("target"), withPersistentStoreFrom: folder.file("source"),
            ofType: NSSQLiteStoreType)
        #expect(old.coordinator.persistentStores.isEmpty)
        try old.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("target"))
        #expect(try old.contents() == Self.expected)
        #expect(try new.contents() == Self.expected)
        let files = try FileManager.default.contentsOfDirectory(
            atPath: folder.url.appendingPathComponent(".target_SUPPORT/_EXTERNAL_DATA").path)
        #expect(files.count == 1)
    }

    @Test(
        "A failed replacement leaves the store alone",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func badSource(_ type: String) throws {
        let folder = try ScratchFolder()
        let stack = try Self.stack()
        try stack.coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: folder.file("target"))
        try stack.fill()
        try Data("nothing of the kind".utf8).write(to: folder.file("source"))
        for source in ["source", "missing"] {
            #expect(throws: NSError.self) {
                try stack.coordinator.replacePersistentStore(
                    at: folder.file("target"), withPersistentStoreFrom: folder.file(source), ofType: type)
            }
        }
        let again = try Self.stack()
        try again.coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: folder.file("target"))
        #expect(try again.contents() == Self.expected)
    }

    @Test("Stores that differ only by extension share external files until the last is removed")
    func namesakes() throws {
        let folder = try ScratchFolder()
        let stack = try Self.stack()
        let store = try stack.coordinator.addPersistentStore(type: .sqlite, at: folder.file("store.sqlite"))
        try stack.fill()
        let moved = try stack.coordinator.migratePersistentStore(
            store, to: folder.file("store.db"), type: .sqlite)
        try stack.coordinator.destroyPersistentStore(at: folder.file("store.sqlite"), type: .sqlite)
        #expect(try PlainDatabase(folder.file("store.sqlite")).rows("SELECT name FROM sqlite_master").isEmpty)
        #expect(try stack.contents() == Self.expected)
        try stack.coordinator.remove(moved)
        try stack.coordinator.destroyPersistentStore(at: folder.file("store.db"), type: .sqlite)
        #expect(
            !FileManager.default.fileExists(atPath: folder.url.appendingPathComponent(".store_SUPPORT").path))
    }

    @Test(
        "Metadata has the identifier, and the removal notification's object is the store"
    )
    func removing() throws {
        let folder = try ScratchFolder()
        for type in [NSPersistentStore.StoreType.sqlite, .xml, .inMemory] {
            let stack = try Self.stack()
            let store = try stack.coordinator.addPersistentStore(type: type, at: folder.file(type.rawValue))
            #expect(store.metadata[NSStoreUUIDKey] as? String == store.identifier)
            store.metadata = ["own": 1, NSStoreUUIDKey: "another"]
            #expect(store.metadata["own"] as? Int == 1)
            nonisolated(unsafe) var removed: NSPersistentStore?
            let observer = NotificationCenter.default.addObserver(
                forName: .NSPersistentStoreCoordinatorWillRemoveStore, object: store, queue: nil
            ) { removed = $0.object as? NSPersistentStore }
            try stack.coordinator.remove(store)
            NotificationCenter.default.removeObserver(observer)
            #expect(removed === store)
        }
    }

    @Test(
        "Destroying a SQLite store leaves an empty database with a log, ready for a new store"
    )
    func destroying() throws {
        let folder = try ScratchFolder()
        let stack = try Self.stack()
        let url = folder.file("store")
        try stack.coordinator.addPersistentStore(type: .sqlite, at: url)
        try stack.fill()
        try stack.coordinator.destroyPersistentStore(at: url, type: .sqlite)
        let files = ["store", "store-shm", "store-wal"]
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == files)
        #expect(try Data(contentsOf: folder.file("store-wal")).isEmpty)
        #expect(throws: CocoaError.self) {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(with: url)
        }
        let again = try Self.stack()
        let store = try again.coordinator.addPersistentStore(type: .sqlite, at: url)
        try again.fill()
        #expect(try again.contents() == Self.expected)
        try again.coordinator.remove(store)
        try again.coordinator.destroyPersistentStore(at: url, type: .sqlite)
        for file in files { try FileManager.default.removeItem(at: folder.file(file)) }
    }

    @Test("Destroying a missing store does nothing", arguments: types)
    func destroyingNothing(_ type: NSPersistentStore.StoreType) throws {
        let folder = try ScratchFolder()
        let stack = try Self.stack()
        try stack.coordinator.destroyPersistentStore(at: folder.place(type, "none"), type: type)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        try stack.coordinator.destroyPersistentStore(at: URL(fileURLWithPath: "/dev/null"), type: type)
        #expect(FileManager.default.fileExists(atPath: "/dev/null"))
    }

    @Test(
        "Destroying waits for a writer, and other users then find an empty database"
    )
    func destroyingInUse() throws {
        let folder = try ScratchFolder()
        let (stack, other) = (try Self.stack(), try Self.stack())
        let url = folder.file("store")
        try stack.coordinator.addPersistentStore(type: .sqlite, at: url)
        try stack.fill()
        let writer = try PlainDatabase(url)
        try writer.execute("BEGIN IMMEDIATE")
        let options: [AnyHashable: Any] = [NSPersistentStoreTimeoutOption: 0.05]
        let error = #expect(throws: NSError.self) {
            try other.coordinator.destroyPersistentStore(at: url, type: .sqlite, options: options)
        }
        #expect(error?.code == NSPersistentStoreTimeoutError)
        #expect(try stack.contents() == Self.expected)
        try writer.execute("ROLLBACK")
        try other.coordinator.destroyPersistentStore(at: url, type: .sqlite, options: options)
        #expect(throws: NSError.self) { try stack.contents() }
        #expect(try writer.rows("SELECT name FROM sqlite_master").isEmpty)
        try writer.execute("CREATE TABLE t (a); BEGIN IMMEDIATE")
        try other.coordinator.destroyPersistentStore(
            at: url, type: .sqlite,
            options: options.merging([NSPersistentStoreForceDestroyOption: true as NSNumber]) { $1 })
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test("A file that is no database is destroyed, too")
    func destroyingGarbage() throws {
        let folder = try ScratchFolder()
        let stack = try Self.stack()
        let url = folder.file("store")
        for garbage in [Data("no database at all".utf8), Data(count: 8192)] {
            try garbage.write(to: url)
            #expect(throws: NSError.self) { try stack.coordinator.addPersistentStore(type: .sqlite, at: url) }
            try stack.coordinator.destroyPersistentStore(at: url, type: .sqlite)
            let store = try stack.coordinator.addPersistentStore(type: .sqlite, at: url)
            try stack.coordinator.remove(store)
        }
    }

    @Test(
        "A store below /dev/null is kept in memory, whatever its type",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType])
    func nowhere(_ type: String) throws {
        let (stack, other) = (try Self.stack(), try Self.stack())
        let url = URL(fileURLWithPath: "/dev/null/Name.sqlite")
        for stack in [stack, other] {
            let store = try stack.coordinator.addPersistentStore(
                ofType: type, configurationName: nil, at: url)
            #expect(store.url == url)
            #expect(stack.coordinator.persistentStore(for: url) === store)
            #expect(try stack.contents().isEmpty)
            try stack.fill()
            #expect(try stack.contents() == Self.expected)
        }
    }

    // MARK: Objects in contexts

    @Test(
        "Objects follow a moved SQLite store: faults and saves use the new place")
    func following() throws {
        let folder = try ScratchFolder()
        let stack = try Self.stack()
        let store = try stack.coordinator.addPersistentStore(type: .sqlite, at: folder.file("old"))
        try stack.fill()
        let object = try stack.context.fetch("Folder", nil, [], sortedBy: nil)[0]
        let note = try #require(
            (object.value(forKey: "notes") as? NSOrderedSet)?.firstObject as? NSManagedObject)
        stack.context.refresh(note, mergeChanges: false)
        object.setValue("renamed", forKey: "name")
        nonisolated(unsafe) var changes: [String] = []
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreCoordinatorStoresDidChange, object: stack.coordinator, queue: nil
        ) { notification in
            let changed = notification.userInfo?[NSUUIDChangedPersistentStoresKey] as? [NSPersistentStore]
            changes.append(changed?.compactMap { $0.url?.lastPathComponent }.joined(separator: " ") ?? "none")
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        let moved = try stack.coordinator.migratePersistentStore(store, to: folder.file("new"), type: .sqlite)
        #expect(changes == ["old new"])
        #expect(stack.coordinator.persistentStores == [moved])
        #expect(object.objectID.persistentStore === moved)
        #expect(note.isFault)
        #expect(note.value(forKey: "name") as? String == "3")
        try stack.context.save()
        #expect(try stack.contents()[0] == "renamed true")
        let former = try Self.stack()
        _ = try former.coordinator.addPersistentStore(type: .sqlite, at: folder.file("old"))
        #expect(try former.contents() == Self.expected)
    }

    @Test("setURL makes a SQLite store use another file, if that fits the model")
    func setURL() throws {
        let folder = try ScratchFolder()
        let (stack, other) = (try Self.stack(), try Self.stack())
        let store = try stack.coordinator.addPersistentStore(type: .sqlite, at: folder.file("first"))
        try stack.fill()
        let second = try other.coordinator.addPersistentStore(type: .sqlite, at: folder.file("second"))
        _ = other.context.insert("Folder", ["name": "of the second"])
        try other.context.save()
        try other.coordinator.remove(second)

        try Data("no database".utf8).write(to: folder.file("foreign"))
        for name in ["missing", "foreign"] {
            #expect(!stack.coordinator.setURL(folder.file(name), for: store))
            #expect(store.url == folder.file("first"))
            #expect(try stack.contents() == Self.expected)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("missing").path))

        let uuid = store.identifier
        #expect(stack.coordinator.setURL(folder.file("second"), for: store))
        #expect(stack.coordinator.persistentStore(for: folder.file("second")) === store)
        #expect(store.identifier == second.identifier)
        #expect(store.identifier != uuid)
        #expect(try stack.contents() == ["of the second false"])
        _ = stack.context.insert("Folder", ["name": "new"])
        try stack.context.save()
        let fresh = try Self.stack()
        _ = try fresh.coordinator.addPersistentStore(type: .sqlite, at: folder.file("second"))
        #expect(try fresh.contents().count == 2)
    }

    @Test("A deleted object keeps its ID, even after its store was exchanged")
    func deletedObjectID() throws {
        let folder = try ScratchFolder()
        let (stack, other) = (try Self.stack(), try Self.stack())
        let store = try stack.coordinator.addPersistentStore(type: .sqlite, at: folder.file("first"))
        let second = try other.coordinator.addPersistentStore(type: .sqlite, at: folder.file("second"))
        try other.coordinator.remove(second)
        #expect(stack.coordinator.setURL(folder.file("second"), for: store))
        let object = stack.context.insert("Folder", ["name": "short-lived"])
        try stack.context.save()
        let uri = object.objectID.uriRepresentation()
        stack.context.delete(object)
        try stack.context.save()
        #expect(object.objectID.uriRepresentation() == uri)
        #expect(object.objectID.persistentStore === store)
    }
}

@MainActor
extension TestStack {
    fileprivate func fill() throws {
        let folder = context.insert("Folder", ["name": "F", "photo": MovingStoreTests.photo])
        let tags = ["a", "b"].map { context.insert("Tag", ["name": $0]) }
        let notes = ["3", "1", "2"].map { name in
            context.insert(name == "1" ? "Letter" : "Note", ["name": name])
        }
        notes[1].setValue(7, forKey: "stamps")
        folder.setValue(NSOrderedSet(array: notes), forKey: "notes")
        for note in notes { note.setValue(NSSet(array: tags), forKey: "tags") }
        notes[0].setValue(NSSet(object: tags[0]), forKey: "tags")
        try context.save()
    }

    /// Returns the content of the store, in words.
    fileprivate func contents() throws -> [String] {
        context.reset()
        return try context.fetch("Folder", nil, [], sortedBy: nil).flatMap { folder -> [String] in
            let notes =
                (folder.value(forKey: "notes") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
            let photo = folder.value(forKey: "photo") as? Data
            return ["\(folder.value(forKey: "name") ?? "") \(photo == MovingStoreTests.photo)"]
                + notes.map { note in
                    let tags = note.value(forKeyPath: "tags.name") as? Set<String> ?? []
                    let stamps = note.entity.name == "Letter" ? note.value(forKey: "stamps") as? Int : nil
                    return "\(note.value(forKey: "name") ?? "") \(tags.sorted()) \(stamps ?? 0)"
                }
        }
    }
}
