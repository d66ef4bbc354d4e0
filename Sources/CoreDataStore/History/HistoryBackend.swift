/// A store that may keep a history of its changes: which rows each transaction inserted, updated and deleted.
package protocol HistoryBackend: StoreBackend {
    /// Whether this store does.
    var keepsHistory: Bool { get }
    /// Where its history begins and ends.
    func historyExtent() throws(StoreError) -> HistoryExtent
    /// The transactions that match, oldest first unless the filter sorts.
    func history(_ query: HistoryQuery) throws(StoreError) -> [HistoryTransaction]
    /// How many transactions match, or changes if the filter is on those.
    func countHistory(_ query: HistoryQuery) throws(StoreError) -> Int
    /// Forgets the transactions before a place. How many there were.
    func pruneHistory(before place: HistoryPlace) throws(StoreError) -> Int
}

/// The numbers of the transactions that a store has: they are handed out in order and never again.
package struct HistoryExtent: Sendable, Hashable {
    /// The oldest one kept; nil if none is.
    package var first: Int64?
    /// The latest there ever was; 0 before the first.
    package var last: Int64

    package init(first: Int64?, last: Int64) {
        self.first = first
        self.last = last
    }

    /// Whether everything that came after a transaction is still there. False as well for a number that was not
    /// handed out yet: the store was replaced by an older copy of itself.
    package func reaches(backTo number: Int64) -> Bool {
        number <= last && number + 1 >= first ?? (last + 1)
    }
}
