import CoreDataLibpq
import CoreDataSQL
import Synchronization

/// The means by which the processes that use a store learn of each other's commits: a channel on which each
/// notifies the others, and a poll, which finds the commits that were not notified.
final class CommitChannel: Sendable {
    private enum Trace {
        /// Every commit is in the history, which the receiver of a notification looks into anyway.
        case history
        /// Commits leave marks; the latest is the one that was seen last.
        case marks(String?)
        case none
    }

    private let name: SQLIdentifier
    private let trace: Mutex<Trace>

    /// Finds the channel of a store, which every server of a cluster names alike.
    init(on session: Session, keepsHistory: Bool) throws(SQLError) {
        var schema = ""
        var trace = keepsHistory ? Trace.history : .none
        try session.forEachRow(of: Self.place) { row in
            if case .text(let text) = row.value(at: 0) { schema = text }
            if !keepsHistory, row.integer(at: 1) > 0 { trace = .marks(nil) }
        }
        if case .marks = trace {
            trace = .marks(try session.texts(SQLFragment(Self.latestMark)).first)
        }
        name = SQLIdentifier("z_commits_\(schema)")
        self.trace = Mutex(trace)
    }

    private static let place: SQLFragment = """
        SELECT CAST(relnamespace AS text), CASE WHEN to_regclass('z_saves') IS NULL THEN 0 ELSE 1 END \
        FROM pg_class WHERE oid = to_regclass('z_metadata')
        """

    /// The identifiers of marks begin with the time.
    private static let latestMark: SQLText =
        "SELECT CAST(MARK AS text) FROM Z_SAVES ORDER BY MARK DESC LIMIT 1"

    /// The time between two polls.
    private static let interval = Duration.seconds(2)

    /// The time for which commits wait for each other to be notified as one. A notification waits for every
    /// other one of the server, so the transaction of a save does not make one.
    private static let delay = Duration.milliseconds(25)

    func listening(_ handler: @escaping @Sendable () -> Void) -> Listening {
        Listening(
            channel: name, every: Self.interval, gathering: Self.delay,
            poll: { connection throws(PostgreSQLError) in try self.findsCommit(connection) },
            handler: { _ in handler() })
    }

    /// Returns whether there may be a commit since the last look.
    private func findsCommit(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> Bool {
        let last: String?
        switch trace.withLock({ $0 }) {
        case .history: return true
        case .none: return false
        case .marks(let mark): last = mark
        }
        var latest: String?
        do throws(PostgreSQLError) {
            try connection.forEachRow(of: Self.latestMark) { row throws(PostgreSQLError) in
                latest = row.value(0)
            }
        } catch  where error.state != nil && connection.isUsable {
            // The store may have been removed.
            return false
        }
        trace.withLock { $0 = .marks(latest) }
        return latest != last
    }
}
