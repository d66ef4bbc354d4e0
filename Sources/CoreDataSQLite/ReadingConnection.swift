import CoreDataSQL
import Dispatch
import Synchronization

/// A connection that reads, with a transaction that stays open between reads.
///
/// The transaction ends when this process commits anything, when a read needs the latest state, when no read
/// came for an interval, and at the latest after a number of intervals. The first read after a pause is often
/// the only one, so it runs without a transaction, which would have to be ended.
final class ReadingConnection: Sendable {
    private struct State {
        var connection: SQLiteConnection?
        /// The value of `CommitClock` when the open transaction began.
        var commits = 0
        var reads = 0
        var readsAtLastCheck = 0
        var intervals = 0
        /// Whether a call of `endIfIdle` is scheduled. One call serves for any transaction that is open by
        /// then, since scheduling one for each transaction costs more than a small fetch.
        var isCheckPending = false
        /// The time of the last read that found no open transaction, in nanoseconds.
        var lastArrival: UInt64 = 0
    }

    /// The time that an unused transaction stays open.
    static let idleInterval = DispatchTimeInterval.nanoseconds(Int(idleNanoseconds))
    private static let idleNanoseconds: UInt64 = 5_000_000
    /// The number of intervals after which even a busy transaction ends.
    private static let longestLife = 20

    private let state: Mutex<State>
    // State that is read without the lock, since trying to take a lock that is held costs a system call.
    private let isBusy = Atomic<Bool>(false)
    private let hasConnection = Atomic<Bool>(false)
    /// Schedules a call of `endIfIdle` after the idle interval.
    private let scheduleCheck: @Sendable (ReadingConnection) -> Void

    init(scheduleCheck: @escaping @Sendable (ReadingConnection) -> Void) {
        state = Mutex(State())
        self.scheduleCheck = scheduleCheck
    }

    typealias Body = (any SQLConnection) throws(SQLError) -> Void
    typealias Opener = () throws(SQLError) -> SQLiteConnection

    /// Whether the connection is open already.
    var isOpen: Bool { hasConnection.load(ordering: .relaxed) }

    /// Runs a read unless another thread is reading. Returns whether it did.
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

    /// Runs a closure unless another thread is reading. Returns whether it did.
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
            // Matched by pattern, since the derived `==` of another module is called through a witness table.
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

    /// Returns whether no read came for an interval.
    private func isFirstForLong(_ state: inout State) -> Bool {
        let now = DispatchTime.now().uptimeNanoseconds
        defer { state.lastArrival = now }
        return now &- state.lastArrival > Self.idleNanoseconds
    }

    /// Ends the transaction if no read came since the last check; otherwise schedules another check.
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

    /// Ends the transaction if no thread is reading, so that without a write-ahead log a writer need not wait
    /// for it, and a checkpoint can finish.
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
