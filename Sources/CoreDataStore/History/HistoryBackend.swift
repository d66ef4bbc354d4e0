/// A store that may keep a history of its changes: which rows each transaction inserted, updated and deleted.
package protocol HistoryBackend: StoreBackend {
    /// Whether this store keeps a history.
    var keepsHistory: Bool { get }
    /// Returns the range of the transactions that the history has.
    func historyExtent() throws(StoreError) -> HistoryExtent
    /// Returns whether all transactions that a mark has not seen are still there, and all that it has seen have
    /// happened.
    func keepsHistory(since mark: HistoryMark) throws(StoreError) -> Bool
    /// Returns the transactions that match, oldest first unless the filter sorts.
    func history(_ query: HistoryQuery) throws(StoreError) -> [HistoryTransaction]
    /// Counts the transactions that match, or the changes if the filter is on changes.
    func countHistory(_ query: HistoryQuery) throws(StoreError) -> Int
    /// Deletes the transactions before a position, and returns their number.
    func pruneHistory(before position: HistoryPosition) throws(StoreError) -> Int
}

/// The range of a store's history.
package struct HistoryExtent: Sendable, Equatable {
    /// The number of the oldest transaction that is kept; nil if none is.
    package var first: Int64?
    /// The position after the latest transaction that there ever was.
    package var last: HistoryMark

    package init(first: Int64?, last: HistoryMark) {
        self.first = first
        self.last = last
    }

    /// Returns whether all transactions after the given one are still there, where transactions are numbered in
    /// their order. Returns false as well for a number that was not handed out yet: the store was replaced by an
    /// older copy of itself.
    package func reaches(backTo number: Int64) -> Bool {
        number <= last.number && number + 1 >= first ?? (last.number + 1)
    }
}
