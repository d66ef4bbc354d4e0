import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import CoreDataValues
import Foundation
import Synchronization
import Testing

@Suite("Logging statements")
struct SQLLogTests {
    /// Returns the statements run on one file during the body.
    private func entries(
        _ store: TestStore, _ detail: SQLLog.Detail, _ body: () throws -> Void
    ) rethrows -> [SQLLogEntry] {
        let collector = Collector(path: URL(fileURLWithPath: store.path).resolvingSymlinksInPath().path)
        let listener = SQLLog.listen(detail) { collector.add($0) }
        defer { listener.stop() }
        try body()
        return collector.entries
    }

    private final class Collector: Sendable {
        private let collected = Mutex<[SQLLogEntry]>([])
        private let path: String

        init(path: String) { self.path = path }

        var entries: [SQLLogEntry] { collected.withLock { $0 } }

        func add(_ entry: SQLLogEntry) {
            if entry.path == path { collected.withLock { $0.append(entry) } }
        }
    }

    private func authors(_ count: Int) -> ChangeSet {
        ChangeSet(
            inserted: (1...count).map {
                LibraryModel.row("Author", Int64(-$0), ["name": .string("Author \($0)")])
            })
    }

    @Test("A save of many rows takes few statements, a fault takes one")
    func statements() throws {
        let store = try TestStore()
        let seen = try entries(store, .bindings) {
            _ = try store.backend.commit(authors(47))
            _ = try store.backend.snapshot(for: reference("Author", 1))
            _ = try store.backend.snapshot(for: reference("Author", 2))
        }
        let inserts = seen.filter { $0.sql.contains("INTO ZAUTHOR") }
        #expect(inserts.count == 2 + 7)
        #expect(inserts.last?.bindings.contains(.text("Author 47")) == true)
        #expect(inserts.first?.outcome == .wrote(20))
        #expect(inserts.last?.outcome == .wrote(1))
        let faults = seen.drop { !$0.sql.hasPrefix("COMMIT") }.filter { $0.sql.hasPrefix("SELECT") }
        #expect(faults.map(\.bindings) == [[.integer(1)], [.integer(2)]])
        #expect(faults.allSatisfy { $0.outcome == .returned(1) && $0.duration > .zero })
        #expect(seen.allSatisfy { $0.rows.isEmpty && $0.plan.isEmpty })
    }

    @Test("Bound values, rows and plans are collected only for listeners that ask for them")
    func details() throws {
        let store = try TestStore()
        _ = try store.backend.commit(authors(3))
        func fault(_ detail: SQLLog.Detail) throws -> SQLLogEntry? {
            try entries(store, detail) { _ = try store.backend.snapshot(for: reference("Author", 2)) }
                .first { $0.sql.hasPrefix("SELECT") }
        }
        let least = try fault(.statements)
        #expect(least?.bindings == [])
        #expect(least?.rows == [])
        #expect(least?.plan == [])
        let rows = try fault(.rows)
        #expect(rows?.bindings == [.integer(2)])
        #expect(rows?.plan == [])
        #expect(rows?.rows.count == 1)
        #expect(rows?.rows.first?.contains(.text("Author 2")) == true)
        #expect(try fault(.plan)?.plan.first?.contains("USING INTEGER PRIMARY KEY") == true)
    }

    @Test("A listener gets only the detail it asked for, even if another one asked for more")
    func severalListeners() throws {
        let store = try TestStore()
        _ = try store.backend.commit(authors(1))
        var least: SQLLogEntry?
        let most = try entries(store, .plan) {
            least = try entries(store, .statements) {
                _ = try store.backend.snapshot(for: reference("Author", 1))
            }.first { $0.sql.hasPrefix("SELECT") }
        }.first { $0.sql.hasPrefix("SELECT") }
        #expect(least?.bindings == [])
        #expect(least?.rows == [])
        #expect(least?.plan == [])
        #expect(most?.bindings == [.integer(1)])
        #expect(most?.rows.count == 1)
        #expect(most?.plan.isEmpty == false)
    }

    @Test("Asking for query plans does not change the reported number of changed rows")
    func countsBesidePlans() throws {
        let store = try TestStore()
        let seen = try entries(store, .plan) {
            _ = try store.backend.commit(authors(1))
            let row = try #require(try store.backend.snapshot(for: reference("Author", 1)))
            _ = try store.backend.commit(
                ChangeSet(deleted: [RowDeletion(reference: row.reference, version: 1, committed: row)]))
        }
        #expect(seen.contains { $0.sql.hasPrefix("INSERT INTO ZAUTHOR") && $0.outcome == .wrote(1) })
        let delete = seen.first { $0.sql.hasPrefix("DELETE FROM ZAUTHOR") }
        #expect(delete?.outcome == .wrote(1))
        #expect(delete?.plan.isEmpty == false)
    }

    @Test("A failing statement is logged with the reason")
    func failure() throws {
        let store = try TestStore()
        let path = store.path
        let seen = entries(store, .statements) {
            let connection = try? SQLiteConnection(path: path, access: .readOnly)
            #expect(throws: SQLError.self) { try connection?.execute("DELETE FROM ZAUTHOR") }
        }
        #expect(seen.last?.outcome == .failed("attempt to write a readonly database"))
    }
}
