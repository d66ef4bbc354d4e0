import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import Synchronization

/// A single connection that records the text of every statement.
final class RecordingPool: SQLConnectionPool {
    private let connection: RecordingConnection

    init(_ path: String) throws {
        connection = RecordingConnection(try SQLiteConnection(path: path, access: .readWrite))
    }

    /// Returns the statements run since the last call.
    func take() -> [String] { connection.log.take() }

    func read(
        _ freshness: ReadFreshness, _ body: (any SQLConnection) throws(SQLError) -> Void
    ) throws(SQLError) {
        try body(connection)
    }

    func write(_ body: (any SQLConnection) throws(SQLError) -> Void) throws(SQLError) {
        do throws(SQLError) {
            try body(connection)
        } catch {
            connection.rollback()
            throw error
        }
    }

    func requireGenerations() throws(SQLError) {}

    /// Returns the pool itself, since no other connection writes here.
    func pinned() throws(SQLError) -> any SQLConnectionPool { self }
    func watch(_ handler: @escaping @Sendable () -> Void) throws(SQLError) {}
    func expireReads() {}
    func close() { connection.close() }
}

final class StatementLog: Sendable {
    private let statements = Mutex<[String]>([])

    func add(_ sql: String) { statements.withLock { $0.append(sql) } }

    func take() -> [String] {
        statements.withLock { statements in
            defer { statements = [] }
            return statements
        }
    }
}

final class RecordingConnection: SQLConnection {
    private let inner: SQLiteConnection
    let log = StatementLog()

    init(_ inner: SQLiteConnection) { self.inner = inner }

    var isInTransaction: Bool { inner.isInTransaction }

    func prepare(_ sql: SQLText) throws(SQLError) -> any SQLStatement {
        RecordingStatement(try inner.prepare(sql), sql.string, log)
    }
    func execute(_ sql: SQLText) throws(SQLError) {
        log.add(sql.string)
        try inner.execute(sql)
    }
    func begin(_ mode: TransactionMode) throws(SQLError) {
        log.add("BEGIN")
        try inner.begin(mode)
    }
    func commit() throws(SQLError) {
        log.add("COMMIT")
        try inner.commit()
    }
    func rollback() { inner.rollback() }
    func recordingChanges<Result>(
        _ body: () throws(SQLError) -> Result
    ) throws(SQLError) -> (Result, Set<ChangedRow>) {
        try inner.recordingChanges(body)
    }
    func watched<Result>(
        by watch: FetchWatch, _ body: () throws(SQLError) -> Result
    ) throws(SQLError) -> Result {
        try inner.watched(by: watch, body)
    }
    func releaseExternal(_ value: SQLValue) { inner.releaseExternal(value) }
    func close() { inner.close() }
}

private final class RecordingStatement: SQLStatement {
    private let inner: any SQLStatement
    private let sql: String
    private let log: StatementLog
    private var isActive = false

    init(_ inner: any SQLStatement, _ sql: String, _ log: StatementLog) {
        self.inner = inner
        self.sql = sql
        self.log = log
    }

    func bind(_ values: [SQLValue]) throws(SQLError) { try inner.bind(values) }
    func bind(_ row: Snapshot, columns: [Int], from first: Int) throws(SQLError) {
        try inner.bind(row, columns: columns, from: first)
    }
    func bind(_ value: SQLValue, at index: Int) throws(SQLError) { try inner.bind(value, at: index) }
    func bind(_ number: Int64, at index: Int) throws(SQLError) { try inner.bind(number, at: index) }
    func step() throws(SQLError) -> Bool {
        if !isActive { log.add(sql) }
        isActive = try inner.step()
        return isActive
    }
    func reset() {
        isActive = false
        inner.reset()
    }
    var changedRowCount: Int { inner.changedRowCount }
    func decodeRow(_ plan: ResultPlan) -> Snapshot? { inner.decodeRow(plan) }
    func decodeRows(_ plan: ResultPlan, watch: FetchWatch?) throws(SQLError) -> [Snapshot] {
        if !isActive { log.add(sql) }
        defer { isActive = false }
        return try inner.decodeRows(plan, watch: watch)
    }
    func integer(at column: Int32) -> Int64 { inner.integer(at: column) }
    func value(at column: Int32) -> SQLValue { inner.value(at: column) }
    var columnCount: Int { inner.columnCount }
}
