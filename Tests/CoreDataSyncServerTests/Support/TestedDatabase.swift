import CoreDataSyncServer
import Foundation
#if PostgreSQL
import CoreDataLibpq
import CoreDataSQL
import PostgreSQLTestSupport
#endif

/// The databases on which the tests of the server run.
enum TestedDatabase: Hashable, Sendable {
    case sqlite, postgreSQL

    static var all: [TestedDatabase] { hasServer ? [.sqlite, .postgreSQL] : [.sqlite] }

    /// Whether there is a PostgreSQL server for tests.
    static var hasServer: Bool {
        #if PostgreSQL
        return PostgreSQLTestSupport.TestServer.isAvailable
        #else
        return false
        #endif
    }
}

#if PostgreSQL
/// A schema of the PostgreSQL server for tests, which goes with the test.
final class TestSchema: Sendable {
    private let name = "syncd_\(UUID().uuidString.prefix(8).lowercased())"
    let url: String

    init() throws {
        url = try PostgreSQLTestSupport.TestServer.shared().url(with: "schema=\(name)")
    }

    /// Connects beside the server.
    func connect() throws -> PostgreSQLConnection { try PostgreSQLConnection(try ConnectionOptions(url)) }

    deinit { try? connect().execute("DROP SCHEMA IF EXISTS \(SQLIdentifier(name)) CASCADE") }
}
#endif
