package import CoreDataSQL

/// Something wrong in a store: what and where. How many, how bad and what would repair it follow from that.
package enum Finding: Sendable, Hashable {
    /// The database itself is damaged, as SQLite says it.
    case damagedDatabase(String)
    /// The metadata or the model in the store, of which something cannot be read.
    case damagedRecord(String)
    /// Entities whose versions in the store are not those of the model.
    case differentModel([String])
    /// The model has a property that the tables have no place for.
    case missingTables(String)
    /// Rows whose entity number is none of those that belong into their table.
    case strangeEntityNumber(table: SQLIdentifier, number: Int64, count: Int64)
    /// Rows with a key that no store gives out.
    case impossibleKey(table: SQLIdentifier, count: Int64)
    /// Objects that refer to one that is not there.
    case danglingReference(ToOneColumn, count: Int64)
    /// Objects that refer to one of an entity that the relationship does not lead to.
    case misdirectedReference(ToOneColumn, count: Int64)
    /// References that name another entity beside the key than the object has.
    case wrongEntityColumn(ToOneColumn, count: Int64)
    /// One-to-one relationships whose other side leads elsewhere.
    case oneSided(ToOneColumn, inverse: ToOneColumn, count: Int64)
    /// Members of an ordered relationship without a place in its order.
    case missingPosition(OrderedColumn, count: Int64)
    /// Rows of a many-to-many table of which one end is not there.
    case danglingMember(JoinEnds, count: Int64)
    /// The highest key in use is above the one that the store counts on from.
    case lowHighestKey(entity: String, number: Int64, recorded: Int64, used: Int64)
    /// Values that lie in files which are not there, or empty.
    case missingFiles(BlobColumn, keys: [Int64])
    /// Bytes that are neither a value nor the name of a file.
    case unreadableValues(BlobColumn, keys: [Int64])
    /// Files of big values that no row names.
    case orphanedFiles([String], size: Int64)
    /// Recorded changes whose transaction is not there.
    case historyWithoutTransaction(count: Int64)
}

/// A to-one relationship, and where its table keeps it.
package struct ToOneColumn: Sendable, Hashable {
    /// `Book.author`.
    package let property: String
    package let table: SQLIdentifier
    package let column: SQLIdentifier
    package let entityColumn: SQLIdentifier?
    package let orderColumn: SQLIdentifier?
    /// The entity numbers of rows that have the property.
    package let owners: [Int64]
    package let destinationTable: SQLIdentifier
    /// The entity numbers it may lead to.
    package let destinations: [Int64]
}

/// Where the order of an ordered to-many lies: beside the key of the owner, in the members' table or in a join table.
package struct OrderedColumn: Sendable, Hashable {
    package let property: String
    package let table: SQLIdentifier
    package let ownerColumn: SQLIdentifier
    package let orderColumn: SQLIdentifier
    /// What tells rows of the table apart.
    package let keyColumns: [SQLIdentifier]
}

/// A many-to-many table, and the tables its columns lead to.
package struct JoinEnds: Sendable, Hashable {
    package let property: String
    package let table: SQLIdentifier
    package let firstColumn: SQLIdentifier
    package let firstTable: SQLIdentifier
    package let secondColumn: SQLIdentifier
    package let secondTable: SQLIdentifier
}

/// An attribute whose values may lie in files.
package struct BlobColumn: Sendable, Hashable {
    package let property: String
    package let table: SQLIdentifier
    package let column: SQLIdentifier
    package let owners: [Int64]
}
