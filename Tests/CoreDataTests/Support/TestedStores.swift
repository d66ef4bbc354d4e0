import CoreData
import CoreDataPostgreSQL
import Foundation
import PostgreSQLTestSupport
import Testing

extension NSPersistentStore.StoreType {
    /// The type of the stores of tests that do not ask for one: that in `CORE_DATA_TEST_STORE`, or SQLite.
    static let tested = Self(
        rawValue: ProcessInfo.processInfo.environment["CORE_DATA_TEST_STORE"] ?? NSSQLiteStoreType)
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

extension Trait where Self == ConditionTrait {
    /// Skips a test where no PostgreSQL server can be had, and says so.
    static var needsServer: Self { .enabled(if: TestServer.isAvailable, "\(TestServer.absence)") }
}
