import CoreDataLibpq
import CoreDataSQL
import Synchronization

/// The marks that transactions leave in a store, and the means to ask for one when its connection is lost.
final class SaveMarks: Sendable {
    private let open: @Sendable () throws(PostgreSQLError) -> PostgreSQLConnection
    /// The time for which a server is looked for.
    private let timeout: Duration
    private let lastPruning = Mutex(ContinuousClock.now)

    /// The time between two deletions of old marks, which read the whole table.
    private static let interval = Duration.seconds(600)

    init(
        timeout: Double, open: @escaping @Sendable () throws(PostgreSQLError) -> PostgreSQLConnection
    ) {
        self.timeout = min(.seconds(timeout), SaveMark.lifetime)
        self.open = open
    }

    /// Returns whether a transaction was committed whose connection was lost meanwhile.
    ///
    /// Connects again, outside of the pool, in which the lost connection still has its place. Waits until a
    /// server that writes can be asked.
    ///
    /// - Throws: `outcomeUnknown`, if no server answers in time.
    func isCommitted(_ mark: CommitMark) throws(SQLError) -> Bool {
        guard mark.time.advanced(by: SaveMark.lifetime) > .now else {
            throw SQLError(
                kind: .outcomeUnknown,
                message: "it was too long ago to find out whether it was saved", sql: nil)
        }
        var search = ServerSearch(timeout)
        while true {
            do throws(PostgreSQLError) {
                let connection = try open()
                defer { connection.close() }
                return try SaveMark(mark).isCommitted(on: connection)
            } catch {
                if error.mayPass, search.goesOn() { continue }
                throw SQLError(
                    kind: .outcomeUnknown,
                    message: "no server could be asked whether it was saved: \(error.message)", sql: nil,
                    mark: mark)
            }
        }
    }

    /// Deletes old marks, if that was long ago.
    ///
    /// - Parameter run: Runs a statement, some time later.
    func pruneIfDue(_ run: (SQLText) -> Void) {
        let now = ContinuousClock.now
        let isDue = lastPruning.withLock { last in
            guard last.advanced(by: Self.interval) <= now else { return false }
            last = now
            return true
        }
        if isDue { run(SaveMark.pruning) }
    }
}

extension PostgreSQLError {
    /// Whether another attempt may reach a server that can do what was asked.
    fileprivate var mayPass: Bool {
        switch kind {
        case .cannotConnect, .connectionLost, .notPrimary, .busy, .timeout, .serialization, .deadlock: true
        default: false
        }
    }
}
