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

    /// Has a body look at the open documents from time to time, until the task is cancelled; nil without an interval.
    func look(
        every interval: Duration?, _ body: @escaping @Sendable ([Session]) async -> Void
    ) -> Task<Void, Never>? {
        interval.map { interval in
            // A task that is cancelled ends its sleep.
            Task { while (try? await Task.sleep(for: interval)) != nil { await body(self.all) } }
        }
    }
}
