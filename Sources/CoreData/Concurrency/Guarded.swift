import Synchronization

/// State behind a lock, with parts that are still used after the lock is released.
///
/// `Mutex` allows that only for `Sendable` values, and objects and rows are not: the type that uses `Guarded`
/// is responsible for the parts that leave the lock.
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
