import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import CoreDataValues
import Foundation
import Synchronization
import Testing

/// The statements run on one file while it listens.
private final class SQLRecorder: Sendable {
    private let entries = Mutex<[SQLLog.Entry]>([])

    init(path: String) {
        SQLLog.setSink { [self] entry in
            if entry.path == path { entries.withLock { $0.append(entry) } }
        }
    }

    func stop() -> [SQLLog.Entry] {
        SQLLog.setSink(nil)
        return entries.withLock { $0 }
    }
}

@Suite("Statements can be recorded", .serialized)
struct SQLLogTests {
    @Test("A save of many rows takes few statements, a fault one")
    func statements() throws {
        let store = try TestStore()
        let recorder = SQLRecorder(path: URL(fileURLWithPath: store.path).resolvingSymlinksInPath().path)
        let rows = (1...47).map { LibraryModel.row("Author", Int64(-$0), ["name": .string("Author \($0)")]) }
        _ = try store.backend.commit(ChangeSet(inserted: rows))
        _ = try store.backend.snapshot(for: reference("Author", 1))
        _ = try store.backend.snapshot(for: reference("Author", 2))
        let entries = recorder.stop()
        let inserts = entries.filter { $0.sql.hasPrefix("INSERT INTO ZAUTHOR") }
        #expect(inserts.count == 2 + 7)
        #expect(inserts.last?.expandedSQL?.contains("'Author 47'") == true)
        let faults = entries.drop { !$0.sql.hasPrefix("COMMIT") }.dropFirst().map(\.sql)
        #expect(faults.count { $0.hasPrefix("SELECT") } == 2)
    }
}
