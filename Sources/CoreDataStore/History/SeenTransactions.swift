/// The transactions of a history that have been seen, where many write at the same time, and end in another
/// order than they have begun.
///
/// They are known by the identifiers that the database hands out in the order of their beginnings. One that
/// is in progress while another one is seen is noted as open: it will be new to whoever asks later.
package struct SeenTransactions: Sendable, Hashable {
    /// Everything below it has been seen, except what is open.
    package private(set) var limit: Int64
    /// The transactions below the limit that have not been seen, ascending.
    package private(set) var open: [Int64]
    /// The transactions from the limit on that have been seen, ascending.
    package private(set) var ahead: [Int64]
    /// The time of the transaction with the highest identifier, by which it is recognised: a server that takes
    /// over without its latest transactions hands out their identifiers again. Nil if it is not known.
    package private(set) var time: Double?

    package init(limit: Int64, open: [Int64] = [], ahead: [Int64] = [], time: Double? = nil) {
        self.limit = limit
        self.open = open
        self.ahead = ahead
        self.time = time
    }

    /// The highest identifier that has been seen.
    package var last: Int64 { ahead.last ?? limit - 1 }

    /// The lowest identifier that may not have been seen.
    package var floor: Int64 { open.first ?? limit }

    package func contains(_ id: Int64) -> Bool {
        id < limit ? !open.contains(id) : ahead.contains(id)
    }

    /// Returns everything that either of two has seen.
    package func union(_ other: SeenTransactions) -> SeenTransactions {
        let (low, high) = limit < other.limit ? (self, other) : (other, self)
        let ahead = Set(high.ahead).union(low.ahead).filter { $0 >= high.limit }
        return SeenTransactions(
            limit: high.limit, open: high.open.filter { !low.contains($0) }, ahead: ahead.sorted(),
            time: last < other.last ? other.time : time)
    }
}
