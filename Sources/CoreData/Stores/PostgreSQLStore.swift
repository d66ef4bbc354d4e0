import CoreDataStore

/// A store in a PostgreSQL database.
final class PostgreSQLStore: DatabaseStore, @unchecked Sendable {
    override var type: String { PostgreSQLStoreType }

    override class func driver() throws -> any DatabaseStores.Type { try postgreSQLStores() }
}
