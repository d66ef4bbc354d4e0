/// A position in the history of one store, up to which everything has been seen.
package struct HistoryMark: Sendable, Hashable {
    /// The highest number among the transactions that have been seen.
    package var number: Int64
    /// The transactions that have been seen; nil where these are those up to the number.
    package var seen: SeenTransactions?

    package init(_ number: Int64, seen: SeenTransactions? = nil) {
        self.number = number
        self.seen = seen
    }
}

extension HistoryMark {
    /// The mark as a text, for archives: the number, and what else has to be known of the transactions that
    /// have been seen.
    package var text: String {
        guard let seen else { return "\(number)" }
        func list(_ ids: [Int64]) -> String { ids.map(String.init).joined(separator: ",") }
        let time = seen.time.map { String($0.bitPattern, radix: 16) } ?? ""
        return "\(number):\(seen.limit):\(list(seen.open)):\(list(seen.ahead)):\(time)"
    }

    /// Reads a text; nil if it is none of a mark.
    package init?(text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let number = Int64(parts[0]) else { return nil }
        if parts.count == 1 {
            self.init(number)
            return
        }
        guard parts.count == 5, let limit = Int64(parts[1]), limit > .min else { return nil }
        func list(_ part: Substring) -> [Int64]? {
            let words = part.split(separator: ",")
            let ids = words.compactMap { Int64($0) }
            return ids.count == words.count && ids == ids.sorted() ? ids : nil
        }
        guard let open = list(parts[2]), let ahead = list(parts[3]),
            (open.last ?? .min) < limit, limit <= (ahead.first ?? .max)
        else { return nil }
        var time: Double?
        if !parts[4].isEmpty {
            guard let bits = UInt64(parts[4], radix: 16) else { return nil }
            time = Double(bitPattern: bits)
        }
        self.init(number, seen: SeenTransactions(limit: limit, open: open, ahead: ahead, time: time))
    }
}
