import CoreDataModelFormat
package import CoreDataStore
package import CoreDataValues

/// The rows that upserts have written.
package struct UpsertReceipt {
    package var inserted: [ObjectReference] = []
    /// The stored rows that changed, with the columns that were written.
    package var updated: [(reference: ObjectReference, columns: ColumnMask)] = []
    /// The number of rows that were written without being named, so that they may be new or stored ones.
    package var unnamedCount = 0
    /// Whether one of these may be a stored row.
    package var mayChangeStored = false

    package init() {}

    /// Notes that a row was written.
    ///
    /// - Parameters:
    ///   - key: The key of the row in the database.
    ///   - number: The number of its entity there.
    ///   - columns: What was written if the row is a stored one.
    package mutating func note(
        _ row: BatchRow, key: Int64, entity number: Int64, _ columns: ColumnMask, in schema: StoreSchema
    ) {
        let own = row.values.reference
        guard key != own.key else { return inserted.append(own) }
        let model = schema.model
        let found = schema.entity(numbered: number, in: model[model[own.entity].root].family) ?? own.entity
        updated.append((ObjectReference(entity: found, key: key), columns))
    }
}
