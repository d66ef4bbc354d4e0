import CoreDataJSON
import CoreDataSyncCore
import CoreDataSyncServer
import Testing

@Suite("The configuration")
struct ConfigurationTests {
    private static func read(
        _ text: String, _ environment: [String: String] = [:]
    ) throws -> ServerSettings {
        try ServerSettings(try JSONParser.parse(text), environment: environment)
    }

    private static let least = """
        "data": "/d", "tokens": [{"user": "anna", "token": "a-long-enough-secret"}]
        """

    @Test("A file says everything, and what it leaves out has a default")
    func file() throws {
        let configuration = try Self.read(
            """
            {"data": "/var/d", "listen": "[::1]:9000", "tls": {"certificate": "c.pem", "key": "k.pem"},
             "http2": true, "retentionDays": 30, "log": "debug", "allowsNewModels": false,
             "metricsToken": "another-long-secret-x",
             "tokens": [
               {"user": "anna", "token": "a-long-enough-secret", "zones": {"ben:Home": "reader", "Own": "owner"}},
               {"user": "ben", "sha256": "\(String(repeating: "0f", count: 32))"}],
             "jwt": {"audience": "app", "issuer": "me", "keys": ["a.pem"], "keySet": "set.json"},
             "limits": {"zones": 3, "zoneBytes": 1000, "requestsPerSecond": 7},
             "database": "postgresql:///sync", "connections": 3,
             "policy": {"Loan": {"writer": ["insert", "update"], "owner": []}}}
            """)
        #expect(configuration.data == "/var/d" && configuration.host == "::1" && configuration.port == 9000)
        #expect(configuration.tls == .init(certificate: "c.pem", key: "k.pem") && configuration.http2)
        #expect(configuration.retention == 30 && configuration.logLevel == "debug")
        #expect(!configuration.allowsNewModels)
        #expect(configuration.place.database == "postgresql:///sync" && configuration.connections == 3)
        #expect(configuration.policies[.writer]?.allowed == ["Loan": [.insert, .update]])
        #expect(configuration.policies[.owner]?.allowed == ["Loan": []])
        #expect(configuration.metrics == StaticTokens.digest(of: "another-long-secret-x"))
        #expect(configuration.tokens.count == 2)
        #expect(
            configuration.tokens[0].caller.grants == [
                ZoneName(owner: "ben", name: "Home")!: .reader,
                ZoneName(owner: "anna", name: "Own")!: .owner,
            ])
        #expect(configuration.tokens[1].digest == [UInt8](repeating: 0x0F, count: 32))
        #expect(configuration.jwt?.issuer == "me" && configuration.jwt?.keys == ["a.pem"])
        #expect(configuration.limits.zones == 3 && configuration.limits.requestsPerSecond == 7)
        let least = try Self.read("{\(Self.least)}")
        #expect(least.port == 8080 && least.host == "127.0.0.1" && least.retention == 180)
        #expect(least.limits == ServiceLimits() && least.metrics == nil && least.tls == nil)
    }

    @Test("The environment counts more than the file, and is enough by itself")
    func environment() throws {
        let both = try Self.read(
            "{\(Self.least)}",
            [
                "COREDATA_SYNCD_DATA": "/e", "COREDATA_SYNCD_LISTEN": "0.0.0.0:1",
                "COREDATA_SYNCD_LOG": "error", "COREDATA_SYNCD_TOKENS": "ben=secret=with=signs-in-it",
            ])
        #expect(both.data == "/e" && both.host == "0.0.0.0" && both.port == 1 && both.logLevel == "error")
        #expect(both.tokens.map(\.caller.user) == ["anna", "ben"])
        #expect(both.tokens[1].digest == StaticTokens.digest(of: "secret=with=signs-in-it"))
        let alone = try ServerSettings(
            nil,
            environment: [
                "COREDATA_SYNCD_DATA": "/e", "COREDATA_SYNCD_TOKENS": "ben=a-long-enough-secret",
            ])
        #expect(alone.tokens.count == 1)
    }

    @Test(
        "A mistake is named by its place",
        arguments: [
            (#"{"tokens": []}"#, "data"), (#"{"data": "/d"}"#, "neither tokens nor jwt"),
            (#"{\#(least), "listne": "x"}"#, "listne"), (#"{\#(least), "listen": "x"}"#, "listen"),
            (#"{\#(least), "listen": "x:70000"}"#, "listen"), (#"{\#(least), "http2": true}"#, "http2"),
            (#"{\#(least), "limits": {"zones": 0}}"#, "limits.zones"),
            (#"{\#(least), "limits": {"zone": 1}}"#, "limits.zone"),
            (#"{\#(least), "retentionDays": "30"}"#, "retentionDays"),
            (#"{\#(least), "log": "loud"}"#, "log"), (#"{\#(least), "tls": {"key": "k"}}"#, "tls"),
            (#"{\#(least), "jwt": {"keys": ["a"]}}"#, "jwt.audience"),
            (#"{\#(least), "jwt": {"audience": "a"}}"#, "jwt"),
            (#"{"data": "/d", "tokens": [{"user": "a", "token": "short"}]}"#, "tokens[0].token"),
            (#"{"data": "/d", "tokens": [{"user": "a"}]}"#, "tokens[0]"),
            (#"{"data": "/d", "tokens": [{"user": "a", "sha256": "ff"}]}"#, "tokens[0].sha256"),
            (
                #"{"data": "/d", "tokens": [{"user": "a", "token": "a-long-enough-secret", "zones": {"b c": "reader"}}]}"#,
                "tokens[0].zones.b c"
            ),
            (
                #"{"data": "/d", "tokens": [{"user": "a", "token": "a-long-enough-secret", "zones": {"b": "king"}}]}"#,
                "tokens[0].zones.b"
            ),
            (#"{"data": 7}"#, "data"), (#"[]"#, "object"),
        ])
    func mistakes(text: String, place: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try Self.read(text) }
        #expect(error.description.contains(place), "\(error)")
    }
}
