import Foundation
import Testing

@testable import CoreData

@Suite("Files that are refused")
struct StoreRefusalTests {
    private func model(_ attributes: [String], entity name: String = "Note") -> NSManagedObjectModel {
        ModelSketch(name + attributes.map { "\n  \($0) string" }.joined()).model
    }

    /// A closed store with a row.
    private func makeStore(in folder: ScratchFolder) throws -> URL {
        let url = folder.file()
        let opened = try OpenedStore(url, model(["text"]))
        try opened.context.performAndWait {
            let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: opened.context)
            note.setValue("first", forKey: "text")
            try opened.context.save()
        }
        try opened.close()
        return url
    }

    private func opening(_ url: URL, options: [AnyHashable: Any]? = nil) throws -> NSError {
        try #require(throws: NSError.self) { try OpenedStore(url, model(["text"]), options: options) }
    }

    private func files(in folder: ScratchFolder) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        return Dictionary(
            uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: folder.file($0))) })
    }

    // MARK: Models

    @Test("A model with a changed entity is refused by that entity's name, and the file stays")
    func otherModel() throws {
        let folder = try ScratchFolder()
        let url = try makeStore(in: folder)
        let before = try files(in: folder)
        for (other, names) in [
            (model(["text", "title"]), ["Note"]), (model(["text"], entity: "Page"), ["Note", "Page"]),
        ] {
            let error = try #require(throws: NSError.self) { try OpenedStore(url, other) }
            #expect(error.domain == NSCocoaErrorDomain)
            #expect(error.code == NSPersistentStoreIncompatibleVersionHashError)
            #expect(error.userInfo["NSIncompatibleEntities"] as? [String] == names)
            #expect(error.userInfo["metadata"] != nil)
        }
        #expect(try files(in: folder) == before)
        let opened = try OpenedStore(url, model(["text"]))
        try opened.context.performAndWait {
            let count = try opened.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
            #expect(count == 1)
        }
    }

    @Test(
        "A corpus store is refused with another store's model and not touched",
        .enabled(if: !CorpusStore.openable.isEmpty), arguments: CorpusStore.openable)
    func corpusStore(store: CorpusStore) throws {
        let folder = try ScratchFolder()
        let url = try store.copy(to: folder)
        let before = try Data(contentsOf: url)
        let error = try opening(url)
        #expect(error.code == NSPersistentStoreIncompatibleVersionHashError)
        let names = try #require(error.userInfo["NSIncompatibleEntities"] as? [String])
        #expect(Set(names) == Set(try store.model().entities.compactMap(\.name) + ["Note"]))
        #expect(try Data(contentsOf: url) == before)
    }

    // MARK: Files

    @Test("A file that is not a database is refused as corrupt")
    func noDatabase() throws {
        let folder = try ScratchFolder()
        let text = Data(String(repeating: "This is a letter. ", count: 500).utf8)
        try text.write(to: folder.file())
        let error = try opening(folder.file())
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == CocoaError.Code.fileReadCorruptFile.rawValue)
        #expect(try files(in: folder) == ["store.sqlite": text])
    }

    @Test("A database without Core Data's tables is refused and keeps its tables")
    func foreignDatabase() throws {
        let folder = try ScratchFolder()
        try Data().write(to: folder.file())
        try PlainDatabase(folder.file()).execute("CREATE TABLE THINGS (A); INSERT INTO THINGS VALUES (1)")
        let before = try files(in: folder)
        let error = try opening(folder.file())
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(
            [CocoaError.Code.fileReadCorruptFile.rawValue, NSPersistentStoreIncompatibleSchemaError]
                .contains(error.code), "\(error)")
        #expect(try files(in: folder) == before)
    }

    @Test("A truncated store is refused as corrupt", arguments: [60, 100, 2_000, 4_096, 9_000])
    func truncated(length: Int) throws {
        let folder = try ScratchFolder()
        let url = try makeStore(in: folder)
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
        let whole = try Data(contentsOf: url)
        try #require(whole.count > length)
        try whole.prefix(length).write(to: url)
        let error = try opening(url)
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == CocoaError.Code.fileReadCorruptFile.rawValue, "\(error)")
        #expect(try Data(contentsOf: url) == whole.prefix(length))
    }

    @Test("A store is not created in a missing folder, and neither is the folder")
    func missingFolder() throws {
        let folder = try ScratchFolder()
        let url = folder.url.appendingPathComponent("missing/store.sqlite")
        let error = try opening(url)
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == CocoaError.Code.fileWriteUnknown.rawValue)
        #expect(error.userInfo["NSFilePath"] as? String == url.path)
        #expect(try files(in: folder).isEmpty)
    }

    @Test("A folder is refused as a store")
    func directory() throws {
        let folder = try ScratchFolder()
        try FileManager.default.createDirectory(at: folder.file(), withIntermediateDirectories: false)
        let error = try opening(folder.file())
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == CocoaError.Code.fileReadUnknown.rawValue)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file().path).isEmpty)
    }

    // MARK: Read-only

    private var readOnly: [AnyHashable: Any] { [NSReadOnlyPersistentStoreOption: true] }

    @Test("A read-only store is read, refuses to save, and is not touched")
    func readOnlyOption() throws {
        let folder = try ScratchFolder()
        let url = try makeStore(in: folder)
        let before = try Data(contentsOf: url)
        let opened = try OpenedStore(url, model(["text"]), options: readOnly)
        #expect(opened.store.isReadOnly)
        try opened.context.performAndWait {
            let notes = try opened.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
            #expect(notes.first?.value(forKey: "text") as? String == "first")
            notes.first?.setValue("second", forKey: "text")
            let error = try #require(throws: NSError.self) { try opened.context.save() }
            #expect(error.domain == NSCocoaErrorDomain)
            #expect(
                [CocoaError.Code.fileWriteNoPermission.rawValue, NSPersistentStoreSaveError].contains(
                    error.code),
                "\(error)")
            #expect(opened.context.hasChanges)
        }
        try opened.close()
        #expect(try Data(contentsOf: url) == before)
    }

    @Test("A missing store is not created when opened read-only")
    func missingReadOnly() throws {
        let folder = try ScratchFolder()
        let error = try opening(folder.file(), options: readOnly)
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(try files(in: folder).isEmpty)
    }
}
