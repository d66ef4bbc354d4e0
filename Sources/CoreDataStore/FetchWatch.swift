import Synchronization

/// Follows the fetches of one thread from another: hears of the rows they read, and stops them.
package final class FetchWatch: Sendable {
    /// The watch over the fetches that this thread makes.
    @TaskLocal package static var current: FetchWatch?

    private let cancelled = Atomic<Bool>(false)
    private let rows = Atomic<Int>(0)
    private let report: @Sendable (Int) -> Void

    /// Rows between two reports.
    private static let interval = 100

    /// - Parameter report: hears of the rows read so far, on the thread that reads.
    package init(report: @escaping @Sendable (Int) -> Void) {
        self.report = report
    }

    package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    /// Has the statement under way, and every later one, fail with `StoreError.Kind.cancelled`.
    package func cancel() { cancelled.store(true, ordering: .relaxed) }

    package func noteRow() {
        let count = rows.add(1, ordering: .relaxed).newValue
        if count.isMultiple(of: Self.interval) { report(count) }
    }
}
