public import Foundation

/// Which transactions of a history to fetch, and in which order.
public struct HistoryDescriptor<Transaction: HistoryTransaction> {
    /// The condition that transactions meet; nil for all.
    public var predicate: Predicate<Transaction>?
    /// The order; without one, that in which they were written.
    public var sortBy: [SortDescriptor<Transaction>]
    /// The highest number of transactions to fetch; 0 for all.
    public var fetchLimit: UInt64 = 0

    /// Makes a descriptor of a condition and an order.
    public init(predicate: Predicate<Transaction>? = nil, sortBy: [SortDescriptor<Transaction>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
    }
}
