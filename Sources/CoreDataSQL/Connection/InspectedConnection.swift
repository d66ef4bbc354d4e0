package import CoreDataStore

/// Stores whose databases tools read by SQL of their own.
package protocol InspectableStores: DatabaseStores {
    associatedtype Connection: InspectedConnection

    /// Opens a connection that only reads. The caller closes it.
    static func inspect(_ place: String) throws(StoreError) -> Connection
}

/// A connection for SQL that no backend runs.
package protocol InspectedConnection: SQLConnection {
    var dialect: any SQLDialect { get }

    /// Returns whether the store has a table of this name.
    func hasTable(_ name: String) throws(SQLError) -> Bool
    /// Returns the database's plan of a query, which is not run: one line for each step, indented below the
    /// step that it belongs to.
    func plan(of query: SQLFragment) throws(SQLError) -> [String]
    /// Returns the damage to the database that it can find itself, one sentence for each.
    ///
    /// - Parameters:
    ///   - isQuick: Whether the comparison of indexes with their tables is left out.
    ///   - count: The greatest number of sentences.
    func damage(isQuick: Bool, atMost count: Int) throws(SQLError) -> [String]
    func facts() throws(SQLError) -> DatabaseFacts
    /// Returns the highest key that new rows of a table of a root entity will not get any more.
    func highestKey(of table: EntityTable) throws(SQLError) -> Int64
}

/// Facts about a database, as it reports them.
package struct DatabaseFacts: Sendable, Equatable {
    package enum Medium: Sendable, Equatable {
        case file(pageSize: Int64, freePageCount: Int64, journalMode: String)
        case server(version: String, schema: String, size: Int64)
    }

    package let medium: Medium
    package let indexCount: Int64
    package let triggerCount: Int64

    package init(_ medium: Medium, indexCount: Int64, triggerCount: Int64) {
        (self.medium, self.indexCount, self.triggerCount) = (medium, indexCount, triggerCount)
    }
}
