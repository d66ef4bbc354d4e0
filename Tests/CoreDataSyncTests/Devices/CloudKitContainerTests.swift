import CoreData
import CoreDataSync
import Foundation
import Testing

@Suite("Containers with Apple's name for syncing", .serialized)
struct CloudKitContainerTests {
    private final class Folder: Sendable {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(at: url) }
    }

    private let folder: Folder

    init() throws {
        folder = try Folder()
        NSPersistentCloudKitContainer.syncing = nil
    }

    private func container(
        _ name: String, _ model: NSManagedObjectModel = LibraryModel.make()
    ) -> NSPersistentCloudKitContainer {
        let container = NSPersistentCloudKitContainer(name: name, managedObjectModel: model)
        container.persistentStoreDescriptions[0].url = folder.url.appendingPathComponent("\(name).sqlite")
        return container
    }

    private func load(_ container: NSPersistentCloudKitContainer) throws {
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
    }

    @Test("Without CoreDataSync's options a store is not opened, and the error names the product")
    func unprovided() throws {
        let container = container("a")
        #expect(container.persistentStoreDescriptions[0].cloudKitContainerOptions?.containerIdentifier == "a")
        let error = try #require(throws: (any Error).self) { try load(container) } as NSError
        #expect(error.localizedFailureReason?.contains("the product CoreDataSync") ?? false)
        #expect(container.persistentStoreCoordinator.persistentStores.isEmpty)
        #expect(throws: (any Error).self) { try container.initializeCloudKitSchema() }
        container.persistentStoreDescriptions[0].cloudKitContainerOptions = nil
        try load(container)
        #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
    }

    @Test("Two containers sync what is in them, and tell of it by events")
    func events() async throws {
        let server = try InMemorySyncServer(model: LibraryModel.make())
        SyncDefaults.use { identifier, _ in
            #expect(identifier == "Library")
            return SyncOptions(transport: server.transport)
        }
        let containers = [container("a"), container("b")]
        for container in containers {
            let options = NSPersistentCloudKitContainerOptions(containerIdentifier: "Library")
            container.persistentStoreDescriptions[0].cloudKitContainerOptions = options
            try container.initializeCloudKitSchema(options: .dryRun)
            try load(container)
        }
        let stores = containers.map { $0.persistentStoreCoordinator.persistentStores[0] }
        let synchronizers = try stores.map { try #require(SyncDefaults.synchronizer(of: $0)) }
        let context = containers[0].newBackgroundContext()
        try await context.perform {
            _ = context.insert("Book", ["title": "x"])
            try context.save()
        }
        for synchronizer in synchronizers {
            var isReady = false
            while !isReady {
                do {
                    try await synchronizer.syncNow()
                    isReady = true
                } catch StoreSyncError.stopped { try await Task.sleep(for: .milliseconds(5)) }
            }
        }
        let other = containers[1].newBackgroundContext()
        let titles = try await other.perform {
            try other.all("Book").compactMap { $0.value(forKey: "title") as? String }
        }
        #expect(titles == ["x"])
        #expect(containers[0].canModifyManagedObjects(in: stores[0]))
        #expect(!containers[0].canModifyManagedObjects(in: stores[1]))
        for synchronizer in synchronizers { await synchronizer.stop() }
        var events: [NSPersistentCloudKitContainer.Event] = []
        while !events.contains(where: { $0.type == .export && $0.succeeded }) {
            try await Task.sleep(for: .milliseconds(5))
            events = try await context.perform {
                try Self.events(NSPersistentCloudKitContainerEventRequest(), context)
            }
        }
        #expect(
            events.contains { $0.type == .export && $0.totalCount > 0 && $0.completedCount == $0.totalCount })
        let imports = try await other.perform {
            try Self.events(NSPersistentCloudKitContainerEventRequest(), other).filter { $0.type == .import }
        }
        #expect(imports.contains { $0.totalCount == 1 && $0.completedCount == 1 })
        #expect(events[0].type == .setup)
        #expect(events.allSatisfy { $0.storeIdentifier == stores[0].identifier })
        let fetch = NSPersistentCloudKitContainerEventRequest.fetchRequestForEvents()
        fetch.predicate = NSPredicate(
            format: "type == %d", NSPersistentCloudKitContainer.EventType.export.rawValue)
        fetch.fetchLimit = 1
        let first = try await context.perform {
            try Self.events(NSPersistentCloudKitContainerEventRequest.fetchEvents(matching: fetch), context)
        }
        #expect(first.map(\.type) == [.export])
        let request = NSPersistentCloudKitContainerEventRequest.fetchEvents(after: events[0])
        request.resultType = .countEvents
        let count = try await context.perform {
            try (context.execute(request) as? NSPersistentCloudKitContainerEventResult)?.result as? NSNumber
        }
        #expect(count?.intValue == events.count - 1)
    }

    private static func events(
        _ request: NSPersistentCloudKitContainerEventRequest, _ context: NSManagedObjectContext
    ) throws -> [NSPersistentCloudKitContainer.Event] {
        let result = try context.execute(request) as? NSPersistentCloudKitContainerEventResult
        return result?.result as? [NSPersistentCloudKitContainer.Event] ?? []
    }

    @Test("A container whose user may only read on the server says that its objects cannot be changed")
    func reader() async throws {
        let server = try InMemorySyncServer(model: LibraryModel.make())
        SyncDefaults.use { identifier, _ in
            let way = server.transport
            return SyncOptions(transport: identifier == "a" ? ReadingTransport(way: way) : way)
        }
        for (name, mayChange) in [("a", false), ("b", true)] {
            let container = container(name)
            try load(container)
            let store = container.persistentStoreCoordinator.persistentStores[0]
            let synchronizer = try #require(SyncDefaults.synchronizer(of: store))
            for await status in synchronizer.status { if case .upToDate = status { break } }
            #expect(container.canModifyManagedObjects(in: store) == mayChange)
            let context = container.newBackgroundContext()
            let id = try await context.perform {
                let book = context.insert("Book", ["title": "x"])
                try context.obtainPermanentIDs(for: [book])
                return book.objectID
            }
            #expect(container.canUpdateRecord(forManagedObjectWith: id) == mayChange)
            #expect(container.canDeleteRecord(forManagedObjectWith: id) == mayChange)
            await synchronizer.stop()
        }
    }

    @Test("An event is posted when it begins and when it ends")
    func notifications() async throws {
        let server = try InMemorySyncServer(model: LibraryModel.make())
        SyncDefaults.use { _, _ in SyncOptions(transport: server.transport) }
        let container = container("a")
        let (events, continuation) = AsyncStream<NSPersistentCloudKitContainer.Event>.makeStream()
        let observer = NotificationCenter.default.addObserver(
            forName: NSPersistentCloudKitContainer.eventChangedNotification, object: container, queue: nil
        ) { note in
            let key = NSPersistentCloudKitContainer.eventNotificationUserInfoKey
            if let event = note.userInfo?[key] as? NSPersistentCloudKitContainer.Event {
                continuation.yield(event)
            }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try load(container)
        var setup: [NSPersistentCloudKitContainer.Event] = []
        for await event in events where event.type == .setup {
            setup.append(event)
            if event.endDate != nil { break }
        }
        #expect(setup.map(\.succeeded) == [false, true])
        #expect(Set(setup.map(\.identifier)).count == 1)
        let store = container.persistentStoreCoordinator.persistentStores[0]
        await SyncDefaults.synchronizer(of: store)?.stop()
    }

    @Test("A model that cannot be synced is named by the schema's initialization")
    func schema() throws {
        let server = try InMemorySyncServer(model: LibraryModel.make())
        SyncDefaults.use { _, _ in SyncOptions(transport: server.transport) }
        let model = LibraryModel.make {
            $0["Book"]!.properties.append(LibraryModel.attribute("t", .undefinedAttributeType))
        }
        #expect(throws: StoreSyncError.self) { try container("a", model).initializeCloudKitSchema() }
    }
}
