import CoreData
import CoreDataSync
import CoreDataSyncCore
import CoreDataSyncServer
import Foundation

/// A device whose store is synced with a zone of a service in the same process.
struct ClientBench {
    let bench: ServerBench
    let folder: String

    /// What a part of the work took for each object. The service runs in the same process and is counted, too.
    struct Result {
        var name: String
        /// Objects a second by the clock, and in a second of processor time.
        var rate: Double
        var processorRate: Double
        /// The most memory of the process meanwhile beyond what it had before, in MiB.
        var peak: Int
    }

    private static func model() -> NSManagedObjectModel {
        let item = NSEntityDescription()
        (item.name, item.managedObjectClassName) = ("Item", "NSManagedObject")
        let types: [(String, NSAttributeType)] = [
            ("title", .stringAttributeType), ("note", .stringAttributeType),
            ("count", .integer64AttributeType), ("price", .doubleAttributeType),
        ]
        item.properties = types.map { name, type in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [item]
        return model
    }

    /// Returns a number of the process's memory in MiB.
    private static func memory(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
        return (line.split(separator: " ").dropLast().last.flatMap { Int($0) } ?? 0) / 1024
    }

    /// Measures a part of the work.
    private func measure(
        _ name: String, _ count: Int, _ body: () async throws -> Void
    ) async throws -> Result {
        // From here on the most memory is counted anew.
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        let before = try Self.memory("VmRSS")
        let (start, processor) = (ContinuousClock.now, clock())
        try await body()
        let used = Double(clock() - processor) / Double(CLOCKS_PER_SEC)
        return Result(
            name: name, rate: Double(count) / (ContinuousClock.now - start).seconds,
            processorRate: Double(count) / used, peak: try Self.memory("VmHWM") - before)
    }

    private func container(_ way: ServiceTransport) async throws -> PersistentSyncContainer {
        var options = SyncOptions(transport: way)
        options.debounce = 0
        let container = PersistentSyncContainer(
            name: "Client", managedObjectModel: Self.model(), sync: options)
        let url = URL(fileURLWithPath: "\(folder)/client.sqlite")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        return container
    }

    /// Syncs an empty store with a zone of so many objects, then edits all of them.
    func download(_ count: Int) async throws -> [Result] {
        let way = try await bench.filledZone(count)
        var container: PersistentSyncContainer?
        let received = try await measure("received", count) {
            container = try await self.container(way)
            try await container?.synchronizer.syncNow()
        }
        guard let container else { return [] }
        try await container.performBackgroundTask { context in
            let request = NSBatchUpdateRequest(entityName: "Item")
            request.propertiesToUpdate = ["count": NSNumber(value: 7), "title": "another"]
            _ = try context.execute(request)
        }
        let synchronizer = await container.synchronizer
        let edited = try await measure("edited", count) { try await synchronizer.syncNow() }
        await synchronizer.stop()
        return [received, edited]
    }

    /// Syncs a store of so many objects with an empty zone.
    func upload(_ count: Int) async throws -> [Result] {
        let url = URL(fileURLWithPath: "\(folder)/client.sqlite")
        let description = NSPersistentStoreDescription(url: url)
        description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
        let plain = NSPersistentContainer(name: "Client", managedObjectModel: Self.model())
        plain.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        plain.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        try await plain.performBackgroundTask { context in
            var number = 0
            let request = NSBatchInsertRequest(
                entityName: "Item",
                dictionaryHandler: { values in
                    guard number < count else { return true }
                    values["title"] = "Title number \(number)"
                    values["note"] = "A note on number \(number), of the usual length"
                    values["count"] = NSNumber(value: number)
                    values["price"] = NSNumber(value: Double(number) / 4)
                    number += 1
                    return false
                })
            _ = try context.execute(request)
        }
        for store in plain.persistentStoreCoordinator.persistentStores {
            try plain.persistentStoreCoordinator.remove(store)
        }
        let way = try await bench.filledZone(0)
        let uploaded = try await measure("uploaded", count) {
            let synchronizer = try await container(way).synchronizer
            try await synchronizer.syncNow()
            await synchronizer.stop()
        }
        return [uploaded]
    }
}

/// A way to a zone of a service in this process.
struct ServiceTransport: SyncTransport {
    let service: SyncService
    let name: ZoneName
    let user: Caller

    func answer(to request: Data) async throws -> Data {
        let request = try SyncRequest(wire: CBORReader.read(Array(request), limits: .trusted))
        return Data(CBORWriter.bytes(of: try await service.answer(request, in: name, by: user).wire))
    }

    func upload(_ bytes: Data, as name: String) async throws { throw ServiceError.broken }
    func download(_ name: String) async throws -> Data? { nil }
    var news: AsyncStream<Void> { AsyncStream { _ in } }
}
