public import CoreData
internal import CoreDataSyncCore
internal import Foundation

/// A server in this process, which forgets all when it ends: for tests of apps, and of this framework.
public actor InMemorySyncServer {
    private let server: ZoneServer
    private var storage: DictionaryStorage
    private var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    private var nextListener = 0
    private var blobs: [String: Data] = [:]

    /// Makes an empty server for a model.
    ///
    /// - Throws: `StoreSyncError.model` for what cannot be synced.
    public init(model: NSManagedObjectModel) throws {
        let schema = try ModelBinding(model.entities).schema
        server = ZoneServer(schema: schema, replica: SyncID(high: 1, low: 1))
        storage = DictionaryStorage(schema: schema)
    }

    /// A way to the server.
    public nonisolated var transport: any SyncTransport { Transport(server: self) }

    private func answer(to request: Data) throws -> Data {
        let request = try SyncRequest(wire: CBORReader.read(Array(request), limits: .trusted))
        let before = storage.header.sequence
        let now = UInt64(exactly: max(0, (Date().timeIntervalSince1970 * 1000).rounded(.down))) ?? 0
        let response = try server.answer(request, &storage, milliseconds: now)
        if storage.header.sequence != before { for listener in listeners.values { listener.yield() } }
        return Data(CBORWriter.bytes(of: response.wire))
    }

    private func keep(_ bytes: Data, as name: String) { blobs[name] = bytes }
    private func blob(_ name: String) -> Data? { blobs[name] }

    private func add(_ listener: AsyncStream<Void>.Continuation) {
        nextListener += 1
        let number = nextListener
        listeners[number] = listener
        listener.onTermination = { _ in Task { await self.remove(number) } }
    }

    private func remove(_ number: Int) { listeners[number] = nil }

    private struct Transport: SyncTransport {
        let server: InMemorySyncServer

        func answer(to request: Data) async throws -> Data { try await server.answer(to: request) }

        func upload(_ bytes: Data, as name: String) async throws { await server.keep(bytes, as: name) }

        func download(_ name: String) async throws -> Data? { await server.blob(name) }

        var news: AsyncStream<Void> {
            AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
                Task { await server.add(continuation) }
            }
        }
    }
}
