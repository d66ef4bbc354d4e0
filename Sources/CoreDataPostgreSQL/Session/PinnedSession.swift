import CoreDataLibpq
import CoreDataSQL
import Synchronization

/// The pool of a backend that reads one snapshot (query generation): one session in a read transaction that
/// lasts as long as the pool.
final class PinnedSession: SQLConnectionPool {
    private let base: SessionPool
    private let session: Mutex<Session>

    /// Begins the transaction and takes the snapshot.
    init(_ session: Session, base: SessionPool) throws(SQLError) {
        try session.begin(.deferred)
        // The snapshot is taken by the first read, not by BEGIN.
        try session.execute("SELECT 1")
        try session.execute("SAVEPOINT \(Self.savepoint)")
        self.base = base
        self.session = Mutex(session)
    }

    func read(
        _ freshness: ReadFreshness, _ body: (any SQLConnection) throws(SQLError) -> Void
    ) throws(SQLError) {
        var failure: SQLError?
        session.withLock { session in
            do throws(SQLError) {
                guard session.isInTransaction else { throw Self.lost }
                try body(session)
            } catch {
                // After an error, also that of a cancelled fetch, the server does nothing more in the
                // transaction but to go back.
                if session.isInTransaction { try? session.execute("ROLLBACK TO SAVEPOINT \(Self.savepoint)") }
                failure = error.kind == .connectionLost ? Self.lost : error
            }
        }
        if let failure { throw failure }
    }

    func write(
        mayRepeat: Bool, _ body: (any SQLConnection) throws(SQLError) -> Void
    ) throws(SQLError) {
        try base.write(mayRepeat: mayRepeat, body)
    }

    func isCommitted(_ mark: CommitMark) throws(SQLError) -> Bool { try base.isCommitted(mark) }

    func requireGenerations() throws(SQLError) {}

    func pinned() throws(SQLError) -> any SQLConnectionPool { self }

    func watch(_ handler: @escaping @Sendable () -> Void) throws(SQLError) { try base.watch(handler) }

    /// Does nothing: a snapshot never shows anything newer.
    func expireReads() {}

    func close() { session.withLock { $0.close() } }

    private static let savepoint = SQLIdentifier("z_generation")
    private static let lost = SQLError(
        kind: .other,
        message: "the query generation is gone: its store was closed, or its connection was lost", sql: nil)
}
