import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import CoreDataValues
import Foundation
import Synchronization
import Testing

private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    var isRaised: Bool { value.load(ordering: .acquiring) }
    func raise() { value.store(true, ordering: .releasing) }
}

@Suite("Several connections at once leave a consistent store")
struct ConcurrentUseTests {
    /// Returns the changes of one save: a batch of authors, each with a book.
    private static func batch(_ number: Int) -> ChangeSet {
        var rows: [Snapshot] = []
        for index in 0..<50 {
            let author = LibraryModel.row(
                "Author", Int64(-2 * index - 1), ["name": .string("Batch \(number)")])
            rows.append(author)
            rows.append(
                LibraryModel.row("Book", Int64(-2 * index - 2), ["author": .reference(author.reference)]))
        }
        return ChangeSet(inserted: rows)
    }

    private func check(_ store: TestStore) throws {
        #expect(try store.query("PRAGMA integrity_check") == [[.text("ok")]])
        #expect(
            try store.query("SELECT COUNT(*) % 50 FROM ZAUTHOR GROUP BY ZNAME HAVING COUNT(*) % 50 <> 0")
                .isEmpty)
        #expect(
            try store.query("SELECT (SELECT COUNT(*) FROM ZAUTHOR) = (SELECT COUNT(*) FROM ZBOOK)")
                == [[.integer(1)]])
        #expect(
            try store.query(
                "SELECT COUNT(*) FROM ZBOOK WHERE ZAUTHOR NOT IN (SELECT Z_PK FROM ZAUTHOR)") == [
                    [.integer(0)]
                ])
        #expect(
            try store.query(
                """
                SELECT (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Author') \
                >= (SELECT COALESCE(MAX(Z_PK), 0) FROM ZAUTHOR)
                """) == [[.integer(1)]])
    }

    @Test("Two backends that write to one file at once lose nothing")
    func concurrentWriters() async throws {
        let store = try TestStore()
        let backends = [store.backend, try store.reopened()]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for backend in backends {
                group.addTask {
                    for number in 0..<10 { _ = try backend.commit(Self.batch(number)) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.query("SELECT COUNT(*) FROM ZAUTHOR") == [[.integer(1000)]])
        try check(store)
    }

    @Test("While a writer writes, readers see only complete saves")
    func concurrentReaders() async throws {
        let store = try TestStore()
        let backend = store.backend
        let isDone = Flag()
        let query = FetchQuery(entity: LibraryModel.index("Author"), shape: .count)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<20 {
                    do { _ = try backend.commit(Self.batch(number)) } catch { Issue.record(error) }
                }
                isDone.raise()
            }
            for _ in 0..<3 {
                group.addTask {
                    while !isDone.isRaised {
                        do {
                            guard case .count(let count) = try backend.fetch(query) else { continue }
                            #expect(count % 50 == 0)
                        } catch {
                            Issue.record(error)
                        }
                    }
                }
            }
        }
        try check(store)
    }
}
