import CoreData
import CoreDataLibpq
import CoreDataPostgreSQL
import CoreDataSQL
import Foundation
import Testing

@MainActor @Suite("Errors of a PostgreSQL server", .needsServer)
struct ServerErrorTests {
    @Test("An error names the SQLSTATE, and has no code of SQLite")
    func state() throws {
        let url = try Place.new()
        let store = try ItemStore(
            ItemStore.model([ItemStore.attribute("n", .integer64AttributeType)]), at: url)
        try PostgreSQLConnection(ConnectionOptions(url.absoluteString)).execute("DROP TABLE zitem CASCADE")
        let error = try #require(throws: NSError.self) { try store.context.fetch(store.request()) }
        #expect(error.code == NSPersistentStoreIncompatibleVersionHashError)
        #expect("\(error.userInfo)".contains("42P01"))
        #expect(error.userInfo[NSSQLiteErrorDomain] == nil)
    }
}
