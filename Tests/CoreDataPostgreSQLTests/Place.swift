import Foundation
import PostgreSQLTestSupport
import Testing

/// The places of stores on the tests' server.
enum Place {
    /// Returns the URL of a schema, which a store makes if need be.
    static func url(schema: String) throws -> URL {
        try #require(URL(string: TestServer.shared().url(with: "schema=\(schema)")))
    }

    /// Returns the URL of a schema that nothing else uses.
    static func new() throws -> URL { try url(schema: "test-\(UUID().uuidString)") }
}

extension Trait where Self == ConditionTrait {
    /// Skips a suite where no server can be had, and says so.
    static var needsServer: Self {
        .enabled(if: TestServer.isAvailable, "\(TestServer.absence)")
    }
}
