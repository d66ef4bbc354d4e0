package import CoreDataLibpq
import CoreDataSQL

extension PostgreSQLConnection {
    /// Connects, and has statements fail that wait longer for the lock of another session.
    ///
    /// - Parameters:
    ///   - lockTimeout: Seconds.
    ///   - noteHistory: Is called with a text that names the history of the server's data, if the server tells
    ///     it: the system and its timeline. After a failover that lost commits, and of another server, it is
    ///     another text.
    package convenience init(
        _ options: ConnectionOptions, role: ConnectionOptions.Role = .writer, lockTimeout: Double,
        noteHistory: (String) -> Void = { _ in }
    ) throws(PostgreSQLError) {
        try self.init(options, role: role)
        let milliseconds = Int64(min(max((lockTimeout * 1000).rounded(.up), 1), Double(Int32.max)))
        let limit = ParameterList("\(milliseconds)")
        do throws(PostgreSQLError) {
            try forEachRow(of: Self.limitAndHistory, limit) { row throws(PostgreSQLError) in
                if let history: String = row.value(2) { noteHistory(history) }
            }
        } catch {
            // A server that speaks the protocol of PostgreSQL may lack these functions, or guard them.
            guard error.state != nil, isUsable else { throw error }
            try run("SELECT \(Self.settings)", limit)
        }
    }

    /// A pipeline that is a transaction by itself has the default isolation.
    private static let settings: SQLText = """
        set_config('default_transaction_isolation', 'read committed', false), \
        set_config('lock_timeout', ?, false)
        """

    /// The timeline of the last checkpoint would be the former one until some time after a failover.
    private static let limitAndHistory: SQLText = """
        SELECT \(settings), \
        (SELECT system_identifier FROM pg_control_system()) || CASE WHEN pg_is_in_recovery() THEN '' \
        ELSE '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END
        """
}
