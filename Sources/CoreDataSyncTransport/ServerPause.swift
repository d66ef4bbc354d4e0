import Synchronization

/// The time for which a server does not want to be asked (`Retry-After`). Until it is over requests fail here, as they
/// would there.
final class ServerPause: Sendable {
    private struct State {
        var end: ContinuousClock.Instant
        var error: SyncHTTPError
    }

    /// The longest pause that a server, or a proxy before it, may ask for, in seconds.
    static let longest = 3600

    private let state = Mutex<State?>(nil)

    /// Notes what the server has answered.
    func note(_ error: SyncHTTPError, at now: ContinuousClock.Instant = .now) {
        guard let seconds = error.retryAfter, seconds > 0 else { return }
        let end = now.advanced(by: .seconds(min(seconds, Self.longest)))
        state.withLock { $0 = State(end: end, error: error) }
    }

    /// - Throws: The server's last answer, with the seconds that are left, if the pause is not over.
    func check(at now: ContinuousClock.Instant = .now) throws(SyncHTTPError) {
        guard let state = state.withLock({ $0 }), now < state.end else { return }
        let rest = now.duration(to: state.end).components
        throw SyncHTTPError(
            status: state.error.status, reason: state.error.reason,
            retryAfter: Int(rest.seconds) + (rest.attoseconds > 0 ? 1 : 0))
    }
}
