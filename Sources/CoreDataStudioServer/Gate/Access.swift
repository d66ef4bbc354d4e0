#if Studio
import Synchronization

/// The secrets of one run: the token, the codes of links, the addresses of downloads; and how often one was
/// guessed wrong.
final class Access: Sendable {
    /// Returns the present, for limits in time.
    typealias Now = @Sendable () -> ContinuousClock.Instant

    private struct State {
        var codes: [Secret] = []
        var failures: [ContinuousClock.Instant] = []
    }

    /// Wrong secrets in a minute, after which no code is taken.
    static let mostFailures = 10
    /// Links that were printed and not opened. The oldest end first.
    private static let mostCodes = 8

    let token = Secret()
    private let now: Now
    private let state = Mutex(State())

    init(now: @escaping Now = { .now }) {
        self.now = now
    }

    /// Returns a new code, which is good for one exchange.
    func makeCode() -> String {
        let code = Secret()
        state.withLock { state in
            state.codes.append(code)
            if state.codes.count > Self.mostCodes { state.codes.removeFirst() }
        }
        return code.text
    }

    /// Returns the token for a code, which ends with that.
    func exchange(_ code: String) throws(Refusal) -> String {
        let isKnown = state.withLock { state in
            guard !isBlocked(&state) else { return false }
            guard let index = state.codes.firstIndex(where: { $0.equals(code) }) else { return false }
            state.codes.remove(at: index)
            return true
        }
        guard isKnown else {
            throw refusal(of: "this link was used before, or is of another run of the studio")
        }
        return token.text
    }

    /// Returns whether a token is that of this run. It is so while guessing is blocked, too: otherwise any
    /// program of this machine could keep the user out.
    func admits(token text: String) -> Bool { token.equals(text) }

    /// Notes a failure, and returns the answer to it: 401, or 429 where there were too many in the last
    /// minute.
    func refusal(of reason: String) -> Refusal {
        state.withLock { state in
            if isBlocked(&state) { return Refusal(429, "too many wrong secrets; wait a minute") }
            state.failures.append(now())
            return Refusal(401, reason)
        }
    }

    private func isBlocked(_ state: inout State) -> Bool {
        let start = now().advanced(by: .seconds(-60))
        state.failures.removeAll { $0 <= start }
        return state.failures.count >= Self.mostFailures
    }
}
#endif
