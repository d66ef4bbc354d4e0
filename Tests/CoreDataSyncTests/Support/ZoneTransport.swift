import CoreDataSync
import Foundation
import Synchronization

/// A way that leads to the zone of the user who has logged in.
final class ZoneTransport: SyncTransport {
    private let ways: [String: any SyncTransport]
    private let user: Mutex<String>

    /// - Parameter ways: The ways to the zones of users.
    init(_ ways: [String: any SyncTransport], as user: String) {
        self.ways = ways
        self.user = Mutex(user)
    }

    func logIn(_ user: String) { self.user.withLock { $0 = user } }

    private var way: any SyncTransport { ways[user.withLock { $0 }]! }

    func answer(to request: Data) async throws -> Data { try await way.answer(to: request) }
    func upload(_ bytes: Data, as name: String) async throws { try await way.upload(bytes, as: name) }
    func download(_ name: String) async throws -> Data? { try await way.download(name) }
    var news: AsyncStream<Void> { way.news }
    var zone: String? { user.withLock { $0 + ":Library" } }
}
