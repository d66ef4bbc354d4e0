import Synchronization

/// A watch over the fetches of one thread from another thread: it reports the number of rows they read, and
/// can cancel them.
package final class FetchWatch: Sendable {
    /// The watch over the fetches of the present task or thread.
    @TaskLocal package static var current: FetchWatch?

    private let cancelled = Atomic<Bool>(false)
    private let rows = Atomic<Int>(0)
    private let report: @Sendable (Int) -> Void
    /// Ends what runs now, where that takes another thread; nil if nothing runs or the runner looks itself.
    private let cancellation = Mutex<(@Sendable () -> Void)?>(nil)

    /// The number of rows between two reports.
    private static let interval = 100

    /// - Parameter report: Is called with the number of rows read so far, on the thread that reads.
    package init(report: @escaping @Sendable (Int) -> Void) {
        self.report = report
    }

    package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    /// Makes the running statement and every later one fail with `StoreError.Kind.cancelled`.
    package func cancel() {
        cancelled.store(true, ordering: .relaxed)
        cancellation.withLock { $0 }?()
    }

    /// Has a function called by `cancel`, for a driver that waits for a server instead of looking at
    /// `isCancelled`.
    package func setCancellation(_ cancel: (@Sendable () -> Void)?) {
        cancellation.withLock { $0 = cancel }
    }

    package func noteRow() {
        let count = rows.add(1, ordering: .relaxed).newValue
        if count.isMultiple(of: Self.interval) { report(count) }
    }
}
