/// A hot standby of the tests' server, which a test makes and stops.
package struct Replica: Sendable {
    /// The standby as a server, at which nothing can be written.
    package let server: TestServer
    private let companion: Companion

    /// Whether a standby can be made: of a server that was started here.
    package static var isAvailable: Bool { TestServer.isOwn }

    /// Copies the tests' server, and has the copy follow it.
    ///
    /// - Parameter other: A standby that the copy follows instead.
    package init(following other: Replica? = nil) throws(TestServer.Failure) {
        let primary = try TestServer.shared()
        let leader = other?.server.port ?? primary.port
        (server, companion) = try TestServer.start(
            "replica",
            """
                # "$a" may have no more than links to the programs that a server needs.
                programs=$(dirname "$(readlink -f "$a/postgres")")
                "$@" "$programs/pg_basebackup" -h 127.0.0.1 -p \(primary.port) -U postgres \
                    -D "$folder/data" -R -c fast --no-sync || return
                # The last of several values counts.
                echo "primary_conninfo = 'host=127.0.0.1 port=\(leader) user=postgres'" \
                    >>"$folder/data/postgresql.auto.conf"
            """)
    }

    /// Ends the standby and its sessions.
    package func stop() { companion.stop() }
}
