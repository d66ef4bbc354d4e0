import CoreDataSyncCore
import Foundation

/// A server in memory and the time, which tests move.
final class TestServer {
    let server: ZoneServer
    var storage: DictionaryStorage
    /// Milliseconds since the tests began.
    var now: UInt64 = 0
    /// When they began, in milliseconds since 1970: far behind the wall clock, which stamps transactions.
    static let start: UInt64 = 4_000_000_000_000
    /// Whether answers are lost after the server has done what was asked.
    var losesAnswers = false
    var isReachable = true
    /// The bytes of a request that it takes.
    var requestBytes = 4 << 20
    /// Is called with each request that is answered, the time and the answer.
    var record: ((UInt64, SyncRequest, SyncResponse) -> Void)?
    /// The bytes of large values by their hashes.
    var blobs: [BlobHash: Data] = [:]

    init(_ schema: SyncSchema) {
        server = ZoneServer(schema: schema, replica: SyncID(high: 1, low: 1))
        storage = DictionaryStorage(schema: schema)
    }

    var wall: UInt64 { Self.start + now }

    /// Answers as over a network; nil if the request or its answer is lost.
    func answer(_ request: SyncRequest) throws -> SyncResponse? {
        guard isReachable else { return nil }
        let limits = WireLimits(bytes: requestBytes)
        let bytes = CBORWriter.bytes(of: request.wire)
        let request = try SyncRequest(wire: CBORReader.read(bytes, limits: limits))
        let response = try server.answer(request, &storage, milliseconds: wall)
        record?(wall, request, response)
        guard !losesAnswers else { return nil }
        return try SyncResponse(wire: CBORReader.read(CBORWriter.bytes(of: response.wire)))
    }

    /// Returns the living objects of an entity.
    func objects(_ entity: String) -> [ItemState] {
        storage.rows.filter {
            $0.key.object != nil && $0.value.state.entity == entity && $0.value.state.isAlive
        }
        .map(\.value.state)
    }
}
