import CoreData
import CoreDataSync
import Foundation
import Synchronization
import Testing

@Suite("What one device does for all")
struct TaskTests {
    private struct Failure: Error {}

    private final class Counter: Sendable { let count = Mutex(0) }

    /// Two containers that sync with one server, in a folder that goes with them.
    private final class Two: Sendable {
        let first: PersistentSyncContainer
        let second: PersistentSyncContainer
        private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

        init(reading: Bool = false) throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let way = try InMemorySyncServer(model: LibraryModel.make()).transport
            let other: any SyncTransport = reading ? ReadingTransport(way: way) : way
            first = try .library("a", in: folder, sync: SyncOptions(transport: way))
            second = try .library("b", in: folder, sync: SyncOptions(transport: other))
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func stop() async {
            await first.synchronizer.stop()
            await second.synchronizer.stop()
        }
    }

    /// Doubles the title of each book, which must not happen twice.
    private static func double(_ context: NSManagedObjectContext) throws {
        for book in try context.all("Book") {
            let title = book.value(forKey: "title") as? String ?? ""
            book.setValue(title + title, forKey: "title")
        }
    }

    @Test("Code runs on one of two devices, which has what both have saved, and both get what it saves")
    func once() async throws {
        let two = try Two()
        try await two.first.insertBook("x")
        try await two.first.synchronizer.syncNow()
        try await two.second.insertBook("y")
        try await two.second.synchronizer.syncNow()
        let runs = Counter()
        let run: @Sendable (PersistentSyncContainer) async throws -> Bool = { container in
            try await container.synchronizer.syncOnce("double") { context in
                runs.count.withLock { $0 += 1 }
                try Self.double(context)
            }
        }
        async let one = run(two.first)
        async let other = run(two.second)
        // One of both may be told that the other is at it.
        #expect(try await [one, other].contains(true))
        for container in [two.first, two.second] { #expect(try await run(container)) }
        #expect(runs.count.withLock { $0 } == 1)
        for container in [two.first, two.second] {
            try await container.synchronizer.syncNow()
            #expect(try await container.titles == ["xx", "yy"])
        }
        await two.stop()
    }

    @Test("Code that throws has saved nothing, and leaves the task to another device")
    func failing() async throws {
        let two = try Two()
        try await two.first.insertBook("x")
        await #expect(throws: Failure.self) {
            try await two.first.synchronizer.syncOnce("double") { context in
                try Self.double(context)
                throw Failure()
            }
        }
        #expect(try await two.first.titles == ["x"])
        #expect(try await two.second.synchronizer.syncOnce("double", Self.double))
        try await two.first.synchronizer.syncNow()
        #expect(try await two.first.titles == ["xx"])
        await two.stop()
    }

    @Test("A name that is none, a user who may only read and a stopped synchronizer are errors; no code runs")
    func errors() async throws {
        let two = try Two(reading: true)
        func fails(_ name: String, _ container: PersistentSyncContainer) async throws -> String {
            do {
                try await container.synchronizer.syncOnce(name) { _ in Issue.record("it has run") }
                return ""
            } catch let failure as SyncFailure {
                return failure.reason
            }
        }
        #expect(try await fails("", two.first) == "the name of a task has one to 200 bytes")
        #expect(try await fails("x", two.second) == "a reader is not a writer")
        await two.stop()
        await #expect(throws: StoreSyncError.stopped) {
            try await two.first.synchronizer.syncOnce("x") { _ in Issue.record("it has run") }
        }
    }
}
