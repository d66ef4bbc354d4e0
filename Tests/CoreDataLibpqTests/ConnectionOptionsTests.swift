import CoreDataSQL
import Foundation
import PostgreSQLTestSupport
import Testing

@testable import CoreDataLibpq

@Suite("Options of a connection")
struct ConnectionOptionsTests {
    @Test("A URL gives its parts to libpq by name")
    func parts() throws {
        let options = try ConnectionOptions(
            "postgresql://ann:p%40ss@db.example:5433/shop?sslmode=require&schema=tenant")
        let settings = options.settings(for: .writer)
        #expect(settings["host"] == "db.example")
        #expect(settings["port"] == "5433")
        #expect(settings["user"] == "ann")
        #expect(settings["password"] == "p@ss")
        #expect(settings["dbname"] == "shop")
        #expect(settings["sslmode"] == "require")
        #expect(settings["schema"] == nil)
        #expect(options.schema == "tenant")
    }

    @Test(
        "A URL names several hosts before the database or in its parameters",
        arguments: [
            "postgresql://h1:5432,h2:5433/db", "postgresql:///db?host=h1,h2&port=5432,5433",
            "postgres://h1:5432,h2:5433/db",
        ])
    func severalHosts(_ url: String) throws {
        let settings = try ConnectionOptions(url).settings(for: .writer)
        #expect(settings["host"] == "h1,h2")
        #expect(settings["port"] == "5432,5433")
        #expect(settings["dbname"] == "db")
    }

    @Test("A host is a name, an address in brackets, or the folder of a socket")
    func hosts() throws {
        func host(_ url: String) throws -> [String?] {
            let settings = try ConnectionOptions(url).settings(for: .writer)
            return [settings["host"], settings["port"]]
        }
        #expect(try host("postgresql://[::1]:5433/db") == ["::1", "5433"])
        #expect(try host("postgresql://[2001:db8::2],h2/db") == ["2001:db8::2,h2", nil])
        #expect(try host("postgresql://%2Fvar%2Frun/db") == ["/var/run", nil])
        #expect(try host("postgresql:///db?host=/var/run") == ["/var/run", nil])
        #expect(try host("postgresql://h1,h2:5433/db") == ["h1,h2", ",5433"])
        #expect(try host("postgresql://") == [nil, nil])
    }

    @Test("A connection to a dead host fails soon, unless the URL has other limits")
    func limits() throws {
        let settings = try ConnectionOptions("postgresql:///?connect_timeout=9&service=shop").settings(
            for: .writer)
        #expect(settings["connect_timeout"] == "9")
        #expect(settings["tcp_user_timeout"] == "5000")
        #expect(settings["keepalives"] == "1")
        #expect(settings["keepalives_idle"] == "2")
        #expect(settings["keepalives_interval"] == "1")
        #expect(settings["keepalives_count"] == "2")
        #expect(settings["service"] == "shop")

        func patience(_ url: String) throws -> String? {
            try ConnectionOptions(url).settings(for: .writer)["connect_timeout"]
        }
        #expect(try patience("postgresql://h1/db") == "10", "a busy host that is the only one")
        #expect(try patience("postgresql://h1,h2/db") == "2")
        #expect(try patience("postgresql:///db?host=h1,h2") == "2")
        #expect(try patience("postgresql://h1,h2/db?connect_timeout=5") == "5")
        let one = try ConnectionOptions("postgresql://h1,h2/db").at(host: "h1", address: "", port: "5432")
        #expect(one.settings(for: .writer)["connect_timeout"] == "2", "the others wait their turn")
    }

    @Test("A writer takes the host that writes, a reader prefers a replica, whatever the URL says")
    func roles() throws {
        let options = try ConnectionOptions(
            "postgresql://h1,h2/db?target_session_attrs=any&client_encoding=LATIN1")
        #expect(options.settings(for: .writer)["target_session_attrs"] == "read-write")
        #expect(options.settings(for: .reader)["target_session_attrs"] == "prefer-standby")
        #expect(options.settings(for: .reader)["client_encoding"] == "UTF8")
    }

    private static let secrets = ["s3cr3t", "Zoë", "Zo%C3%AB", "p/w", "p%2Fw"]

    @Test("A description has neither user nor password, however it is printed")
    func descriptions() throws {
        let options = try ConnectionOptions(
            "postgresql://Zo%C3%AB:s3cr3t@h1:5432,h2:5433/db?sslpassword=p%2Fw&schema=a")
        var dumped = ""
        dump(options, to: &dumped)
        let texts = [
            options.description, options.debugDescription, dumped, "\(options)", String(reflecting: options),
            "\([options])", "\(Optional(options) as Any)",
            String(describing: Mirror(reflecting: options).children),
        ]
        for text in texts {
            for secret in Self.secrets { #expect(!text.contains(secret)) }
        }
        #expect(options.description == "postgresql:///db?host=h1,h2&port=5432,5433&schema=a")
    }

    @Test(
        "A URL that cannot be read is refused without being quoted",
        arguments: [
            "mysql://Zo%C3%AB:s3cr3t@host/db", "postgresql://Zo%C3%AB:s3cr3t@host:x/db",
            "postgresql://Zo%C3%AB:s3cr3t@host/db?secret",
            "postgresql://Zo%C3%AB:s3cr3t@host/db?Zo%C3%AB=s3cr3t",
            "postgresql://Zo%C3%AB:s3cr3t%@host/db", "postgresql://Zo%C3%AB:12/s3cr3t@host/db",
            "postgresql://Zo%C3%AB:12?s3cr3t=1@host/db", "postgresql://Zo%C3%AB:s3cr3t#@host/db", "Zoës3cr3t",
        ])
    func refusals(_ url: String) {
        do {
            _ = try ConnectionOptions(url)
            Issue.record("it was taken")
        } catch {
            #expect(error.kind == .invalidOptions)
            for secret in Self.secrets { #expect(!"\(error)".contains(secret)) }
        }
    }

    @Test("Messages lose passwords wherever they are, and names of users where they are a whole word")
    func redaction() {
        var redaction = Redaction()
        redaction.add(secret: "pa ss")
        redaction.add(name: "an")
        let message = #"user "an" and an@host, not "canal" or an_1: pa ss, pa%20ss, xpa ssx"#
        #expect(
            redaction.redacted(message) == #"user "…" and …@host, not "canal" or an_1: …, …, x…x"#)
    }
}

@Suite("Secrets in a server's errors", .needsServer)
struct SecretTests {
    private static let password = "s3cr3t-p%ss"

    /// Returns all texts that printing an error can show.
    private func texts(of body: () throws -> Void) throws -> String {
        let error = try #require(throws: PostgreSQLError.self, performing: body)
        var dumped = ""
        dump(error, to: &dumped)
        return "\(error) \(String(reflecting: error)) \(error.localizedDescription) \(dumped)"
    }

    private func expectNone(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        for secret in [Self.password, "s3cr3t", "guarded", "nobody"] {
            #expect(!text.contains(secret), sourceLocation: sourceLocation)
        }
    }

    @Test(
        "The right password connects, and no message contains a password, right or wrong",
        .enabled(if: ProcessInfo.processInfo.environment["CORE_DATA_TEST_POSTGRESQL"] == nil))
    func passwords() throws {
        let admin = try Database.connect()
        try admin.execute("DROP ROLE IF EXISTS guarded; CREATE ROLE guarded LOGIN PASSWORD 's3cr3t-p%ss'")
        let server = try TestServer.shared()
        let url = "postgresql://127.0.0.1:\(server.port)/postgres"
        let right = try ConnectionOptions(url, user: TestServer.passwordRole, password: Self.password)
        let connection = try PostgreSQLConnection(right)
        expectNone(try texts { try connection.execute("SELECT 1 FROM missing") })
        // The server's own message names the role.
        expectNone(try texts { try connection.execute("SET ROLE postgres") })
        var dumped = ""
        dump(connection, to: &dumped)
        dump(right.redaction, to: &dumped)
        expectNone("\(dumped) \(connection) \(right.redaction) \(String(reflecting: right.redaction))")
        connection.close()
        let wrong = try ConnectionOptions(url, user: TestServer.passwordRole, password: "s3cr3t-wrong")
        let text = try texts { _ = try PostgreSQLConnection(wrong) }
        expectNone(text)
        #expect(text.contains("authentication"))
        let none = try ConnectionOptions(url, user: TestServer.passwordRole)
        expectNone(try texts { _ = try PostgreSQLConnection(none) })
        try admin.execute("DROP ROLE guarded")
    }

    @Test("The error for an unknown user, host or service does not name the user")
    func unknown() throws {
        let server = try TestServer.shared()
        for place in ["127.0.0.1:\(server.port)/postgres", "127.0.0.1:1/postgres", "host.invalid/postgres"] {
            let options = try ConnectionOptions("postgresql://nobody:s3cr3t@\(place)")
            expectNone(try texts { _ = try PostgreSQLConnection(options) })
        }
        let service = try ConnectionOptions("postgresql://nobody:s3cr3t@/?service=missing")
        expectNone(try texts { _ = try PostgreSQLConnection(service) })
    }
}
