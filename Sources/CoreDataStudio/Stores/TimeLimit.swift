import CoreDataStore
import Dispatch
import Synchronization

/// The time that a query of the page may take.
enum TimeLimit {
    static let seconds = 60

    /// Runs queries under a watch that cancels them when their time is over. Translates their errors for the
    /// page.
    static func run<Result>(
        _ watch: FetchWatch = FetchWatch { _ in }, _ body: () throws -> Result
    ) throws -> Result {
        let timer = Timer(watch)
        do {
            return try withExtendedLifetime(timer) {
                try FetchWatch.$current.withValue(watch) { try body() }
            }
        } catch {
            throw StoreFailures.fetch(error, isTimedOut: timer.hasFired)
        }
    }

    /// Cancels a watch when the time is over, unless the timer is gone by then.
    private final class Timer: Sendable {
        private let fired = Atomic(false)

        init(_ watch: FetchWatch) {
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(TimeLimit.seconds)) { [weak self] in
                guard let self else { return }
                fired.store(true, ordering: .relaxed)
                watch.cancel()
            }
        }

        var hasFired: Bool { fired.load(ordering: .relaxed) }
    }
}

/// Work that blocks its thread, kept away from the threads of tasks.
enum Blocking {
    private static let queue = DispatchQueue(label: "studio.stores", attributes: .concurrent)

    static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result
    {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try body() }) }
        }
    }
}
