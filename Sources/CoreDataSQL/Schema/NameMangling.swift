/// The names that a store gives to tables and columns (sqlite-store §4, §5, §8).
///
/// The columns of every table have constants for code that passes names on. Statements that are written out
/// spell them, `Z_PK`, `Z_ENT` and `Z_OPT`, since they then read as the SQL that runs, and the file format does
/// not let these names change.
package enum NameMangling {
    package static let key = SQLIdentifier("Z_PK")
    package static let entity = SQLIdentifier("Z_ENT")
    package static let version = SQLIdentifier("Z_OPT")

    /// Returns the table of an inheritance tree, by the name of its root.
    package static func table(_ rootName: String) -> SQLIdentifier {
        SQLIdentifier("Z" + rootName.uppercased())
    }

    package static func column(_ propertyName: String) -> SQLIdentifier {
        SQLIdentifier("Z" + propertyName.uppercased())
    }

    /// Returns the column of the entity number beside a to-one column, named by the number of the declared
    /// destination.
    package static func entityColumn(_ relationship: String, destination: Int64) -> SQLIdentifier {
        SQLIdentifier("Z\(destination)_\(relationship.uppercased())")
    }

    /// Returns the column of the position in the ordered to-many on the other side.
    package static func orderColumn(_ relationship: String) -> SQLIdentifier {
        SQLIdentifier(orderPrefix + relationship.uppercased())
    }

    private static let orderPrefix = "Z_FOK_"

    /// Returns whether a name is formed like that of an order column.
    static func mayBeOrderColumn(_ name: SQLIdentifier) -> Bool { name.name.hasPrefix(orderPrefix) }

    /// Returns the column that a to-many without inverse has in its destination's table.
    package static func ownColumn(_ relationship: String, owner: Int64) -> SQLIdentifier {
        SQLIdentifier("Z\(owner)\(relationship.uppercased())")
    }

    /// Returns the order column beside the column of a to-many without inverse.
    package static func ownOrderColumn(_ column: SQLIdentifier) -> SQLIdentifier {
        SQLIdentifier(orderPrefix + column.name.dropFirst())
    }

    /// Returns a join table, or one of its columns: the number of an entity and a relationship.
    package static func join(_ entity: Int64, _ relationship: String) -> SQLIdentifier {
        SQLIdentifier("Z_\(entity)\(relationship.uppercased())")
    }

    /// Returns the order column that belongs to a key column of a join table.
    package static func joinOrderColumn(_ column: SQLIdentifier) -> SQLIdentifier {
        SQLIdentifier(orderPrefix + (column == reflexive ? column.name[...] : column.name.dropFirst(2)))
    }

    /// Returns the index of a column.
    static func index(on column: SQLIdentifier, of table: SQLIdentifier) -> SQLIdentifier {
        SQLIdentifier("\(table)_\(column)_INDEX")
    }

    /// Returns a fetch index.
    static func index(_ name: String, of entity: String) -> SQLIdentifier {
        SQLIdentifier("Z_\(entity)_\(name)")
    }

    /// Returns a compound index of an old model, which does not name it.
    static func index(over columns: [SQLIdentifier], of table: SQLIdentifier) -> SQLIdentifier {
        SQLIdentifier("\(table)_\(columns.map(\.name).joined(separator: "_"))")
    }

    /// Returns the index of a uniqueness constraint.
    static func constraint(_ properties: [String], of entity: String) -> SQLIdentifier {
        SQLIdentifier("Z_\(entity)_UNIQUE_\(properties.joined(separator: "_"))")
    }

    /// The tables that a store has beside those of its entities.
    static let bookkeeping = Set(["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"].map(SQLIdentifier.init))

    package static let reflexive = SQLIdentifier("REFLEXIVE")
}

/// The names of one namespace. The first claim of a name gets it, later ones get it with a number after it.
///
/// Names that are too long for the database are shortened, in a store equally each time.
struct NameScope {
    private var taken: Set<SQLIdentifier>
    private let dialect: any SchemaDialect

    init(_ reserved: Set<SQLIdentifier> = [], in dialect: any SchemaDialect) {
        taken = reserved
        self.dialect = dialect
    }

    mutating func claim(_ name: SQLIdentifier) -> SQLIdentifier {
        var candidate = fitted(name)
        var suffix = 0
        while !taken.insert(candidate).inserted {
            suffix += 1
            candidate = fitted(SQLIdentifier(name.name + String(suffix)))
        }
        return candidate
    }

    /// Claims the name of a table, and the one that the database gives to the index of its primary key.
    mutating func claim(table name: SQLIdentifier) -> SQLIdentifier {
        let table = claim(name)
        if let suffix = dialect.primaryKeySuffix { _ = claim(SQLIdentifier(table.name + suffix)) }
        return table
    }

    private func fitted(_ name: SQLIdentifier) -> SQLIdentifier {
        dialect.longestName.map(name.shortened) ?? name
    }
}
