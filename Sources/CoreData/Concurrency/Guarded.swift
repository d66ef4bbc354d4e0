import Synchronization

/// State behind a lock, for state whose parts are used on after they have left the lock.
///
/// `Mutex` allows that only for what is `Sendable`, and objects and rows are not: its user answers for what
/// leaves the lock.
final class Guarded<State>: @unchecked Sendable {
    private let mutex = Mutex(())
    @exclusivity(unchecked) private var state: State

    init(_ state: State) {
        self.state = state
    }

    @inline(__always)
    func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        var result: Result?
        try mutex.withLock { _ in result = try body(&state) }
        return result!
    }
}
