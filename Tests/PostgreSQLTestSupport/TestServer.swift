import Foundation
import Synchronization

/// A PostgreSQL server for tests: the one whose URL is in `CORE_DATA_TEST_POSTGRESQL`, or else one that the
/// first test of the process starts and that ends with the process.
package struct TestServer: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The URL of a database whose user may do anything.
    package let url: String
    /// The host and port that accept TCP connections.
    package let host: String
    package let port: Int
    /// The folder of the Unix socket; nil for a server that was not started here.
    package let socketFolder: String?
    /// Whether the server is known to accept encrypted connections, as one does that was started here with
    /// openssl.
    package let isEncrypting: Bool

    /// Returns the URL with more parameters.
    ///
    /// - Parameter parameters: The parameters as `name=value&name=value`.
    package func url(with parameters: String) -> String {
        parameters.isEmpty ? url : url + (url.contains("?") ? "&" : "?") + parameters
    }

    /// The role that must give a password over TCP, which tests make. A server that was not started here may
    /// have no such rule.
    package static let passwordRole = "guarded"

    /// Whether there is a server for tests. If not, suites that need one are skipped.
    package static var isAvailable: Bool { given != nil || programs != nil }

    /// Whether the server is one that is started here.
    static var isOwn: Bool { given == nil && programs != nil }

    /// The comment on suites that are skipped.
    package static let absence = "PostgreSQL is not installed, and CORE_DATA_TEST_POSTGRESQL names no server"

    private static let started = Mutex<Result<TestServer, Failure>?>(nil)

    /// Returns the server of this process, and starts it if this is the first call.
    package static func shared() throws(Failure) -> TestServer {
        let result = started.withLock { started in
            if let started { return started }
            let result = Result { () throws(Failure) in
                if let given { try given() } else { try start() }
            }
            started = result
            return result
        }
        return try result.get()
    }

    // MARK: An existing server

    private static let given: (@Sendable () throws(Failure) -> TestServer)? = {
        guard let url = ProcessInfo.processInfo.environment["CORE_DATA_TEST_POSTGRESQL"] else { return nil }
        return { () throws(Failure) in
            guard let parts = URLComponents(string: url), let host = parts.host else {
                throw Failure(description: "CORE_DATA_TEST_POSTGRESQL is not a URL with one host")
            }
            return TestServer(
                url: url, host: host, port: parts.port ?? 5432, socketFolder: nil, isEncrypting: false)
        }
    }()

    // MARK: A server of this process

    /// The folder of the server's programs.
    private static let programs: String? = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let packaged = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: packaged)) ?? []
        let newestFirst = versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }
        // Both programs have to be in one folder: /usr/local/bin may have a link to only one of them.
        let folders =
            path.split(separator: ":").map(String.init) + ["/usr/local/bin"]
            + newestFirst.map { "\(packaged)/\($0)/bin" }
        return folders.first { folder in
            ["initdb", "postgres"].allSatisfy {
                FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)")
            }
        }
    }()

    /// The commands that make the data of a new server.
    private static let initialization = """
            "$@" "$a/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C --no-sync || return
            cat >"$folder/data/pg_hba.conf" <<END
        local all all trust
        host all \(passwordRole) 127.0.0.1/32 scram-sha-256
        host all all 127.0.0.1/32 trust
        host replication all 127.0.0.1/32 trust
        END
            if command -v openssl; then
                "$@" openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 \
                    -subj /CN=localhost -keyout "$folder/data/server.key" -out "$folder/data/server.crt" &&
                    echo 'ssl = on' >>"$folder/data/postgresql.conf"
            fi
        """

    /// The server of this process, which ends with it.
    private static let companion = Mutex<Companion?>(nil)

    private static func start() throws(Failure) -> TestServer {
        let (server, companion) = try start("postgresql", initialization)
        Self.companion.withLock { $0 = companion }
        return server
    }

    /// Starts a server.
    ///
    /// It keeps what standbys need that are being made, whatever checkpoints others cause meanwhile.
    ///
    /// - Parameter preparation: Commands that make its data in `$folder/data`; see `Companion`. `$a` is the
    ///   folder of the server's programs.
    static func start(
        _ name: String, _ preparation: String
    ) throws(Failure) -> (TestServer, Companion) {
        guard let programs else { throw Failure(description: absence) }
        let port = try freePort()
        let companion = try Companion(
            name,
            preparation + "\n" + """
                "$@" "$a/postgres" -D "$folder/data" -p "$b" -c listen_addresses=127.0.0.1 \
                    -c unix_socket_directories="$folder" -c fsync=off -c full_page_writes=off \
                    -c synchronous_commit=off -c shared_buffers=32MB -c max_connections=400 \
                    -c max_wal_senders=40 -c wal_keep_size=512MB &
                """, (programs, String(port), ""), signal: "INT", isReady: isReady)
        let server = TestServer(
            url: "postgresql://postgres@127.0.0.1:\(port)/postgres?sslmode=disable", host: "127.0.0.1",
            port: port, socketFolder: companion.folder,
            isEncrypting: FileManager.default.fileExists(atPath: "\(companion.folder)/data/server.crt"))
        return (server, companion)
    }

    /// Returns whether the server says in its file that it accepts connections.
    private static func isReady(_ folder: String) -> Bool {
        guard let state = try? String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8) else {
            return false
        }
        return state.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(7).first?
            .hasPrefix("ready") ?? false
    }

    /// Returns a port that no process listens on at this moment.
    static func freePort() throws(Failure) -> Int {
        do throws(LoopbackSocket.Failure) {
            let socket = try LoopbackSocket()
            defer { socket.close() }
            return socket.port
        } catch {
            throw Failure(description: error.description)
        }
    }
}
