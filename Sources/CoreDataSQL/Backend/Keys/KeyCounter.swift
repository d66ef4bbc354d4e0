import CoreDataModelFormat
import CoreDataStore
package import CoreDataValues

/// Keys from Z_MAX of the root entity, which is raised in the transaction of the caller (sqlite-store §2).
///
/// It fits a database with one writer at a time: other transactions would read the number before this one has
/// raised it, or wait for this one to end.
package struct KeyCounter: KeyAllocator {
    private let schema: StoreSchema

    package init(_ schema: StoreSchema) { self.schema = schema }

    package var needsTransaction: Bool { true }

    package func keys(
        _ count: Int, of entity: EntityIndex, on connection: any SQLConnection
    ) throws(SQLError) -> NewKeys {
        let root = schema.model[entity].root
        guard let number = schema[root]?.number else { throw schema.missing(root) }
        let first = try Self.keys(count, number: number, on: connection)
        return NewKeys(first..<first + Int64(count))
    }

    /// Returns the first of `count` new keys by entity number, for the store's own tables too.
    static func keys(
        _ count: Int,
        number: Int64,
        on connection: any SQLConnection
    ) throws(SQLError) -> Int64 {
        let highest = try highestKey(number, on: connection)
        // Negative keys are those of rows that are not saved yet.
        let (last, isTooHigh) = highest.addingReportingOverflow(Int64(count))
        guard highest >= 0, !isTooHigh, last < .max else {
            throw SQLError(
                kind: .corrupt, code: 11,
                message: "Z_PRIMARYKEY has no sensible highest key for the number \(number)", sql: nil)
        }
        let statement = try connection.prepare(raise)
        try statement.bind(last, at: 1)
        try statement.bind(number, at: 2)
        _ = try statement.step()
        return highest + 1
    }

    private static let highest: SQLText =
        "SELECT COALESCE(Z_MAX, 0) FROM Z_PRIMARYKEY WHERE Z_ENT = \(placeholder: .integer)"
    /// `RETURNING` would make a temporary table for its rows.
    private static let raise: SQLText =
        "UPDATE Z_PRIMARYKEY SET Z_MAX = \(placeholder: .integer) WHERE Z_ENT = \(placeholder: .integer)"

    private static func highestKey(_ number: Int64, on connection: any SQLConnection) throws(SQLError)
        -> Int64
    {
        let statement = try connection.prepare(highest)
        try statement.bind(number, at: 1)
        defer { statement.reset() }
        if try statement.step() { return statement.integer(at: 0) }
        guard let note = HistorySchema.entityNote(number) else {
            throw SQLError(
                kind: .corrupt, code: 11, message: "Z_PRIMARYKEY has no row \(number)", sql: nil)
        }
        // Apple's framework notes the tables of a history with its first transaction.
        _ = try connection.run(note)
        statement.reset()
        return try statement.step() ? statement.integer(at: 0) : 0
    }
}

extension StoreSchema {
    /// Returns the error for keys of an entity that the store does not hold.
    func missing(_ entity: EntityIndex) -> SQLError {
        SQLError(
            kind: .other, code: 1, message: "\(model[entity].name) is not in this store", sql: nil)
    }
}
