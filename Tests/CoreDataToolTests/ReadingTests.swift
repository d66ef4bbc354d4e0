import CoreData
import CoreDataSQL
import CoreDataSQLite
import CoreDataTool
import Foundation
import Testing

@Suite("Reading without changes to files")
struct ReadingTests {
    private func lookAround(_ url: URL) throws -> Int {
        let store = try OpenedStore(at: url)
        _ = try StoreSummary(of: store)
        return try StoreFetch(FetchSpecification(entity: "Book"), from: store).count()
    }

    @Test("A closed store keeps its bytes and gets no new files")
    func closed() throws {
        let library = try LibraryStore()
        let before = try library.files()
        #expect(try lookAround(library.url) == 3)
        #expect(try library.files() == before)
    }

    @Test("A store with a leftover log is read with it, and both files stay")
    func abandonedLog() throws {
        let library = try LibraryStore()
        let writer = try SQLiteConnection(path: library.url.path, access: .readWrite)
        try writer.execute("PRAGMA wal_autocheckpoint = 0; UPDATE ZBOOK SET ZTITLE = 'only in the log'")
        try writer.execute("DELETE FROM ZBOOK WHERE ZPAGES = 0")
        let phone = library.folder.appendingPathComponent("Phone")
        try FileManager.default.createDirectory(at: phone, withIntermediateDirectories: true)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: library.url.path + suffix, toPath: phone.path + "/Library.sqlite" + suffix)
        }
        writer.close()
        let before = try library.files()
        #expect(try lookAround(phone.appendingPathComponent("Library.sqlite")) == 2)
        #expect(try library.files() == before)
    }

    @Test("An index file of a missing log is kept")
    func abandonedIndex() throws {
        let library = try LibraryStore()
        try Data(repeating: 7, count: 5000).write(to: URL(fileURLWithPath: library.url.path + "-shm"))
        let before = try library.files()
        #expect(try lookAround(library.url) == 3)
        #expect(try library.files() == before)
    }

    @Test("An open store is read in its current state and not changed")
    func openElsewhere() throws {
        let library = try LibraryStore()
        let writer = try SQLiteConnection(path: library.url.path, access: .readWrite)
        defer { writer.close() }
        try writer.execute("PRAGMA wal_autocheckpoint = 0; DELETE FROM ZBOOK WHERE ZPAGES = 0")
        let before = try library.files().filter { !$0.key.hasSuffix("-shm") }
        #expect(try lookAround(library.url) == 2)
        #expect(try library.files().filter { !$0.key.hasSuffix("-shm") } == before)
    }

    @Test("Missing files, other databases and text are errors that name the file")
    func strangers() throws {
        let library = try LibraryStore()
        let missing = library.folder.appendingPathComponent("Missing.sqlite")
        let text = library.folder.appendingPathComponent("Text.sqlite")
        try Data("This is no database, however long one looks at it.".utf8).write(to: text)
        let other = library.folder.appendingPathComponent("Other.sqlite")
        let connection = try SQLiteConnection(path: other.path, access: .create)
        try connection.execute("CREATE TABLE T (X)")
        connection.close()
        for url in [missing, text, other] {
            let error = #expect(throws: (any Error).self) { try OpenedStore(at: url) }
            #expect(error.map { ErrorText.describe($0) }?.contains(url.lastPathComponent) == true)
        }
    }
}
