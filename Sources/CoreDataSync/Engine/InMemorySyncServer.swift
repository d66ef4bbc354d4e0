public import CoreData
internal import CoreDataSyncCore
internal import Foundation

/// A server in this process, which forgets all when it ends: for tests of apps, and of this framework.
public actor InMemorySyncServer {
    private let server: ZoneServer
    private var storage: DictionaryStorage
    /// Where the zone stands.
    private let board = Board<UInt64>()
    private var blobs: [String: Data] = [:]

    /// Makes an empty server for a model.
    ///
    /// - Throws: `StoreSyncError.model` for what cannot be synced.
    public init(model: NSManagedObjectModel) throws {
        let schema = try ModelBinding(model.entities).schema
        server = ZoneServer(schema: schema, replica: SyncID(high: 1, low: 1))
        storage = DictionaryStorage(schema: schema)
        // A store that another server of this kind has synced brings what it has, instead of losing it here.
        storage.header.epoch = .random(in: 1...1 << 40)
    }

    /// A way to the server.
    public nonisolated var transport: any SyncTransport { Transport(server: self) }

    private func answer(to request: Data) throws -> Data {
        let request = try SyncRequest(wire: CBORReader.read(Array(request), limits: .trusted))
        let now = UInt64(exactly: max(0, (Date().timeIntervalSince1970 * 1000).rounded(.down))) ?? 0
        let response = try server.answer(request, &storage, milliseconds: now)
        board.post(storage.header.sequence)
        return Data(CBORWriter.bytes(of: response.wire))
    }

    private func keep(_ bytes: Data, as name: String) { blobs[name] = bytes }
    private func blob(_ name: String) -> Data? { blobs[name] }

    private struct Transport: SyncTransport {
        let server: InMemorySyncServer

        func answer(to request: Data) async throws -> Data { try await server.answer(to: request) }

        func upload(_ bytes: Data, as name: String) async throws { await server.keep(bytes, as: name) }

        func download(_ name: String) async throws -> Data? { await server.blob(name) }

        var news: AsyncStream<Void> { server.board.stream(keeping: 1) { _ in () } }
    }
}
