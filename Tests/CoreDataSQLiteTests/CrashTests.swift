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

@Suite("Concurrent writers and killed processes")
struct CrashTests {
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

    /// Checks that every row has its change and every transaction is complete.
    private func checkHistory(_ store: TestStore) throws {
        #expect(
            try store.query(
                """
                SELECT (SELECT COUNT(*) FROM ACHANGE) \
                = (SELECT COUNT(*) FROM ZAUTHOR) + (SELECT COUNT(*) FROM ZBOOK)
                """) == [[.integer(1)]])
        #expect(
            try store.query("SELECT 1 FROM ACHANGE GROUP BY ZTRANSACTIONID HAVING COUNT(*) <> 100").isEmpty)
        #expect(
            try store.query(
                """
                SELECT (SELECT COUNT(*) FROM ATRANSACTION) = (SELECT COUNT(DISTINCT ZTRANSACTIONID) FROM ACHANGE), \
                (SELECT COUNT(*) FROM ATRANSACTION) = (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16002)
                """) == [[.integer(1), .integer(1)]])
    }

    @Test("Two backends that write one file at once lose nothing")
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

    @Test("A reader never sees part of a save while another connection writes")
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

    /// How often the writer, this test binary started again, is killed: `CORE_DATA_TEST_KILLS=300` for the long
    /// run.
    private static let kills =
        ProcessInfo.processInfo.environment["CORE_DATA_TEST_KILLS"].flatMap(Int.init) ?? 2

    @Test(
        "A process killed while saving leaves only complete saves, history included",
        arguments: [false, true])
    func killedWriter(tracksHistory: Bool) throws {
        let store = try TestStore(options: SQLiteStoreOptions(tracksHistory: tracksHistory))
        store.backend.close()
        for _ in 0..<Self.kills {
            let delay = Double.random(in: 0.05...0.25)
            let before = try count(store)
            let (writer, log) = try startWriter(store)
            let latest = Date(timeIntervalSinceNow: 120)
            while writer.isRunning, try count(store) == before, latest.timeIntervalSinceNow > 0 {
                Thread.sleep(forTimeInterval: 0.02)
            }
            // Not `Task.sleep`, which may end a minute late while other tests occupy all threads.
            Thread.sleep(forTimeInterval: delay)
            let isKilled = writer.isRunning
            kill(writer.processIdentifier, SIGKILL)
            writer.waitUntilExit()
            #expect(isKilled, "the writer ended by itself: \(text(of: log))")
            #expect(try count(store) > before)
            try check(store)
            if tracksHistory { try checkHistory(store) }
            _ = try store.reopened().commit(Self.batch(-1))
        }
    }

    /// The writing process, and the file with what it says.
    private func startWriter(_ store: TestStore) throws -> (Process, log: URL) {
        let log = URL(fileURLWithPath: store.folder.file("writer-\(UUID().uuidString).log"))
        try Data().write(to: log)
        let output = try FileHandle(forWritingTo: log)
        let writer = Process()
        writer.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        writer.arguments = ["--testing-library", "swift-testing", "--filter", "endlessWriter"]
        writer.environment = ProcessInfo.processInfo.environment.merging(
            [
                "ENDLESS_WRITER_STORE": store.path,
                "ENDLESS_WRITER_PARENT": String(ProcessInfo.processInfo.processIdentifier),
            ]) { $1 }
        writer.standardOutput = output
        writer.standardError = output
        try writer.run()
        return (writer, log)
    }

    private func text(of file: URL) -> String {
        (try? String(contentsOf: file, encoding: .utf8)) ?? "it left no log"
    }

    private func count(_ store: TestStore) throws -> Int64 {
        guard case .integer(let count) = try store.query("SELECT COUNT(*) FROM ZAUTHOR")[0][0] else {
            return 0
        }
        return count
    }

    @Test(
        "endlessWriter: the body of the process that is killed",
        .enabled(if: ProcessInfo.processInfo.environment["ENDLESS_WRITER_STORE"] != nil))
    func endlessWriter() throws {
        let environment = ProcessInfo.processInfo.environment
        let path = try #require(environment["ENDLESS_WRITER_STORE"])
        // The process that started this one kills it. If that process dies first, even before this runs, the
        // parent is another.
        let parent = try #require(environment["ENDLESS_WRITER_PARENT"].flatMap { pid_t($0) })
        let backend = try SQLiteStores.open(
            at: path, model: LibraryModel.model, layouts: LibraryModel.layouts)
        var number = 0
        while getppid() == parent {
            _ = try backend.commit(Self.batch(number))
            number += 1
        }
    }
}
