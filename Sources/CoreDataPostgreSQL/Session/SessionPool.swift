import CoreDataLibpq
import CoreDataSQL
import CoreDataStore
import Foundation
import Synchronization

/// The sessions of one store: any of them reads and writes.
final class SessionPool: SQLConnectionPool {
    private let options: ConnectionOptions
    private let pool: PostgreSQLPool
    private let isReadOnly: Bool
    /// The snapshots that were taken, which end with the pool.
    private let pins = Mutex<[Pin]>([])
    /// The threads that are writing, which must not wait for their own write.
    private let writingThreads = Mutex<Set<UInt>>([])

    private struct Pin {
        weak var session: PinnedSession?
    }

    /// - Parameter timeout: The seconds that a statement waits for the lock of another session.
    init(
        _ options: ConnectionOptions, limits: PostgreSQLPool.Limits, timeout: Double, isReadOnly: Bool
    ) {
        self.options = options
        self.isReadOnly = isReadOnly
        pool = PostgreSQLPool(limits: limits) { () throws(PostgreSQLError) in
            try PostgreSQLConnection(options, lockTimeout: timeout)
        }
    }

    func read(
        _ freshness: ReadFreshness, _ body: (any SQLConnection) throws(SQLError) -> Void
    ) throws(SQLError) {
        do throws(SQLError) {
            try readOnce(freshness, body)
        } catch {
            guard error.kind == .connectionLost || error.kind == .outcomeUnknown else { throw error }
            // A read can be repeated on another connection.
            try readOnce(freshness, body)
        }
    }

    private func readOnce(
        _ freshness: ReadFreshness, _ body: (any SQLConnection) throws(SQLError) -> Void
    ) throws(SQLError) {
        try using { session throws(SQLError) in
            guard freshness == .latest else { return try body(session) }
            try session.begin(.deferred)
            try body(session)
            try session.commit()
        }
    }

    func write(_ body: (any SQLConnection) throws(SQLError) -> Void) throws(SQLError) {
        guard !isReadOnly else { throw Self.readOnly }
        let thread = UInt(pthread_self())
        guard writingThreads.withLock({ $0.insert(thread).inserted }) else { throw Self.nested }
        defer { _ = writingThreads.withLock { $0.remove(thread) } }
        try using(body)
    }

    /// Runs the body with a session. A transaction that the body leaves open is rolled back.
    private func using(_ body: (Session) throws(SQLError) -> Void) throws(SQLError) {
        var failure: SQLError?
        do throws(PostgreSQLError) {
            try pool.use { connection throws(PostgreSQLError) in
                do throws(SQLError) {
                    try body(Session(connection))
                } catch {
                    failure = error
                }
            }
        } catch {
            throw SQLError(error)
        }
        if let failure { throw failure }
    }

    /// Does nothing: every server has snapshots.
    func requireGenerations() throws(SQLError) {}

    func pinned() throws(SQLError) -> any SQLConnectionPool {
        let connection = try translating { () throws(PostgreSQLError) in try PostgreSQLConnection(options) }
        let pinned = try PinnedSession(Session(connection), base: self)
        pins.withLock { pins in
            pins.removeAll { $0.session == nil }
            pins.append(Pin(session: pinned))
        }
        return pinned
    }

    func watch(_ handler: @escaping @Sendable () -> Void) throws(SQLError) {
        throw SQLError(
            kind: .other, code: 1,
            message: "stores in PostgreSQL databases do not report remote changes yet", sql: nil)
    }

    /// Does nothing: no transaction is left open for the next read.
    func expireReads() {}

    func close() {
        for pin in pins.withLock({ $0 }) { pin.session?.close() }
        pool.close()
    }

    private static let nested = SQLError(
        kind: .other, code: 1,
        message: "this thread is writing the store already: a batch insertion's handler must not save to it",
        sql: nil)
    private static let readOnly = SQLError(
        kind: .readOnly, code: 1, message: "the store was opened read-only", sql: nil)
}
