import CoreDataLibpq
import CoreDataSQL
import CoreDataStore
import Foundation
import Synchronization

/// The decision which reads of a store that saves go to a standby: all, once it has what the store has seen at the
/// primary, and none before. So a read sees the store's own writes, and nothing that an earlier read saw is gone.
///
/// Each use of the primary, a read or a write, makes the standby outdated, as far as the store knows. The next
/// read, which goes to the primary, has a thread ask both servers for their positions until the standby is current
/// again; no read makes a trip for that.
final class StandbyReads: Sendable {
    private struct State {
        var standby: Standby?
        /// Whether the standby has what the store has seen at the primary.
        var isCurrent = false
        /// The number of uses of the primary that have ended.
        var uses = 0
        /// The number of reads at the primary that are under way.
        var reads = 0
        /// Whether reads are held back for a moment, so that none adds to what the standby has to have.
        var holdsReads = false
        var isFollowing = false
        /// Whether anything was read since the thread that follows looked last.
        var isWanted = false
        /// When a standby is asked again after a failure.
        var nextAttempt = ContinuousClock.now
        var isClosed = false
    }

    private let connect: @Sendable () throws(PostgreSQLError) -> Standby
    private let primaryPosition: @Sendable () throws(PostgreSQLError) -> LogPosition?
    private let state = Mutex(State())

    /// The pauses between two questions to a standby that is behind.
    private static let pauses = (first: 0.001, longest: 0.5)
    /// The time for which reads are held back at most, and the lag of a standby that is worth it.
    private static let patience = Duration.milliseconds(50)
    /// The seconds after which a thread looks again while reads are held back.
    private static let moment = 0.000_25
    /// The time after which a standby that did not answer is asked again.
    private static let absence = Duration.seconds(2)

    /// - Parameters:
    ///   - connect: Connects to a standby.
    ///   - primaryPosition: Asks the primary for its position.
    init(
        connect: @escaping @Sendable () throws(PostgreSQLError) -> Standby,
        primaryPosition: @escaping @Sendable () throws(PostgreSQLError) -> LogPosition?
    ) {
        self.connect = connect
        self.primaryPosition = primaryPosition
    }

    // MARK: Reading

    /// Returns the standby, if the next read may go there. Waits for a moment while reads are held back.
    func current() -> Standby? {
        let deadline = ContinuousClock.now.advanced(by: Self.patience)
        while true {
            let (standby, isHeld) = state.withLock { ($0.isCurrent ? $0.standby : nil, $0.holdsReads) }
            guard standby == nil, isHeld, .now < deadline else { return standby }
            Thread.sleep(forTimeInterval: Self.moment)
        }
    }

    /// Runs the body, which reads at the primary.
    func atPrimary(_ body: () throws(SQLError) -> Void) throws(SQLError) {
        let isFirst = state.withLock { state in
            state.reads += 1
            state.isWanted = true
            guard !state.isFollowing, !state.isClosed, state.nextAttempt <= .now else { return false }
            state.isFollowing = true
            return true
        }
        if isFirst { Thread.detachNewThread { [self] in follow() } }
        defer {
            state.withLock { $0.reads -= 1 }
            noteUse()
        }
        try body()
    }

    /// Notes that the store may have seen something at the primary, or has heard of it, which the standby lacks.
    func noteUse() {
        state.withLock { state in
            state.uses += 1
            state.isCurrent = false
        }
    }

    /// Looks for a standby anew after a read at the present one has failed.
    func lose(_ standby: Standby) {
        let isPresent = state.withLock { state in
            guard state.standby === standby else { return false }
            (state.standby, state.isCurrent) = (nil, false)
            return true
        }
        // Waits for the reads of other threads.
        if isPresent { Thread.detachNewThread { standby.pool.close() } }
    }

    func close() {
        let standby = state.withLock { state in
            defer { (state.standby, state.isCurrent, state.isClosed) = (nil, false, true) }
            return state.standby
        }
        standby?.pool.close()
    }

    // MARK: Following

    /// Asks the servers for their positions, less and less often, until the standby is current, nothing is read any
    /// more, or a server does not answer.
    private func follow() {
        var pause = Self.pauses.first
        var goal: Goal?
        while true {
            do throws(PostgreSQLError) {
                try approach(&goal)
            } catch {
                return state.withLock { state in
                    state.isFollowing = false
                    state.nextAttempt = .now.advanced(by: Self.absence)
                }
            }
            let goesOn = state.withLock { state in
                state.isFollowing = state.isWanted && !state.isCurrent && !state.isClosed
                if pause == Self.pauses.longest { state.isWanted = false }
                return state.isFollowing
            }
            guard goesOn else { return }
            Thread.sleep(forTimeInterval: pause)
            pause = min(2 * pause, Self.pauses.longest)
        }
    }

    /// The position that a standby has to reach, to have what the store had seen after a number of uses.
    private struct Goal {
        let uses: Int
        let position: LogPosition
        let time = ContinuousClock.now
    }

    /// Makes the standby current if it has reached the goal, which is nil then.
    private func approach(_ goal: inout Goal?) throws(PostgreSQLError) {
        let standby = try present()
        let underway = if let goal { goal } else { try newGoal() }
        goal = underway
        guard try has(standby, underway) else { return }
        goal = nil
        // Reads that have ended meanwhile may have seen more.
        if !makeCurrent(standby, underway), underway.time.advanced(by: Self.patience) > .now {
            try catchUp(standby)
        }
    }

    /// Holds reads back, and makes the standby current when it has what those before have seen.
    private func catchUp(_ standby: Standby) throws(PostgreSQLError) {
        let deadline = ContinuousClock.now.advanced(by: Self.patience)
        state.withLock { $0.holdsReads = true }
        defer { state.withLock { $0.holdsReads = false } }
        func wait(until isMet: () throws(PostgreSQLError) -> Bool) throws(PostgreSQLError) -> Bool {
            while try !isMet() {
                guard .now < deadline else { return false }
                Thread.sleep(forTimeInterval: Self.moment)
            }
            return true
        }
        _ = try wait { () throws(PostgreSQLError) in state.withLock { $0.reads == 0 } }
        let goal = try newGoal()
        guard try wait(until: { () throws(PostgreSQLError) in try has(standby, goal) }) else { return }
        _ = makeCurrent(standby, goal)
    }

    /// Returns the standby, after connecting to one if need be.
    private func present() throws(PostgreSQLError) -> Standby {
        if let standby = state.withLock({ $0.standby }) { return standby }
        let standby = try connect()
        let isKept = state.withLock { state in
            guard !state.isClosed else { return false }
            state.standby = standby
            return true
        }
        if !isKept { standby.pool.close() }
        return standby
    }

    private func newGoal() throws(PostgreSQLError) -> Goal {
        let uses = state.withLock { $0.uses }
        guard let position = try primaryPosition() else {
            throw PostgreSQLError(kind: .notPrimary, message: "the server has no position of a primary")
        }
        return Goal(uses: uses, position: position)
    }

    private func has(_ standby: Standby, _ goal: Goal) throws(PostgreSQLError) -> Bool {
        do throws(PostgreSQLError) {
            guard let position = try standby.position() else {
                throw PostgreSQLError(kind: .notPrimary, message: "the server is a standby no more")
            }
            return position.covers(goal.position)
        } catch {
            lose(standby)
            throw error
        }
    }

    /// Has reads go to the standby, if the store has seen nothing since the goal.
    private func makeCurrent(_ standby: Standby, _ goal: Goal) -> Bool {
        state.withLock { state in
            guard state.uses == goal.uses, state.standby === standby else { return false }
            state.isCurrent = true
            return true
        }
    }
}
