import CoreDataLibpq
import CoreDataSQL
import CoreDataStore

/// A session with a server, as the SQL layer uses it.
///
/// One thread uses it at a time, which its pool sees to. Therefore `@unchecked Sendable` is true.
final class Session: SQLConnection, @unchecked Sendable {
    let connection: PostgreSQLConnection
    /// The place of the database, without user and password.
    var place: String { connection.options.description }

    init(_ connection: PostgreSQLConnection) {
        self.connection = connection
    }

    func prepare(_ sql: SQLText) throws(SQLError) -> any SQLStatement { SessionStatement(sql, on: self) }

    func execute(_ sql: SQLText) throws(SQLError) {
        let trace = StatementTrace.current
        trace?.start()
        var failure: PostgreSQLError?
        do throws(PostgreSQLError) {
            try connection.execute(sql)
        } catch {
            failure = error
        }
        if let trace {
            SQLLog.report(
                trace.entry(path: place, sql: sql.string) { _ in failure.map { .failed($0.message) } ?? .ran }
            )
        }
        if let failure { throw SQLError(failure, sql: sql) }
    }

    // MARK: Transactions

    /// Begins a transaction. Nothing keeps others from writing: a change of a row that another transaction
    /// has changed meanwhile affects no row, by its version.
    func begin(_ mode: TransactionMode) throws(SQLError) {
        switch mode {
        case .deferred: try execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        case .immediate: try execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
        }
    }

    func commit() throws(SQLError) { try execute("COMMIT") }

    func rollback() { connection.rollback() }

    var isInTransaction: Bool { connection.isInTransaction }

    func recordingChanges<Result>(
        _ body: () throws(SQLError) -> Result
    ) throws(SQLError) -> (Result, Set<ChangedRow>) {
        (try body(), [])
    }

    func watched<Result>(
        by watch: FetchWatch, _ body: () throws(SQLError) -> Result
    ) throws(SQLError) -> Result {
        watch.setCancellation { [weak connection] in connection?.cancel() }
        defer { watch.setCancellation(nil) }
        guard !watch.isCancelled else {
            throw SQLError(kind: .interrupted, code: 1, message: "the fetch was cancelled", sql: nil)
        }
        return try body()
    }

    /// Does nothing: no value is in a file.
    func releaseExternal(_ value: SQLValue) {}

    func close() { connection.close() }

    /// Returns the server's plan of a statement; none if it cannot be asked.
    func plan(of sql: SQLText, _ parameters: ParameterList) -> [String] {
        guard !connection.isInTransaction else { return [] }
        var lines: [String] = []
        try? connection.forEachRow(of: "EXPLAIN \(sql)", parameters) { row in
            if let line: String = row.value(0) { lines.append(line) }
        }
        return lines
    }
}
