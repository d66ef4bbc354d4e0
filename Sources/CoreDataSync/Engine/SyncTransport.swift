public import Foundation

/// The way to a server.
///
/// Requests and answers are bytes that only synchronizers and servers read. A request may get lost, arrive
/// late or twice; its sender repeats it.
public protocol SyncTransport: Sendable {
    /// Sends a request to the server, and returns its answer.
    ///
    /// - Throws: `SyncDenial` if the user may not write what the request has; `SyncOutdated` if the app is too old for the
    ///   server. Whatever else keeps the answer from
    ///   coming: the request is repeated later.
    func answer(to request: Data) async throws -> Data

    /// Sends the bytes of a large value, unless the server has them. Called before a request names them.
    ///
    /// - Parameters:
    ///   - bytes: The value.
    ///   - name: The SHA-256 of the bytes, in small hexadecimal digits.
    func upload(_ bytes: Data, as name: String) async throws

    /// Returns the bytes of a large value; nil if the server does not have them.
    func download(_ name: String) async throws -> Data?

    /// Elements as often as the server has news from other devices. Missed ones cost time only.
    var news: AsyncStream<Void> { get }

    /// What the user may do, as the server has said last; nil as long as it has not.
    var role: SyncRole? { get async }

    /// The whole name of what the store is synced with, which is that of no other user's; nil if there is none.
    ///
    /// A store that was synced with another zone is not synced with this one before the app has decided
    /// (`SyncStatus.elsewhere(zone:)`).
    var zone: String? { get async throws }
}

extension SyncTransport {
    /// Nil: the server does not say.
    public var role: SyncRole? { get async { nil } }

    /// Nil: there is only one.
    public var zone: String? { get async throws { nil } }
}
