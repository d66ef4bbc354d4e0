import CoreDataSync
import CoreDataSyncCore
import Foundation

/// A way to a server for somebody who may only read there.
struct ReadingTransport: SyncTransport {
    let way: any SyncTransport

    func answer(to request: Data) async throws -> Data {
        let request = try SyncRequest(wire: CBORReader.read(Array(request), limits: .trusted))
        switch request {
        case .push, .task: throw SyncDenial(reason: "a reader is not a writer")
        case .pull, .snapshot, .reconcile: break
        }
        return try await way.answer(to: Data(CBORWriter.bytes(of: request.wire)))
    }

    func upload(_ bytes: Data, as name: String) async throws { throw SyncDenial(reason: "a reader") }
    func download(_ name: String) async throws -> Data? { try await way.download(name) }
    var news: AsyncStream<Void> { way.news }
    var role: SyncRole? { get async { .reader } }
}
