import CoreDataStore

/// The transactions of a concurrent history that a reader has not seen yet, and the position after each of
/// them.
///
/// They come by their numbers, which a transaction gets when it has written its rows: of two that wrote the
/// same row, the second one has the higher number. Their identifiers may be in another order.
struct HistoryProgress {
    private struct Entry {
        let number: Int64
        let id: Int64
        let time: Double
    }

    private let start: HistoryMark?
    private let moment: HistoryMoment
    /// The transactions by number.
    private let entries: [Entry]
    /// For each transaction, that with the highest identifier up to it.
    private var highest: [(id: Int64, time: Double?)] = []
    /// The indexes of transactions of which one before has a higher identifier.
    private var overtaken: [Int] = []

    /// - Parameter start: What the reader has seen; nil for nothing.
    init(
        after start: HistoryMark?, _ moment: HistoryMoment, on connection: any SQLConnection
    ) throws(SQLError) {
        self.start = start
        self.moment = moment
        let condition: SQLFragment =
            (start?.seen).map { " WHERE X >= \(bind: .integer($0.floor))" } ?? ""
        var entries: [Entry] = []
        try connection.forEachRow(
            of: "SELECT Z_PK, X, ZTIMESTAMP FROM ATRANSACTION\(condition) ORDER BY Z_PK"
        ) { row in
            let id = row.integer(at: 1)
            if start?.seen?.contains(id) ?? false { return }
            let time: Double = if case .double(let time) = row.value(at: 2) { time } else { 0 }
            entries.append(Entry(number: row.integer(at: 0), id: id, time: time))
        }
        self.entries = entries
        var top: (id: Int64, time: Double?)? = (start?.seen).map { ($0.last, $0.time) }
        for (index, entry) in entries.enumerated() {
            if let top, entry.id < top.id {
                overtaken.append(index)
            } else {
                top = (entry.id, entry.time)
            }
            highest.append(top ?? (entry.id, entry.time))
        }
    }

    var numbers: [Int64] { entries.map(\.number) }

    /// Returns the position after a transaction and those before it.
    func mark(after number: Int64) -> HistoryMark {
        guard let index = index(of: number) else { return start ?? moment.mark }
        let (last, time) = highest[index]
        var missing: Set<Int64> = []
        for later in overtaken where later > index { missing.insert(entries[later].id) }
        let seen = moment.seen(
            upTo: last, unseen: missing.filter { $0 < last }.sorted(), time: time,
            isSeen: { id in !missing.contains(id) && id <= last })
        return HistoryMark(
            max(number, start?.number ?? 0), seen: (start?.seen).map { $0.union(seen) } ?? seen)
    }

    /// Returns the index of the last transaction up to a number.
    private func index(of number: Int64) -> Int? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].number <= number { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }
}
