import CoreData
import CoreDataSync
import Foundation
import Testing

@Suite("Synchronizers and containers")
struct SynchronizerTests {
    private final class Folder: Sendable {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(at: url) }
    }

    private let folder: Folder
    private let server: InMemorySyncServer

    init() throws {
        folder = try Folder()
        server = try InMemorySyncServer(model: LibraryModel.make())
    }

    private func container(_ name: String, _ transport: (any SyncTransport)? = nil) throws
        -> PersistentSyncContainer
    {
        var options = SyncOptions(transport: transport ?? server.transport)
        options.debounce = 0.01
        return try .library(name, in: folder.url, sync: options)
    }

    @Test("Two containers show each other's edits after they have synced")
    func containers() async throws {
        let (first, second) = (try container("a"), try container("b"))
        try await first.insertBook("x")
        try await first.synchronizer.syncNow()
        try await second.insertBook("y")
        try await second.synchronizer.syncNow()
        try await first.synchronizer.syncNow()
        #expect(try await first.titles == ["x", "y"])
        #expect(try await second.titles == ["x", "y"])
        #expect(try await first.synchronizer.pendingCount == 0)
        await first.synchronizer.stop()
        await second.synchronizer.stop()
    }

    @Test("Each store of a container is synced in a way of its own, or not at all")
    func severalStores() async throws {
        let servers = ["own": server, "shared": try InMemorySyncServer(model: LibraryModel.make())]
        let container = PersistentSyncContainer(name: "a", managedObjectModel: LibraryModel.make()) {
            let name = $0.url?.deletingPathExtension().lastPathComponent ?? ""
            return servers[name].map { SyncOptions(transport: $0.transport) }
        }
        let names = ["own", "shared", "local"]
        container.persistentStoreDescriptions = names.map {
            NSPersistentStoreDescription(url: folder.url.appendingPathComponent("\($0).sqlite"))
        }
        container.loadPersistentStores { #expect($1 == nil) }
        let stores = container.persistentStoreCoordinator.persistentStores
        let context = container.newBackgroundContext()
        try await context.perform {
            for (store, name) in zip(stores, names) {
                context.assign(context.insert("Book", ["title": name]), to: store)
            }
            try context.save()
        }
        #expect(container.synchronizer(of: stores[2]) == nil)
        for (store, name) in zip(stores, names).dropLast() {
            let synchronizer = try #require(container.synchronizer(of: store))
            try await synchronizer.syncNow()
            let other = try self.container("other of \(name)", servers[name]?.transport)
            try await other.synchronizer.syncNow()
            #expect(try await other.titles == [name])
            await synchronizer.stop()
            await other.synchronizer.stop()
        }
    }

    @Test("Edits of a user who may only read are rejections, and the store gets back what the server has")
    func reader() async throws {
        let first = try container("a")
        let second = try container("b", ReadingTransport(way: server.transport))
        try await first.insertBook("x")
        try await first.synchronizer.syncNow()
        try await second.synchronizer.syncNow()
        #expect(await second.synchronizer.role == .reader)
        try await second.performBackgroundTask { context in
            try context.all("Book")[0].setValue("y", forKey: "title")
            _ = context.insert("Book", ["title": "z"])
            try context.save()
        }
        try await second.synchronizer.syncNow()
        #expect(try await second.titles == ["x"])
        #expect(try await second.synchronizer.pendingCount == 0)
        let rejections = try await second.synchronizer.issues.rejections
        #expect(
            Set(rejections.filter { $0.property == "title" }.map(\.value)) == [.string("y"), .string("z")])
        #expect(rejections.allSatisfy { $0.reason == "a reader is not a writer" })
        try await first.insertBook("w")
        try await first.synchronizer.syncNow()
        try await second.synchronizer.syncNow()
        #expect(try await second.titles == ["w", "x"])
        await first.synchronizer.stop()
        await second.synchronizer.stop()
    }

    @Test("An edit is seen on the other device without being asked for")
    func live() async throws {
        let (first, second) = (try container("a"), try container("b"))
        try await first.synchronizer.syncNow()
        try await second.synchronizer.syncNow()
        try await first.insertBook("x")
        while try await second.titles != ["x"] { try await Task.sleep(for: .milliseconds(10)) }
        await first.synchronizer.stop()
        await second.synchronizer.stop()
    }

    @Test("A view context that merges saves shows an import")
    func merging() async throws {
        let (first, second) = (try container("a"), try container("b"))
        let context = second.newBackgroundContext()
        context.automaticallyMergesChangesFromParent = true
        try await first.insertBook("x")
        try await first.synchronizer.syncNow()
        try await second.synchronizer.syncNow()
        try await first.performBackgroundTask { context in
            try context.all("Book")[0].setValue("y", forKey: "title")
            try context.save()
        }
        let book = try await context.perform { try context.all("Book")[0].objectID }
        try await first.synchronizer.syncNow()
        try await second.synchronizer.syncNow()
        let title = await context.perform { context.object(with: book).value(forKey: "title") as? String }
        #expect(title == "y")
        await first.synchronizer.stop()
        await second.synchronizer.stop()
    }

    @Test("A server that cannot be reached is told, and edits wait")
    func unreachable() async throws {
        let container = try container("a", Unreachable())
        try await container.insertBook("x")
        let synchronizer = await container.synchronizer
        let failure = await #expect(throws: SyncFailure.self) { try await synchronizer.syncNow() }
        #expect(failure?.reason == "Unplugged()")
        #expect(try await synchronizer.pendingCount == 2)
        var isTold = false
        for await status in container.syncStatus {
            guard case .waiting(_, "Unplugged()") = status else { continue }
            isTold = true
            break
        }
        #expect(isTold)
        await synchronizer.stop()
        await #expect(throws: StoreSyncError.stopped) { try await synchronizer.syncNow() }
    }

    private struct Unplugged: Error {}
    private struct Unreachable: SyncTransport {
        func answer(to request: Data) async throws -> Data { throw Unplugged() }
        func upload(_ bytes: Data, as name: String) async throws { throw Unplugged() }
        func download(_ name: String) async throws -> Data? { throw Unplugged() }
        var news: AsyncStream<Void> { AsyncStream { _ in } }
    }
}
