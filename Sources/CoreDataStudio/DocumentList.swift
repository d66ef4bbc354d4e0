import Synchronization

/// The open documents of one kind, in the order in which they were opened.
final class DocumentList<Session: Sendable>: Sendable {
    private let state = Mutex<(sessions: [Session], count: Int)>(([], 0))

    var all: [Session] { state.withLock { $0.sessions } }

    /// Opens one more.
    ///
    /// - Parameter session: Makes its session, given a number that no other one has.
    func open(_ session: (Int) throws -> Session) rethrows -> Session {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        let new = try session(number)
        state.withLock { $0.sessions.append(new) }
        return new
    }
}
