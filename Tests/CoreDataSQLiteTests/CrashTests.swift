import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import CoreDataValues
import Foundation
import Synchronization
import Testing

#if canImport(Glibc)
import Glibc
#endif

private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    var isRaised: Bool { value.load(ordering: .acquiring) }
    func raise() { value.store(true, ordering: .releasing) }
}

@Suite("Several writers and sudden deaths leave a consistent store")
struct CrashTests {
    /// What a save in these tests writes: a batch of authors, each with a book.
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

    @Test("Two backends writing one file at once lose nothing")
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

    @Test("Readers see whole saves only, while a writer writes")
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

    /// The same test binary, started again, writes until it is killed.
    @Test("A process killed in the middle of its saves leaves whole saves only")
    func killedWriter() async throws {
        let store = try TestStore()
        store.backend.close()
        for delay in [0.1, 0.25] {
            let writer = Process()
            writer.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            writer.arguments = ["--testing-library", "swift-testing", "--filter", "endlessWriter"]
            writer.environment = ProcessInfo.processInfo.environment.merging(
                ["ENDLESS_WRITER_STORE": store.path]) { $1 }
            writer.standardOutput = FileHandle.nullDevice
            writer.standardError = FileHandle.nullDevice
            let before = try count(store)
            try writer.run()
            for _ in 0..<300 where try count(store) == before && writer.isRunning {
                try await Task.sleep(for: .milliseconds(20))
            }
            try await Task.sleep(for: .seconds(delay))
            kill(writer.processIdentifier, SIGKILL)
            writer.waitUntilExit()
            #expect(try count(store) > before)
            try check(store)
            _ = try store.reopened().commit(Self.batch(-1))
        }
    }

    private func count(_ store: TestStore) throws -> Int64 {
        guard case .integer(let count) = try store.query("SELECT COUNT(*) FROM ZAUTHOR")[0][0] else {
            return 0
        }
        return count
    }

    @Test(
        "endlessWriter: runs in the process that is killed",
        .enabled(if: ProcessInfo.processInfo.environment["ENDLESS_WRITER_STORE"] != nil))
    func endlessWriter() throws {
        let path = try #require(ProcessInfo.processInfo.environment["ENDLESS_WRITER_STORE"])
        let backend = try SQLiteStores.open(
            at: path, model: LibraryModel.model, layouts: LibraryModel.layouts)
        // Whoever started this kills it; a minute is for the case that he died first.
        let end = Date(timeIntervalSinceNow: 60)
        for number in 0..<1_000_000 where end.timeIntervalSinceNow > 0 {
            _ = try backend.commit(Self.batch(number))
        }
    }
}
