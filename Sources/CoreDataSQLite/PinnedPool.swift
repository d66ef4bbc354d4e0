import CoreDataSQL
import Synchronization

/// The pool of a backend that reads one snapshot (query generation): one connection in a read transaction
/// that lasts as long as the pool.
final class PinnedPool: SQLConnectionPool {
    private let base: ConnectionPool
    private let reader: Mutex<SQLiteConnection>

    /// Begins the transaction and takes the snapshot.
    init(_ connection: SQLiteConnection, base: ConnectionPool) throws(SQLError) {
        try connection.begin(.deferred)
        // The snapshot is taken by the first read, not by BEGIN.
        let first = try connection.statement("SELECT COUNT(*) FROM sqlite_master")
        _ = try first.step()
        first.reset()
        self.base = base
        reader = Mutex(connection)
    }

    func read(
        _ freshness: ReadFreshness,
        _ body: (any SQLConnection) throws(SQLError) -> Void
    ) throws(SQLError) {
        var failure: SQLError?
        reader.withLock { connection in
            do throws(SQLError) {
                guard connection.isInTransaction else { throw Self.lost }
                try body(connection)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    func write(
        mayRepeat: Bool, _ body: (any SQLConnection) throws(SQLError) -> Void
    ) throws(SQLError) {
        try base.write(mayRepeat: mayRepeat, body)
    }

    func requireGenerations() throws(SQLError) { try base.requireGenerations() }

    func pinned() throws(SQLError) -> any SQLConnectionPool { self }

    func watch(_ handler: @escaping @Sendable () -> Void) throws(SQLError) { try base.watch(handler) }

    /// Does nothing: a snapshot never shows anything newer.
    func expireReads() {}

    func close() {
        reader.withLock { $0.close() }
    }

    private static let lost = SQLError(
        kind: .other, code: 1, message: "the query generation is gone: its store was closed", sql: nil)
}
