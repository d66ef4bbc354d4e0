import CoreDataLibpq
import CoreDataSQL
import CoreDataStore
import Foundation
import Synchronization

/// The sessions of one store: any of them reads and writes. Standbys may take over reads.
final class SessionPool: SQLConnectionPool {
    private let options: ConnectionOptions
    private let pool: PostgreSQLPool
    private let isReadOnly: Bool
    /// A store that only reads is content with a standby.
    private let role: ConnectionOptions.Role
    private let timeout: Double
    private let keepsHistory: Bool
    /// The marks that transactions leave; nil if they leave none.
    private let marks: SaveMarks?
    /// The reads at a standby; nil if all sessions are with the same server.
    private let standbys: StandbyReads?
    /// The snapshots that were taken, which end with the pool.
    private let pins = Mutex<[Pin]>([])
    /// The threads that are writing, which must not wait for their own write.
    private let writingThreads = Mutex<Set<UInt>>([])

    private struct Pin {
        weak var session: PinnedSession?
    }

    /// - Parameters:
    ///   - standbys: The hosts of which one may answer reads; nil if they all go to the server that writes.
    ///   - timeout: The seconds that a statement waits for the lock of another session.
    ///   - leavesMarks: Whether each transaction leaves a mark, by which its outcome is known if the connection
    ///     is lost meanwhile.
    ///   - keepsHistory: Whether each commit is in the history of the store.
    ///   - noteHistory: Is called for each new connection before it is used; see `PostgreSQLConnection`.
    init(
        _ options: ConnectionOptions, standbys: ConnectionOptions? = nil, limits: PostgreSQLPool.Limits,
        timeout: Double, isReadOnly: Bool, leavesMarks: Bool, keepsHistory: Bool,
        noteHistory: @escaping @Sendable (String) -> Void
    ) {
        self.options = options
        self.isReadOnly = isReadOnly
        let role = ConnectionOptions.Role(isReadOnly: isReadOnly)
        self.role = role
        self.timeout = timeout
        self.keepsHistory = keepsHistory
        let open = { @Sendable () throws(PostgreSQLError) in
            try PostgreSQLConnection(options, role: role, lockTimeout: timeout, noteHistory: noteHistory)
        }
        let pool = PostgreSQLPool(limits: limits, open: open)
        self.pool = pool
        self.standbys = standbys.map { hosts in
            StandbyReads { () throws(PostgreSQLError) in
                try Standby(hosts, limits: limits, timeout: timeout)
            } primaryPosition: { () throws(PostgreSQLError) in
                try pool.use { connection throws(PostgreSQLError) in
                    try LogPosition(ofPrimary: connection)
                }
            }
        }
        marks = leavesMarks && !isReadOnly ? SaveMarks(timeout: timeout, open: open) : nil
    }

    func read(
        _ freshness: ReadFreshness, _ body: (any SQLConnection) throws(SQLError) -> Void
    ) throws(SQLError) {
        guard let standbys else { return try readPatiently(freshness, body) }
        if freshness != .latest, let standby = standbys.current() {
            do throws(SQLError) {
                return try using(nil, of: standby.pool, body)
            } catch {
                // Any other failure, as of a read that is in the way of the primary's changes, is not repeated there.
                switch error.kind {
                case .interrupted: throw error
                case .connectionLost, .outcomeUnknown, .cannotOpen: standbys.lose(standby)
                default: break
                }
            }
        }
        try standbys.atPrimary { () throws(SQLError) in try readPatiently(freshness, body) }
    }

    /// Reads, and does it again once if the connection is lost.
    private func readPatiently(
        _ freshness: ReadFreshness, _ body: (any SQLConnection) throws(SQLError) -> Void
    ) throws(SQLError) {
        do throws(SQLError) {
            try readOnce(freshness, body)
        } catch {
            // The end of a transaction that reads has no outcome.
            guard [.connectionLost, .outcomeUnknown, .serialization].contains(error.kind) else { throw error }
            try readOnce(freshness, body)
        }
    }

    private func readOnce(
        _ freshness: ReadFreshness, _ body: (any SQLConnection) throws(SQLError) -> Void
    ) throws(SQLError) {
        try using(nil) { session throws(SQLError) in
            guard freshness == .latest else { return try body(session) }
            try session.begin(.deferred)
            try body(session)
            try session.commit()
        }
    }

    /// Runs the body again, if it may, after a deadlock, on another connection after the present one is lost, and
    /// on another server after the present one has become a replica.
    func write(
        mayRepeat: Bool, _ body: (any SQLConnection) throws(SQLError) -> Void
    ) throws(SQLError) {
        guard !isReadOnly else { throw Self.readOnly }
        let thread = UInt(pthread_self())
        guard writingThreads.withLock({ $0.insert(thread).inserted }) else { throw Self.nested }
        defer { _ = writingThreads.withLock { $0.remove(thread) } }
        defer { standbys?.noteUse() }
        defer { marks?.pruneIfDue(pool.run(later:)) }
        var repetition = Repetition(timeout: timeout)
        while true {
            var hasCommitted = false
            defer { if hasCommitted { pool.notify("") } }
            do throws(SQLError) {
                return try using(marks) { session throws(SQLError) in
                    defer { hasCommitted = session.hasCommitted }
                    try body(session)
                }
            } catch {
                guard mayRepeat, !hasCommitted, repetition.isDue(after: error) else { throw error }
            }
        }
    }

    func writeAlone(_ body: (any SQLConnection) throws(SQLError) -> Void) throws(SQLError) {
        try write(mayRepeat: true) { connection throws(SQLError) in
            guard let session = connection as? Session else { return try body(connection) }
            // A statement that waits for a lock has a snapshot, for whose end a session waits that makes an index.
            let deadline = ContinuousClock.now + .seconds(timeout)
            while try !AdvisoryLock.indexes.tryLock(session) {
                guard ContinuousClock.now < deadline else { throw Self.occupied }
                Thread.sleep(forTimeInterval: 0.05)
            }
            // The lock of a lost session has ended with it.
            defer { try? AdvisoryLock.indexes.unlock(session) }
            try body(session)
        }
    }

    func isCommitted(_ mark: CommitMark) throws(SQLError) -> Bool {
        defer { standbys?.noteUse() }
        return try marks?.isCommitted(mark) ?? false
    }

    /// Runs the body with a session. A transaction that the body leaves open is rolled back.
    ///
    /// - Parameter pool: The connections; nil for those that write.
    private func using(
        _ marks: SaveMarks?, of pool: PostgreSQLPool? = nil, _ body: (Session) throws(SQLError) -> Void
    ) throws(SQLError) {
        var failure: SQLError?
        do throws(PostgreSQLError) {
            try (pool ?? self.pool).use { connection throws(PostgreSQLError) in
                do throws(SQLError) {
                    try body(Session(connection, marks: marks))
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
        defer { standbys?.noteUse() }
        // A standby may break off even the first statement of a snapshot, to follow its primary.
        var repetition = Repetition(timeout: timeout)
        while true {
            do throws(SQLError) {
                return try pinnedOnce()
            } catch {
                guard error.kind == .serialization, repetition.isDue(after: error) else { throw error }
            }
        }
    }

    private func pinnedOnce() throws(SQLError) -> any SQLConnectionPool {
        let connection = try translating { () throws(PostgreSQLError) in
            try PostgreSQLConnection(options, role: role)
        }
        let pinned = try PinnedSession(Session(connection), base: self)
        pins.withLock { pins in
            pins.removeAll { $0.session == nil }
            pins.append(Pin(session: pinned))
        }
        return pinned
    }

    func watch(_ handler: @escaping @Sendable () -> Void) throws(SQLError) {
        var listening: Listening?
        try using(nil) { session throws(SQLError) in
            listening = try CommitChannel(on: session, keepsHistory: keepsHistory).listening {
                // Reads that follow the announcement see what is announced.
                [standbys] in
                standbys?.noteUse()
                handler()
            }
        }
        if let listening { pool.listen(listening) }
    }

    func expireReads() { standbys?.noteUse() }

    var readsMayOvertake: Bool { standbys != nil }

    func close() {
        standbys?.close()
        for pin in pins.withLock({ $0 }) { pin.session?.close() }
        pool.close()
    }

    private static let nested = SQLError(
        kind: .other,
        message: "this thread is writing the store already: a batch insertion's handler must not save to it",
        sql: nil)
    private static let occupied = SQLError(
        kind: .busy, message: "another program is making the indexes of the store", sql: nil)
    private static let readOnly = SQLError(
        kind: .readOnly, message: "the store was opened read-only", sql: nil)
}

extension ConnectionOptions.Role {
    /// The role of the connections of a store.
    init(isReadOnly: Bool) { self = isReadOnly ? .reader : .writer }
}
