package import CoreDataSQL

/// A fault in a store, with its place. Its count, text and remedy are computed from it.
package enum Finding: Sendable, Hashable {
    /// SQLite reports damage to the database itself.
    case damagedDatabase(String)
    /// The metadata or the model in the store cannot be read completely.
    case damagedRecord(String)
    /// Entities have other versions in the store than in the model.
    case differentModel([String])
    /// The tables have no place for a property of the model.
    case missingTables(String)
    /// Rows have the number of an entity that does not belong in their table.
    case strangeEntityNumber(table: SQLIdentifier, number: Int64, count: Int64)
    /// Rows have a key that no store assigns.
    case impossibleKey(table: SQLIdentifier, count: Int64)
    /// Objects refer to an object that is missing.
    case danglingReference(ToOneColumn, count: Int64)
    /// Objects refer to an object of an entity that the relationship does not allow.
    case misdirectedReference(ToOneColumn, count: Int64)
    /// References store another entity beside the key than that of the object.
    case wrongEntityColumn(ToOneColumn, count: Int64)
    /// One-to-one relationships have another side that refers to another object.
    case oneSided(ToOneColumn, inverse: ToOneColumn, count: Int64)
    /// Members of an ordered relationship have no position in its order.
    case missingPosition(OrderedColumn, count: Int64)
    /// Rows of a many-to-many table refer to an object that is missing.
    case danglingMember(JoinEnds, count: Int64)
    /// Rows of a many-to-many table refer to an object of an entity that the relationship does not allow.
    case misdirectedMember(JoinEnds, count: Int64)
    /// The highest key in use is above the recorded one, after which new keys are assigned.
    case lowHighestKey(entity: String, number: Int64, recorded: Int64, used: Int64)
    /// Values are stored in files that are missing or empty.
    case missingFiles(BlobColumn, keys: [Int64])
    /// Stored bytes are neither a value nor the name of a file.
    case unreadableValues(BlobColumn, keys: [Int64])
    /// No row names these files of large values.
    case orphanedFiles([String], size: Int64)
    /// Recorded changes belong to a transaction that is missing.
    case historyWithoutTransaction(count: Int64)
}

/// A to-one relationship, with the columns that store it.
package struct ToOneColumn: Sendable, Hashable {
    /// The name for messages, such as `Book.author`.
    package let property: String
    package let table: SQLIdentifier
    package let column: SQLIdentifier
    package let entityColumn: SQLIdentifier?
    package let orderColumn: SQLIdentifier?
    /// The entity numbers of rows that have the property.
    package let owners: [Int64]
    package let destinationTable: SQLIdentifier
    /// The entity numbers that the relationship allows.
    package let destinations: [Int64]
}

/// The column for the order of an ordered to-many. It is beside the column for the key of the owner, in the
/// members' table or in a join table.
package struct OrderedColumn: Sendable, Hashable {
    package let property: String
    package let table: SQLIdentifier
    package let ownerColumn: SQLIdentifier
    package let orderColumn: SQLIdentifier
    /// The columns that identify a row of the table.
    package let keyColumns: [SQLIdentifier]
}

/// A many-to-many table with its two ends.
package struct JoinEnds: Sendable, Hashable {
    /// A column of the table, with the table that it refers to.
    package struct End: Sendable, Hashable {
        package let column: SQLIdentifier
        package let table: SQLIdentifier
        /// The entity numbers that the relationship allows.
        package let entities: [Int64]
    }

    package let property: String
    package let table: SQLIdentifier
    package let first: End
    package let second: End
}

/// An attribute whose values may be stored in files.
package struct BlobColumn: Sendable, Hashable {
    package let property: String
    package let table: SQLIdentifier
    package let column: SQLIdentifier
    package let owners: [Int64]
}
