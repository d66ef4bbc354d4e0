import CoreDataLibpq
import CoreDataSQL

/// A position in the log of a cluster's changes (WAL), by which it is known what a server has.
struct LogPosition: Sendable, Hashable {
    /// The number that all servers of a cluster share, other clusters not.
    let system: Int64
    /// The number of the timeline, which begins when a standby becomes the primary. Positions of an earlier one
    /// beyond its beginning are lost.
    let timeline: Int64
    let offset: Int64

    /// Returns whether a server at this position has all changes up to another one, or those of them that
    /// the cluster has not lost.
    func covers(_ other: LogPosition) -> Bool {
        system == other.system && timeline >= other.timeline && offset >= other.offset
    }

    /// Returns the position that covers all that was visible on the primary before the call.
    ///
    /// Changes that are written and not flushed count, too: an asynchronous commit is visible before it is flushed.
    init?(ofPrimary connection: PostgreSQLConnection) throws(PostgreSQLError) {
        var position: LogPosition?
        try connection.forEachRow(of: Self.ofPrimary) { row throws(PostgreSQLError) in
            let timeline = row.value(1, as: String.self).flatMap { Int64($0, radix: 16) }
            position = LogPosition(row.value(0), timeline, row.value(2).map(Self.end))
        }
        guard let position else { return nil }
        self = position
    }

    /// Returns the position up to which a standby has applied changes; nil if it is a standby no more.
    init?(ofStandby connection: PostgreSQLConnection) throws(PostgreSQLError) {
        var position: LogPosition?
        try connection.forEachRow(of: Self.ofStandby) { row throws(PostgreSQLError) in
            position = LogPosition(row.value(0), row.value(1), row.value(2))
        }
        guard let position else { return nil }
        self = position
    }

    private init?(_ system: Int64?, _ timeline: Int64?, _ offset: Int64?) {
        guard let system, let timeline, let offset else { return nil }
        self.init(system: system, timeline: timeline, offset: offset)
    }

    init(system: Int64, timeline: Int64, offset: Int64) {
        (self.system, self.timeline, self.offset) = (system, timeline, offset)
    }

    private static let ofPrimary: SQLText = """
        SELECT (SELECT system_identifier FROM pg_control_system()), left(pg_walfile_name(p), 8), \
        CAST(pg_wal_lsn_diff(p, '0/0') AS bigint) FROM pg_current_wal_insert_lsn() AS p \
        WHERE NOT pg_is_in_recovery()
        """

    /// A standby may report a new timeline late: it is then taken for one that is behind.
    private static let ofStandby: SQLText = """
        SELECT (SELECT system_identifier FROM pg_control_system()), \
        CAST(GREATEST((SELECT timeline_id FROM pg_control_checkpoint()), \
        (SELECT min_recovery_end_timeline FROM pg_control_recovery()), \
        (SELECT received_tli FROM pg_stat_wal_receiver)) AS bigint), \
        CAST(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') AS bigint) WHERE pg_is_in_recovery()
        """

    /// Returns where the last record before a position ends: the next one begins after the header of a page, the
    /// one before ends in front of it.
    private static func end(_ offset: Int64) -> Int64 {
        let (page, header): (Int64, Int64) = (8192, 24)
        return offset % page == header ? offset - header : offset
    }
}
