import CoreDataStore
import Foundation

/// The state of a concurrent history at one moment: which transactions a snapshot of the database sees, which
/// are deleted, and which are still in progress.
struct HistoryMoment {
    /// The number of the oldest transaction that is kept; nil if none is.
    private(set) var first: Int64?
    /// The highest number among the visible and the deleted transactions.
    private var lastNumber: Int64 = 0
    /// The highest number and the highest identifier of deleted transactions.
    private(set) var deletedNumber: Int64 = 0
    private(set) var deletedID: Int64 = 0
    /// The identifier and the time of the visible transaction with the highest identifier.
    private var top: (id: Int64, time: Double)?
    private let snapshot: DatabaseSnapshot
    /// On a server that only follows another, the visible transactions above the lowest identifier in progress.
    private let visible: [Int64]?

    /// Reads the moment of the connection's transaction.
    init(on connection: any SQLConnection) throws(SQLError) {
        var cells: [SQLValue] = []
        try connection.forEachRow(of: Self.query) { row in
            cells = (0..<8).map { row.value(at: $0) }
        }
        guard cells.count == 8 else { throw Self.unreadable }
        guard case .text(let text) = cells[0], let snapshot = DatabaseSnapshot(text) else {
            throw Self.unreadable
        }
        self.snapshot = snapshot
        visible = cells[1].text.map { $0.split(separator: ",").compactMap { Int64($0) } }
        if let id = cells[2].integer { top = (id, cells[3].double ?? 0) }
        first = cells[4].integer
        deletedNumber = cells[6].integer ?? 0
        deletedID = cells[7].integer ?? 0
        lastNumber = max(cells[5].integer ?? 0, deletedNumber)
    }

    /// A server that follows another one does not know which transactions are in progress, only which is the
    /// first of them.
    private static let query: SQLFragment = """
        SELECT CAST(s.now AS text), CASE WHEN pg_is_in_recovery() THEN array_to_string(ARRAY(\
        SELECT X FROM ATRANSACTION WHERE X >= CAST(CAST(pg_snapshot_xmin(s.now) AS text) AS bigint) \
        ORDER BY X), ',') END, t.X, t.ZTIMESTAMP, \
        (SELECT MIN(Z_PK) FROM ATRANSACTION), (SELECT MAX(Z_PK) FROM ATRANSACTION), \
        (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(HistorySchema.transactionNumber)), \
        (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(HistorySchema.changeNumber)) \
        FROM (SELECT pg_current_snapshot() AS now) AS s LEFT JOIN LATERAL \
        (SELECT X, ZTIMESTAMP FROM ATRANSACTION ORDER BY X DESC LIMIT 1) AS t ON true
        """

    static let unreadable = SQLError(
        kind: .other, message: "the database did not tell which transactions are in progress",
        sql: nil)

    // MARK: Questions

    /// The position that has seen all that is visible.
    var mark: HistoryMark {
        HistoryMark(lastNumber, seen: seen(upTo: max(top?.id ?? 0, deletedID), unseen: [], time: top?.time))
    }

    /// The position before the first transaction that is kept.
    var beginning: HistoryMark { HistoryMark(0, seen: SeenTransactions(limit: deletedID + 1)) }

    /// Returns what has been seen by whoever has seen all that is visible except some.
    ///
    /// - Parameters:
    ///   - last: The highest identifier that has been seen.
    ///   - unseen: The visible ones that have not, ascending, as far as they are lower than that.
    ///   - isSeen: Whether a visible one above the lowest in progress has been seen.
    func seen(
        upTo last: Int64, unseen: [Int64], time: Double?, isSeen: (Int64) -> Bool = { _ in true }
    ) -> SeenTransactions {
        if let visible {
            let limit = min(snapshot.lowest, last + 1)
            return SeenTransactions(
                limit: limit, open: unseen.filter { $0 < limit },
                ahead: visible.filter { $0 >= limit && isSeen($0) }, time: time)
        }
        return SeenTransactions(
            limit: last + 1, open: (snapshot.open + unseen).filter { $0 <= last }.sorted(), time: time)
    }

    /// Returns whether all that a mark has not seen is still there, and all that it has seen has happened.
    ///
    /// A server that has taken over from another one may lack the latest transactions, and gives their
    /// identifiers to others. As long as the transaction with the highest identifier is there, it has given
    /// away none that the mark has seen.
    func keeps(since mark: HistoryMark, on connection: any SQLConnection) throws(SQLError) -> Bool {
        guard let seen = mark.seen, deletedNumber <= mark.number || deletedID < seen.floor else {
            return false
        }
        var time: Double?
        try connection.forEachRow(
            of: "SELECT ZTIMESTAMP FROM ATRANSACTION WHERE X = \(bind: .integer(seen.last))"
        ) { row in time = row.value(at: 0).double }
        if let time { return time == seen.time }
        // A server that follows another one may not have got it yet.
        return seen.last <= deletedID || visible != nil && seen.last >= snapshot.lowest
    }
}

/// The answer to the insertion of a transaction: its own identity, and what it sees.
struct HistoryEntry {
    let mark: HistoryMark

    /// - Parameter cells: Number, identifier, time, snapshot, and identifier and time of the visible transaction
    ///   with the highest identifier.
    init?(_ cells: [SQLValue]) {
        guard cells.count == 6, let number = cells[0].integer, let id = cells[1].integer,
            case .text(let text) = cells[3], let snapshot = DatabaseSnapshot(text)
        else { return nil }
        let others = cells[4].integer ?? 0
        let seen = SeenTransactions(
            limit: max(id, others) + 1,
            open: snapshot.notEnded(upTo: max(id, others)).filter { $0 != id },
            time: others > id ? cells[5].double : cells[2].double)
        mark = HistoryMark(number, seen: seen)
    }
}

/// A snapshot of the database: which transactions it sees as ended.
private struct DatabaseSnapshot {
    /// All transactions below it have ended.
    let lowest: Int64
    /// No transaction from here on has ended.
    private let limit: Int64
    /// The transactions between, that had not ended.
    let open: [Int64]

    /// Reads the database's own form: `10:20:10,14,15`.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let lowest = Int64(parts[0]), let limit = Int64(parts[1]) else { return nil }
        self.lowest = lowest
        self.limit = limit
        open = parts[2].split(separator: ",").compactMap { Int64($0) }
    }

    /// Returns the transactions up to one that have not ended.
    func notEnded(upTo last: Int64) -> [Int64] {
        open.filter { $0 <= last } + (limit <= last ? Array(limit...last) : [])
    }
}

extension SQLValue {
    fileprivate var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
    fileprivate var double: Double? {
        switch self {
        case .double(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
    }
}
