import CoreDataSQL
import Dispatch
import Synchronization

/// A connection that reads, and the transaction it keeps open between reads.
///
/// The transaction ends when this process commits anything, when a read asks for the latest state, when nobody has
/// read for an interval, and in any case after a few of them. The first read after such a pause may well be the only
/// one: a row is then read without a transaction that somebody would have to end.
final class ReadingConnection: Sendable {
    private struct State {
        var connection: SQLiteConnection?
        /// `CommitClock` at the begin of the open transaction.
        var commits = 0
        var reads = 0
        var readsAtLastCheck = 0
        var intervals = 0
        /// Whether a call of `endIfIdle` is on its way. One serves whatever transaction is open when it comes: to ask
        /// for another with each costs more than a small fetch.
        var isCheckPending = false
        /// When a read last came without a transaction being open, in nanoseconds.
        var lastArrival: UInt64 = 0
    }

    /// How long a transaction stays open that nobody uses.
    static let idleInterval = DispatchTimeInterval.nanoseconds(Int(idleNanoseconds))
    private static let idleNanoseconds: UInt64 = 5_000_000
    /// Intervals after which even a busy transaction ends.
    private static let longestLife = 20

    private let state: Mutex<State>
    /// What can be asked without the lock: to try a lock that is taken is a call of the kernel.
    private let isBusy = Atomic<Bool>(false)
    private let hasConnection = Atomic<Bool>(false)
    /// Asks for a call of `endIfIdle` after the idle interval.
    private let scheduleCheck: @Sendable (ReadingConnection) -> Void

    init(scheduleCheck: @escaping @Sendable (ReadingConnection) -> Void) {
        state = Mutex(State())
        self.scheduleCheck = scheduleCheck
    }

    typealias Body = (any SQLConnection) throws(SQLError) -> Void
    typealias Opener = () throws(SQLError) -> SQLiteConnection

    /// Whether there is a connection, which nobody has to open.
    var isOpen: Bool { hasConnection.load(ordering: .relaxed) }

    /// False if somebody else is reading.
    func readIfFree(
        _ freshness: ReadFreshness,
        open: Opener,
        _ body: Body
    ) throws(SQLError) -> Bool {
        var failure: SQLError?
        let isFree = ifFree { state in
            failure = attempt(&state, freshness, open, body)
        }
        if let failure { throw failure }
        return isFree
    }

    /// Whether nobody is reading, and the work was done.
    @inline(__always)
    private func ifFree(_ work: (inout State) -> Void) -> Bool {
        if isBusy.load(ordering: .relaxed) { return false }
        return state.withLockIfAvailable { work(&$0) } != nil
    }

    func read(_ freshness: ReadFreshness, open: Opener, _ body: Body) throws(SQLError) {
        var failure: SQLError?
        state.withLock { state in
            failure = attempt(&state, freshness, open, body)
        }
        if let failure { throw failure }
    }

    private func attempt(
        _ state: inout State,
        _ freshness: ReadFreshness,
        _ open: Opener,
        _ body: Body
    ) -> SQLError? {
        isBusy.store(true, ordering: .relaxed)
        defer { isBusy.store(false, ordering: .relaxed) }
        do throws(SQLError) {
            let connection: SQLiteConnection
            if let opened = state.connection {
                connection = opened
            } else {
                connection = try open()
                state.connection = connection
                hasConnection.store(true, ordering: .relaxed)
            }
            // Matched, not compared: the comparison that another module derives goes through witness tables.
            let mayBeOld = if case .recent = freshness { true } else { false }
            let isAlone = if case .latestStatement = freshness { true } else { false }
            let commits = CommitClock.now
            if connection.isInTransaction, !mayBeOld || commits != state.commits { try connection.commit() }
            if !connection.isInTransaction, !(isFirstForLong(&state) && mayBeOld), !isAlone {
                try connection.begin(.deferred)
                state.commits = commits
                state.intervals = 0
                state.readsAtLastCheck = state.reads
                requestCheck(&state)
            }
            state.reads &+= 1
            try body(connection)
            return nil
        } catch {
            state.connection?.rollback()
            return error
        }
    }

    /// Whether nobody has read for an interval.
    private func isFirstForLong(_ state: inout State) -> Bool {
        let now = DispatchTime.now().uptimeNanoseconds
        defer { state.lastArrival = now }
        return now &- state.lastArrival > Self.idleNanoseconds
    }

    /// Ends the transaction if nobody read since the last check; else asks for another one.
    func endIfIdle() {
        state.withLock { state in
            state.isCheckPending = false
            guard let connection = state.connection, connection.isInTransaction else { return }
            state.intervals += 1
            if state.reads == state.readsAtLastCheck || state.intervals >= Self.longestLife {
                connection.rollback()
                return
            }
            state.readsAtLastCheck = state.reads
            requestCheck(&state)
        }
    }

    private func requestCheck(_ state: inout State) {
        guard !state.isCheckPending else { return }
        state.isCheckPending = true
        scheduleCheck(self)
    }

    /// Lets go of a transaction nobody is reading in, so that a writer without write-ahead log need not wait for
    /// it and a checkpoint can finish.
    func endIdleTransaction() {
        _ = ifFree { $0.connection?.rollback() }
    }

    func close() {
        state.withLock { state in
            state.connection?.close()
            state.connection = nil
            hasConnection.store(false, ordering: .relaxed)
        }
    }
}

/// Counts the commits of this process, whatever the store, and the calls of `expireReads`: what a transaction saw
/// before the last one may be old.
enum CommitClock {
    private static let count = Atomic<Int>(0)

    static var now: Int { count.load(ordering: .acquiring) }
    static func tick() { count.add(1, ordering: .releasing) }
}
