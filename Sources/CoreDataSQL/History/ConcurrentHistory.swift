import CoreDataStore
import Foundation

/// The statements of a concurrent history besides those that read it.
package enum ConcurrentHistory {
    /// The sequences of the keys of transactions and changes.
    private static let keys = KeySequences.name(for: HistorySchema.transactions)
    private static let changeKeys = KeySequences.name(for: HistorySchema.changes)

    /// Spells the number of the transaction that the session has added last.
    static let currentNumber: SQLText = "currval(\(quoting: keys.spelling))"

    /// Spells the answer to the insertion of a transaction (`HistoryEntry`).
    static let entry: SQLText = """
        Z_PK, X, ZTIMESTAMP, CAST(pg_current_snapshot() AS text), \
        (SELECT t.X FROM ATRANSACTION AS t ORDER BY t.X DESC LIMIT 1), \
        (SELECT t.ZTIMESTAMP FROM ATRANSACTION AS t ORDER BY t.X DESC LIMIT 1)
        """

    // MARK: Tables

    /// The definition of the key of transactions, or of changes, which the database draws.
    static func key(of table: SQLIdentifier) -> SQLText {
        let sequence = KeySequences.name(for: table)
        return "bigint PRIMARY KEY DEFAULT nextval(\(quoting: sequence.spelling))"
    }

    /// The columns of a transaction that the database fills: its identifier, and its time by the clock of the
    /// server, since those of programs differ.
    static let columns: [SQLText] = [
        "ZTIMESTAMP double precision NOT NULL DEFAULT \(now)",
        "X bigint NOT NULL DEFAULT CAST(CAST(pg_current_xact_id() AS text) AS bigint)",
    ]
    static let index: SQLFragment = "CREATE INDEX ATRANSACTION_X_INDEX ON ATRANSACTION (X)"

    private static let now: SQLText =
        "CAST(extract(epoch FROM clock_timestamp()) - 978307200 AS double precision)"

    static let sequences: [SQLFragment] = [keys, changeKeys].map { SQLFragment("CREATE SEQUENCE \($0)") }
    static let ownership: [SQLFragment] = [
        "ALTER SEQUENCE \(keys) OWNED BY ATRANSACTION.Z_PK",
        "ALTER SEQUENCE \(changeKeys) OWNED BY ACHANGE.Z_PK",
    ]

    // MARK: Another database

    /// The condition that a history was put into a database that hands out lower identifiers than it has.
    package static let isForeign: SQLFragment = """
        SELECT 1 WHERE EXISTS (SELECT 1 FROM ATRANSACTION WHERE X >= \(nextID)) OR EXISTS \
        (SELECT 1 FROM Z_PRIMARYKEY WHERE Z_ENT = \(HistorySchema.changeNumber) AND Z_MAX >= \(nextID))
        """

    private static let nextID: SQLText =
        "CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text) AS bigint)"

    /// Gives such transactions identifiers below all others, in the order of their numbers.
    package static let adoption: [SQLFragment] = [
        "UPDATE ATRANSACTION SET X = Z_PK - 4611686018427387904 WHERE X >= \(nextID)",
        """
        UPDATE Z_PRIMARYKEY SET Z_MAX = 0 \
        WHERE Z_ENT = \(HistorySchema.changeNumber) AND Z_MAX >= \(nextID)
        """,
    ]

    // MARK: Deleting

    /// Deletes the history before a position. Returns the number of deleted transactions.
    ///
    /// Keeps what a reader at the position may not have seen: everything from the first transaction on that was
    /// in progress then.
    static func prune(
        before position: HistoryPosition, on connection: any SQLConnection
    ) throws(SQLError) -> Int {
        let number: Int64
        let id: Int64
        switch position {
        case .mark(let mark):
            guard let seen = mark.seen else { return 0 }
            (number, id) = (mark.number, seen.floor)
        case .date(let date):
            number = Int64(try connection.count(HistoryPruner.boundary(date)))
            id = Int64(
                try connection.count(
                    "SELECT CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS bigint)"))
        }
        let condition: SQLFragment = "Z_PK < \(bind: .integer(number)) AND X < \(bind: .integer(id))"
        let count = try connection.count("SELECT COUNT(*) FROM ATRANSACTION WHERE \(condition)")
        guard count > 0 else { return 0 }
        // Another program that deletes history at the same time waits here.
        for (entity, column) in [
            (HistorySchema.transactionNumber, "Z_PK"), (HistorySchema.changeNumber, "X"),
        ] as [(Int64, SQLText)] {
            try connection.run(
                """
                UPDATE Z_PRIMARYKEY SET Z_MAX = GREATEST(Z_MAX, \
                (SELECT MAX(\(column)) FROM ATRANSACTION WHERE \(condition))) WHERE Z_ENT = \(entity)
                """)
        }
        try connection.run(
            """
            DELETE FROM ACHANGE WHERE ZTRANSACTIONID IN (SELECT Z_PK FROM ATRANSACTION WHERE \(condition))
            """)
        try connection.run("DELETE FROM ATRANSACTION WHERE \(condition)")
        return count
    }

    /// Deletes what is older than a number of seconds, by the clock of the server.
    static func prune(olderThan span: TimeInterval, on connection: any SQLConnection) throws(SQLError) {
        var clock: Double?
        try connection.forEachRow(of: "SELECT \(SQLFragment(now))") { row in
            if case .double(let seconds) = row.value(at: 0) { clock = seconds }
        }
        guard let clock else { return }
        _ = try prune(before: .date(Date(timeIntervalSinceReferenceDate: clock - span)), on: connection)
    }
}
