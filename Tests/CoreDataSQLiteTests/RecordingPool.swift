import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import Synchronization

/// A single connection, with a record of the statements that this and other connections of the process run on
/// its file, but for ROLLBACK.
final class RecordingPool: SQLConnectionPool {
    private let connection: SQLiteConnection
    private let log = StatementLog()
    private let listener: SQLLog.Listener

    init(_ path: String) throws {
        connection = try SQLiteConnection(path: path, access: .readWrite)
        listener = SQLLog.listen(.statements) { [log] entry in
            if entry.path == path, entry.sql != "ROLLBACK" { log.add(entry.sql) }
        }
    }

    deinit { listener.stop() }

    /// Returns the statements that ended since the last call.
    func take() -> [String] { log.take() }

    func read(
        _ freshness: ReadFreshness, _ body: (any SQLConnection) throws(SQLError) -> Void
    ) throws(SQLError) {
        try body(connection)
    }

    func write(
        mayRepeat: Bool, _ body: (any SQLConnection) throws(SQLError) -> Void
    ) throws(SQLError) {
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
