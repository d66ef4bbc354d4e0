import CoreDataStore
package import Foundation
import Synchronization

/// The deletion of the oldest part of a history, in the transaction of its caller.
package enum HistoryPruner {
    /// Returns the statements that delete everything before a transaction: changes, transactions, and names
    /// that no other transaction uses.
    package static func statements(before number: Int64, hasStrings: Bool) -> [SQLFragment] {
        var result: [SQLFragment] = [
            "DELETE FROM ACHANGE WHERE ZTRANSACTIONID < \(bind: .integer(number))",
            "DELETE FROM ATRANSACTION WHERE Z_PK < \(bind: .integer(number))",
        ]
        if hasStrings {
            let columns: [SQLText] = ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"]
            let uses = columns.map {
                "NOT EXISTS (SELECT 1 FROM ATRANSACTION t WHERE t.\($0) = s.Z_PK)" as SQLText
            }.joined(separator: " AND ")
            result.append(SQLFragment("DELETE FROM ATRANSACTIONSTRING AS s WHERE \(uses)"))
        }
        return result
    }

    /// Selects the transaction before which everything is to be deleted.
    ///
    /// The history gets no gaps: all that follows the first transaction at or after the date stays, even with
    /// an earlier date, since a clock may have been set back.
    package static func boundary(_ date: Date) -> SQLFragment {
        """
        SELECT COALESCE((SELECT MIN(Z_PK) FROM ATRANSACTION WHERE ZTIMESTAMP >= \
        \(bind: .double(date.timeIntervalSinceReferenceDate))), \
        (SELECT MAX(Z_PK) + 1 FROM ATRANSACTION), 0)
        """
    }

    /// Deletes the history before a position. Returns the number of deleted transactions.
    @discardableResult
    static func prune(
        before position: HistoryPosition,
        hasStrings: Bool,
        on connection: any SQLConnection
    ) throws(SQLError) -> Int {
        let number: Int64 =
            switch position {
            case .mark(let mark): mark.number
            case .date(let date): Int64(try connection.count(boundary(date)))
            }
        let count = try connection.count(
            "SELECT COUNT(*) FROM ATRANSACTION WHERE Z_PK < \(bind: .integer(number))")
        guard count > 0 else { return 0 }
        for statement in statements(before: number, hasStrings: hasStrings) { try connection.run(statement) }
        return count
    }
}

/// How far the registered readers of a history have read it, as the store's metadata say.
struct HistoryConsumers {
    /// The number of the last transaction that every reader has read; nil without a reader.
    let readThrough: Int64?

    /// How long unread history is spared, in seconds.
    private static let longest: TimeInterval = 90 * 86_400

    init(on connection: any SQLConnection) throws(SQLError) {
        var plist: Data?
        try connection.forEachRow(of: Bookkeeping.readMetadata) { row in
            if case .blob(let data) = row.value(at: 1) { plist = data }
        }
        let values = plist.flatMap {
            try? PropertyListSerialization.propertyList(from: $0, format: nil) as? [String: Any]
        }
        let numbers = values?[DatabaseOptions.historyConsumersKey] as? [String: Any]
        readThrough = numbers?.values.compactMap { ($0 as? NSNumber)?.int64Value }.min()
    }

    /// Returns the first transaction that stays if those older than a span go.
    func boundary(_ span: TimeInterval, on connection: any SQLConnection) throws(SQLError) -> Int64 {
        let now = Date()
        let wanted = try connection.count(HistoryPruner.boundary(now.addingTimeInterval(-span)))
        guard let readThrough, readThrough + 1 < wanted else { return Int64(wanted) }
        let spared = try connection.count(HistoryPruner.boundary(now.addingTimeInterval(-Self.longest)))
        return min(Int64(wanted), max(readThrough + 1, Int64(spared)))
    }
}

/// The policy by which a store deletes history as it grows: transactions older than a span are deleted when a
/// later one is recorded, but not each time.
final class HistoryRetention: Sendable {
    private let span: TimeInterval
    private let lastPruning = Mutex<Date?>(nil)

    /// The longest time in seconds between two searches for old transactions, which are cheap, but not free.
    private static let longestInterval: TimeInterval = 3600

    init(_ span: TimeInterval) {
        self.span = span
    }

    func pruneIfDue(_ prune: (_ span: TimeInterval) throws(SQLError) -> Void) throws(SQLError) {
        let now = Date()
        let isDue = lastPruning.withLock { last in
            if let last, abs(now.timeIntervalSince(last)) < min(span / 10, Self.longestInterval) {
                return false
            }
            last = now
            return true
        }
        guard isDue else { return }
        try prune(span)
    }
}
