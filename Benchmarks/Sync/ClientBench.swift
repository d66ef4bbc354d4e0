import CoreData
import CoreDataSync
import CoreDataSyncCore
import CoreDataSyncServer
import Foundation

/// A device whose store is synced with a zone of a service in the same process.
struct ClientBench {
    let bench: ServerBench
    let folder: String

    /// What was measured, as rows of a table.
    struct Result {
        var objects: Int
        /// Objects a second: of the first sync, and of the reading of edits that are in every object.
        var received: Double
        var captured: Double
        /// The growth of the process's memory by the first sync, and the most that it had meanwhile, in MiB.
        var memory: Int
        var peak: Int
        /// The bytes of the ledger's file.
        var ledger: Int
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

    /// Syncs an empty store with a zone of so many objects, then edits all of them.
    func run(_ count: Int) async throws -> Result {
        let way = try await bench.filledZone(count)
        let url = URL(fileURLWithPath: "\(folder)/client.sqlite")
        var options = SyncOptions(transport: way)
        options.debounce = 0
        let container = PersistentSyncContainer(
            name: "Client", managedObjectModel: Self.model(), sync: options)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        let before = try Self.memory("VmRSS")
        let start = ContinuousClock.now
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        let synchronizer = await container.synchronizer
        try await synchronizer.syncNow()
        let received = Double(count) / (ContinuousClock.now - start).seconds
        let (after, peak) = (try Self.memory("VmRSS"), try Self.memory("VmHWM"))

        let capture = Task {
            for await status in synchronizer.status {
                if case .pushing = status { return ContinuousClock.now }
            }
            return ContinuousClock.now
        }
        try await container.performBackgroundTask { context in
            let request = NSBatchUpdateRequest(entityName: "Item")
            request.propertiesToUpdate = ["count": NSNumber(value: 7), "title": "another"]
            _ = try context.execute(request)
        }
        let edited = ContinuousClock.now
        let pushed = Task { try await synchronizer.syncNow() }
        let captured = Double(count) / (await capture.value - edited).seconds
        _ = await pushed.result
        await synchronizer.stop()
        let ledger = "\(folder)/client.sync.sqlite"
        let size = try FileManager.default.attributesOfItem(atPath: ledger)[.size] as? Int ?? 0
        return Result(
            objects: count, received: received, captured: captured, memory: after - before, peak: peak,
            ledger: size)
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
