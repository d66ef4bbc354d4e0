import CoreDataSQLite
import Foundation
import Testing

@testable import CoreData

#if canImport(Glibc)
import Glibc
#endif

/// A model of one entity, a store of it, and the current content of its files.
enum NoteStore {
    static func model() -> NSManagedObjectModel { ModelSketch("Note\n  text string").model }

    static func open(_ url: URL, _ options: [AnyHashable: Any]? = nil) throws -> OpenedStore {
        try OpenedStore(url, model(), options: options)
    }

    static func add(_ texts: [String], to store: OpenedStore) throws {
        try store.context.performAndWait {
            for text in texts {
                NSEntityDescription.insertNewObject(forEntityName: "Note", into: store.context)
                    .setValue(text, forKey: "text")
            }
            try store.context.save()
        }
    }

    static func count(_ store: OpenedStore) throws -> Int {
        try store.context.performAndWait {
            try store.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
        }
    }

    /// A closed store with one note.
    @discardableResult
    static func make(at url: URL) throws -> URL {
        let store = try open(url)
        try add(["first"], to: store)
        try store.close()
        return url
    }

    /// Returns every file of a folder with its bytes, including logs and their indexes.
    static func files(in folder: URL) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return Dictionary(
            uniqueKeysWithValues: try names.map {
                ($0, try Data(contentsOf: folder.appendingPathComponent($0)))
            })
    }
}

@Suite("Errors of failing files and disks")
struct StoreFaultTests {
    private func error(_ body: () throws -> Void) throws -> NSError {
        try #require(throws: NSError.self) { try body() }
    }

    private func sqliteCode(_ error: NSError) -> Int? {
        (error.userInfo[NSSQLiteErrorDomain] as? NSNumber)?.intValue
    }

    // MARK: Not readable

    @Test("An encrypted store is refused with 259 and SQLite's 26, and not touched")
    func encrypted() throws {
        let folder = try ScratchFolder()
        let url = try NoteStore.make(at: folder.file())
        var bytes = try Data(contentsOf: url)
        for index in bytes.indices { bytes[index] ^= UInt8(truncatingIfNeeded: index &* 31 &+ 7) }
        try bytes.write(to: url)
        let before = try NoteStore.files(in: folder.url)
        let error = try error { _ = try NoteStore.open(url) }
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == CocoaError.Code.fileReadCorruptFile.rawValue)
        #expect(sqliteCode(error) == 26)
        #expect(error.userInfo["NSFilePath"] as? String == url.path)
        #expect(try NoteStore.files(in: folder.url) == before)
    }

    @Test("Overwritten pages are found when read: 259 with SQLite's 11")
    func damagedPage() throws {
        let folder = try ScratchFolder()
        let url = folder.file()
        let store = try NoteStore.open(url)
        try NoteStore.add((0..<2_000).map { "note \($0)" }, to: store)
        try store.close()
        let root = try PlainDatabase(url).integer("SELECT rootpage FROM sqlite_master WHERE name = 'ZNOTE'")
        var bytes = try Data(contentsOf: url)
        let start = (Int(root) - 1) * 4096
        bytes.replaceSubrange(start..<start + 4096, with: Data(repeating: 0xA5, count: 4096))
        try bytes.write(to: url)
        let opened = try NoteStore.open(url)
        let error = try error { _ = try NoteStore.count(opened) }
        #expect(error.code == CocoaError.Code.fileReadCorruptFile.rawValue)
        #expect(sqliteCode(error) == 11)
    }

    // MARK: Logs

    @Test("A log left by a dead process is read, also when the store is opened read-only")
    func logLeftBehind() throws {
        let folder = try ScratchFolder()
        let store = try NoteStore.open(folder.file())
        try NoteStore.add(["a", "b", "c"], to: store)
        let copies = try ScratchFolder()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: folder.file().path + suffix, toPath: copies.file().path + suffix)
        }
        try #require(try Data(contentsOf: URL(fileURLWithPath: copies.file().path + "-wal")).count > 0)
        let before = try Data(contentsOf: copies.file())
        let reader = try NoteStore.open(copies.file(), [NSReadOnlyPersistentStoreOption: true])
        #expect(try NoteStore.count(reader) == 3)
        try reader.close()
        #expect(try Data(contentsOf: copies.file()) == before)
        let writer = try NoteStore.open(copies.file())
        #expect(try NoteStore.count(writer) == 3)
        try NoteStore.add(["d"], to: writer)
        try writer.close()
        #expect(try PlainDatabase(copies.file()).integer("SELECT COUNT(*) FROM ZNOTE") == 4)
        try store.close()
    }

    // MARK: Limits

    @Test("A full disk fails the save with 640 and SQLite's 13, and keeps earlier saves")
    func diskFull() throws {
        let folder = try ScratchFolder()
        let url = try NoteStore.make(at: folder.file())
        let pages = try PlainDatabase(url).integer("PRAGMA page_count")
        let store = try NoteStore.open(
            url, [NSSQLitePragmasOption: ["max_page_count": "\(pages + 1)"]])
        let error = try error {
            try NoteStore.add((0..<200).map { String(repeating: "\($0)", count: 400) }, to: store)
        }
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == CocoaError.Code.fileWriteOutOfSpace.rawValue)
        #expect(sqliteCode(error) == 13)
        store.context.performAndWait {
            #expect(store.context.hasChanges)
            store.context.rollback()
        }
        #expect(try NoteStore.count(store) == 1)
        try store.close()
        #expect(try PlainDatabase(url).integrity() == ["ok"])
    }

    @Test("A store locked by another process for longer than the timeout fails with 134090")
    func locked() throws {
        let folder = try ScratchFolder()
        let url = try NoteStore.make(at: folder.file())
        let store = try NoteStore.open(url, [NSPersistentStoreTimeoutOption: 0.1])
        let other = try PlainDatabase(url)
        try other.execute("BEGIN IMMEDIATE")
        let error = try error { try NoteStore.add(["second"], to: store) }
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == NSPersistentStoreTimeoutError)
        #expect(sqliteCode(error) == 5)
        try other.execute("ROLLBACK")
        try store.context.performAndWait { try store.context.save() }
        #expect(try NoteStore.count(store) == 2)
        try store.close()
    }

    // MARK: Values

    @Test(
        "A stored or computed number that is too large for a decimal is not-a-number",
        arguments: [NSPersistentStore.StoreType.sqlite, .xml, .binary, .inMemory])
    @MainActor
    func infiniteDecimals(_ type: NSPersistentStore.StoreType) throws {
        let stack = try TestStack("Price\n  amount decimal", type: type)
        let object = stack.insert("Price", ["amount": Double.infinity])
        func isNumber() -> Bool {
            (object.value(forKey: "amount") as? NSDecimalNumber).map { !$0.decimalValue.isNaN } ?? false
        }
        #expect(!isNumber())
        try stack.context.save()
        stack.context.refresh(object, mergeChanges: false)
        #expect(!isNumber())
        if type == .sqlite {
            try PlainDatabase(stack.folder.file()).execute("UPDATE ZPRICE SET ZAMOUNT = -9e999")
            stack.context.refresh(object, mergeChanges: false)
            #expect(!isNumber())
        }
        object.setValue(1, forKey: "amount")
        let predicate = NSPredicate(format: "amount < %@", Double.infinity as NSNumber)
        #expect(predicate.evaluate(with: object))
        try stack.context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Price")
        request.predicate = predicate
        #expect(try stack.context.fetch(request) == [object])
    }

    // MARK: Statements

    @Test("Any other refusal of SQLite fails with 134180, its code, message and statement")
    func refusedStatement() throws {
        let folder = try ScratchFolder()
        let url = try NoteStore.make(at: folder.file())
        let store = try NoteStore.open(url)
        try PlainDatabase(url).execute("DROP TABLE ZNOTE")
        for error in [
            try error { _ = try NoteStore.count(store) },
            try error { try NoteStore.add(["second"], to: store) },
        ] {
            #expect(error.domain == NSCocoaErrorDomain)
            #expect(error.code == NSSQLiteError)
            #expect(NSSQLiteError == 134_180)
            #expect(sqliteCode(error) == 1)
            #expect(error.localizedFailureReason?.contains("no such table: ZNOTE") == true)
            #expect((error.userInfo["NSSQLStatement"] as? String)?.contains("ZNOTE") == true)
        }
    }
}
