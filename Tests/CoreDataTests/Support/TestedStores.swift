import CoreData
import CoreDataPostgreSQL
import Foundation
import PostgreSQLTestSupport
import Testing

extension NSPersistentStore.StoreType {
    /// The type of the stores of tests that do not ask for one: that in `CORE_DATA_TEST_STORE`, or SQLite.
    static let tested = Self(
        rawValue: ProcessInfo.processInfo.environment["CORE_DATA_TEST_STORE"] ?? NSSQLiteStoreType)

    /// The types for tests of every type of store: only that in `CORE_DATA_TEST_STORE`, or all that can be had.
    static let all: [Self] =
        tested != .sqlite
        ? [tested] : [.sqlite, .inMemory, .xml, .binary] + (TestServer.isAvailable ? [.postgreSQL] : [])
}

extension ScratchFolder {
    /// Returns the place of a store of a type: a file in the folder, or a schema on the tests' server.
    func place(_ type: NSPersistentStore.StoreType, _ name: String? = nil) throws -> URL {
        let file = name.map { self.file($0) } ?? self.file()
        guard type == .postgreSQL else { return file }
        let schema = file.pathComponents.suffix(2).joined(separator: "-")
        return try #require(URL(string: TestServer.shared().url(with: "schema=\(schema)")))
    }
}

extension ScratchFolder {
    /// Returns how the places of a store end that the log of statements has.
    static func logged(_ url: URL) -> String {
        url.isFileURL ? url.path : url.absoluteString.components(separatedBy: "&").last ?? ""
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test of what only stores in SQLite files have, if tests use stores of another type.
    ///
    /// - Parameter matter: What the test is about.
    static func ofSQLite(_ matter: Comment) -> Self {
        .enabled(if: NSPersistentStore.StoreType.tested == .sqlite, matter)
    }

    /// Skips a test where no PostgreSQL server can be had, and says so.
    static var needsServer: Self { .enabled(if: TestServer.isAvailable, "\(TestServer.absence)") }
}
