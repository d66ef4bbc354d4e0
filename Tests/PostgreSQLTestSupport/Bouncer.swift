import Foundation

/// A PgBouncer before the tests' server, which ends with the last reference.
package struct Bouncer: Sendable {
    package enum Mode: String, Sendable {
        case session, transaction
    }

    /// The URL of the server's database through the pooler.
    package let url: String
    private let companion: Companion

    /// Whether PgBouncer is installed, or has to be: on a server of continuous integration its absence is a
    /// failure, not a reason to skip tests.
    package static var isExpected: Bool {
        program != nil || ProcessInfo.processInfo.environment["CI"] != nil
    }

    package static let absence = "PgBouncer is not installed"

    private static let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    package init(_ mode: Mode = .session) throws(TestServer.Failure) {
        guard let program = Self.program else { throw TestServer.Failure(description: Self.absence) }
        let server = try TestServer.shared()
        let port = try TestServer.freePort()
        companion = try Companion(
            "pgbouncer",
            """
                cat >"$folder/ini" <<END
            [databases]
            * = host=127.0.0.1 port=$b user=postgres
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = $c
            unix_socket_dir =
            auth_type = any
            pool_mode = \(mode.rawValue)
            max_client_conn = 400
            default_pool_size = 100
            END
                "$@" "$a" "$folder/ini" &
            """, (program, String(server.port), String(port)), signal: "TERM"
        ) { folder in
            // It says "process up" when it listens.
            let log = try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)
            return log?.contains("process up") ?? false
        }
        url = "postgresql://postgres@127.0.0.1:\(port)/postgres?sslmode=disable"
    }
}
