@testable import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import CoreDataValues
import Foundation
import Testing

@Suite("Opening files as stores")
struct StoreFileTests {
    private func open(
        _ path: String,
        _ options: DatabaseOptions = DatabaseOptions()
    ) throws -> SQLBackend {
        try SQLiteStores.open(at: path, model: LibraryModel.model, options: options)
    }

    private func create(_ path: String) throws -> SQLBackend {
        try SQLiteStores.create(
            at: path, model: LibraryModel.model, metadata: TestStore.metadata, uuid: TestStore.uuid)
    }

    @Test("Metadata and model cache are read as they were written, without a model")
    func metadata() throws {
        let folder = try TestFolder()
        let cache = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 3) })
        let backend = try SQLiteStores.create(
            at: folder.file(), model: LibraryModel.model, metadata: TestStore.metadata, uuid: TestStore.uuid,
            modelCache: cache)
        let stored = try #require(try SQLiteStores.metadata(at: folder.file()))
        #expect(stored.uuid == TestStore.uuid)
        #expect(stored.plist == TestStore.metadata)
        #expect(try SQLiteStores.modelCache(at: folder.file()) == cache)
        try backend.changeMetadata { found in found + Data("other".utf8) }
        let refusal = StoreError(.invalidValue, "refused")
        #expect(throws: StoreError.self) {
            try backend.changeMetadata { _ throws(StoreError) in throw refusal }
        }
        let metadata = try SQLiteStores.metadata(at: folder.file())
        #expect(metadata?.plist == TestStore.metadata + Data("other".utf8))
        backend.close()
        try SQLiteStores.changeMetadata(at: folder.file()) { _ in Data("third".utf8) }
        #expect(try SQLiteStores.metadata(at: folder.file())?.plist == Data("third".utf8))
    }

    @Test("A new file has the settings of Apple's stores")
    func settings() throws {
        let store = try TestStore()
        #expect(try store.query("PRAGMA page_size") == [[.integer(4096)]])
        #expect(try store.query("PRAGMA auto_vacuum") == [[.integer(2)]])
        #expect(try store.query("PRAGMA journal_mode") == [[.text("wal")]])
        #expect(try store.query("PRAGMA encoding") == [[.text("UTF-8")]])
    }

    @Test("A missing file has no metadata; an empty one becomes a store")
    func emptyFile() throws {
        let folder = try TestFolder()
        #expect(try SQLiteStores.metadata(at: folder.file()) == nil)
        try Data().write(to: URL(fileURLWithPath: folder.file()))
        #expect(try SQLiteStores.metadata(at: folder.file()) == nil)
        _ = try create(folder.file())
        #expect(try SQLiteStores.metadata(at: folder.file())?.uuid == TestStore.uuid)
    }

    @Test("A file of another kind is refused and not touched")
    func otherFile() throws {
        let folder = try TestFolder()
        let bytes = Data("This is a letter, and no database at all.".utf8)
        try bytes.write(to: URL(fileURLWithPath: folder.file()))
        let attempts: [() throws -> Void] = [
            { _ = try open(folder.file()) }, { _ = try create(folder.file()) },
            { _ = try SQLiteStores.metadata(at: folder.file()) },
        ]
        for attempt in attempts {
            let error = try storeError(attempt)
            guard case .notADatabase = error.kind else {
                Issue.record("expected notADatabase, not \(error)")
                continue
            }
            #expect(error.path == folder.file())
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == bytes)
    }

    @Test("A database without Core Data's tables is refused and not touched")
    func foreignDatabase() throws {
        let folder = try TestFolder()
        let connection = try SQLiteConnection(path: folder.file(), access: .create)
        try connection.execute("CREATE TABLE t (a)")
        connection.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
        let error = try storeError { try open(folder.file()) }
        guard case .notADatabase = error.kind else {
            Issue.record("expected notADatabase, not \(error)")
            return
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == bytes)
    }

    @Test("A truncated or overwritten store is an error, not a crash, and is not changed", arguments: [0, 1])
    func damaged(kind: Int) throws {
        let store = try TestStore()
        _ = try store.insert(LibraryModel.row("Book", -1, RoundTripTests.values))
        store.backend.close()
        let url = URL(fileURLWithPath: store.path)
        var bytes = try Data(contentsOf: url)
        if kind == 0 {
            bytes = bytes.prefix(5000)
        } else {
            bytes.replaceSubrange(100..<4096, with: Data(repeating: 0xA5, count: 3996))
        }
        try bytes.write(to: url)
        let error = try storeError { try open(store.path) }
        switch error.kind {
        case .corrupt, .notADatabase: break
        default: Issue.record("expected corrupt, not \(error)")
        }
        #expect(try Data(contentsOf: url) == bytes)
    }

    @Test("Neither a missing folder nor a folder in place of the file can be opened")
    func folders() throws {
        let folder = try TestFolder()
        for path in [folder.path + "/missing/Store.sqlite", folder.path] {
            let error = try storeError { try create(path) }
            switch error.kind {
            case .cannotOpen, .cannotCreate: #expect(error.path == path)
            default: Issue.record("expected cannotOpen, not \(error)")
            }
        }
    }

    @Test("A store opened read-only reads and refuses to write")
    func readOnly() throws {
        let store = try TestStore()
        let row = try store.insert(LibraryModel.row("Book", -1))[0]
        store.backend.close()
        let backend = try open(store.path, DatabaseOptions(isReadOnly: true))
        #expect(try backend.snapshot(for: row.reference) != nil)
        let error = try storeError { try backend.commit(ChangeSet(inserted: [LibraryModel.row("Book", -1)])) }
        guard case .readOnly = error.kind else {
            Issue.record("expected readOnly, not \(error)")
            return
        }
    }

    @Test("A read-only store leaves no file behind and removes none that a writer uses")
    func readOnlyTraces() throws {
        let store = try TestStore()
        let folder = URL(fileURLWithPath: store.path).deletingLastPathComponent().path
        func files() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        }
        let row = try store.insert(LibraryModel.row("Book", -1))[0]
        let used = try files()
        #expect(used.contains { $0.hasSuffix("-wal") })
        var reader = try open(store.path, DatabaseOptions(isReadOnly: true))
        #expect(try reader.snapshot(for: row.reference) != nil)
        reader.close()
        #expect(try files() == used)

        store.backend.close()
        let closed = try files()
        #expect(!closed.contains { $0.hasSuffix("-wal") })
        reader = try open(store.path, DatabaseOptions(isReadOnly: true))
        #expect(try reader.snapshot(for: row.reference) != nil)
        reader.close()
        #expect(try files() == closed)
    }

    @Test("A read-only store with several connections leaves no file behind, whichever closes last")
    func readOnlyTracesOfMany() throws {
        let store = try TestStore()
        let row = try store.insert(LibraryModel.row("Book", -1))[0]
        store.backend.close()
        let folder = URL(fileURLWithPath: store.path).deletingLastPathComponent().path
        let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let reader = try open(store.path, DatabaseOptions(isReadOnly: true))
        var found: Snapshot?
        try reader.pool.read(.latest) { _ in
            // While the first connection is busy.
            found = try? reader.snapshot(for: row.reference)
        }
        #expect(found != nil)
        reader.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == before)
    }

    @Test("A model with a property that the file lacks is refused with that property's name")
    func missingColumn() throws {
        let store = try TestStore()
        store.backend.close()
        try store.execute("ALTER TABLE ZBOOK RENAME COLUMN ZRATING TO ZSCORE")
        let error = try storeError { try open(store.path) }
        guard case .incompatibleModel(let entities) = error.kind else {
            Issue.record("expected incompatibleModel, not \(error)")
            return
        }
        #expect(entities == ["Book"])
        #expect(error.message.contains("Book.rating"))
    }

    @Test("Tables, indexes and triggers of the app survive saves")
    func foreignTables() throws {
        let store = try TestStore()
        try store.execute(
            """
            CREATE TABLE mine (a); INSERT INTO mine VALUES (1); CREATE INDEX mineIndex ON mine (a);
            CREATE TRIGGER mineTrigger AFTER INSERT ON ZBOOK BEGIN UPDATE mine SET a = a + 1; END;
            """)
        let backend = try store.reopened()
        _ = try backend.commit(ChangeSet(inserted: [LibraryModel.row("Book", -1)]))
        #expect(try store.query("SELECT a FROM mine") == [[.integer(2)]])
    }

    @Test("Triggers of derived attributes find the functions they call")
    func derivedTriggers() throws {
        let store = try TestStore()
        try store.execute(
            """
            CREATE TRIGGER Z_DA_ZBOOK_Book_pages_SOURCE_INSERT AFTER INSERT ON ZBOOK FOR EACH ROW BEGIN
            UPDATE ZBOOK SET ZPAGES = 5, ZRATING = NSCoreDataNow() WHERE Z_PK = NEW.Z_PK;
            SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pages', ZPAGES)
            FROM ZBOOK WHERE Z_PK = NEW.Z_PK; END
            """)
        let row = try store.insert(LibraryModel.row("Book", -1))[0]
        #expect(row.integer(LibraryModel.column("Book", "pages")) == 5)
        #expect(row.double(LibraryModel.column("Book", "rating")) > 700_000_000)
    }
}
