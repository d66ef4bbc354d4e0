import CoreDataLibpq
import CoreDataSQL

/// A standby, and the connections to it: all to the same server, since another one may be behind it.
final class Standby: Sendable {
    let pool: PostgreSQLPool

    /// How often a proxy or a name is asked for the same server.
    private static let attempts = 3

    /// Connects to a standby.
    ///
    /// - Parameter options: The hosts, of which the first one that is a standby is taken.
    init(
        _ options: ConnectionOptions, limits: PostgreSQLPool.Limits, timeout: Double
    ) throws(PostgreSQLError) {
        let first = try PostgreSQLConnection(options, role: .standby, lockTimeout: timeout)
        defer { first.close() }
        let place = first.place
        let server = try Self.server(of: first)
        pool = PostgreSQLPool(limits: limits) { () throws(PostgreSQLError) in
            for _ in 0..<Self.attempts {
                let connection = try PostgreSQLConnection(place, role: .reader, lockTimeout: timeout)
                if try Self.server(of: connection) == server { return connection }
                connection.close()
            }
            throw PostgreSQLError(kind: .cannotConnect, message: "\(place) is another server now")
        }
        // Rather on this thread than on those that read.
        try pool.warmUp()
    }

    /// Returns how far the server has applied the changes of the primary; nil if it is a standby no more.
    func position() throws(PostgreSQLError) -> LogPosition? {
        try pool.use { connection throws(PostgreSQLError) in try LogPosition(ofStandby: connection) }
    }

    /// Returns what tells a server from others behind the same name: when and where it was started.
    private static func server(of connection: PostgreSQLConnection) throws(PostgreSQLError) -> String {
        var name = ""
        try connection.forEachRow(of: server) { row in name = row.value(0) ?? "" }
        return name
    }

    private static let server: SQLText = """
        SELECT extract(epoch FROM pg_postmaster_start_time()) || ' ' \
        || coalesce(host(inet_server_addr()), '') || ' ' || coalesce(inet_server_port(), 0)
        """
}
