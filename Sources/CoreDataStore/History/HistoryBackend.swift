/// A store that may keep a history of its changes: which rows each transaction inserted, updated and deleted.
package protocol HistoryBackend: StoreBackend {
    /// Whether this store keeps a history.
    var keepsHistory: Bool { get }
    /// Returns the range of the transactions that the history has.
    func historyExtent() throws(StoreError) -> HistoryExtent
    /// Returns the transactions that match, oldest first unless the filter sorts.
    func history(_ query: HistoryQuery) throws(StoreError) -> [HistoryTransaction]
    /// Counts the transactions that match, or the changes if the filter is on changes.
    func countHistory(_ query: HistoryQuery) throws(StoreError) -> Int
    /// Deletes the transactions before a position, and returns their number.
    func pruneHistory(before position: HistoryPosition) throws(StoreError) -> Int
}

/// The range of a store's transaction numbers, which are handed out in order and never again.
package struct HistoryExtent: Sendable, Hashable {
    /// The oldest transaction that is kept; nil if none is.
    package var first: Int64?
    /// The latest transaction that there ever was; 0 before the first.
    package var last: Int64

    package init(first: Int64?, last: Int64) {
        self.first = first
        self.last = last
    }

    /// Returns whether all transactions after the given one are still there. Returns false as well for a
    /// number that was not handed out yet: the store was replaced by an older copy of itself.
    package func reaches(backTo number: Int64) -> Bool {
        number <= last && number + 1 >= first ?? (last + 1)
    }
}
