/// The names a store gives to tables and columns (sqlite-store §4, §5, §8).
package enum NameMangling {
    package static let key = SQLIdentifier("Z_PK")
    package static let entity = SQLIdentifier("Z_ENT")
    package static let version = SQLIdentifier("Z_OPT")

    /// The table of an inheritance tree, by the name of its root.
    package static func table(_ rootName: String) -> SQLIdentifier {
        SQLIdentifier("Z" + rootName.uppercased())
    }

    package static func column(_ propertyName: String) -> SQLIdentifier {
        SQLIdentifier("Z" + propertyName.uppercased())
    }

    /// The entity number beside a to-one column, named by the number of the declared destination.
    package static func entityColumn(_ relationship: String, destination: Int64) -> SQLIdentifier {
        SQLIdentifier("Z\(destination)_\(relationship.uppercased())")
    }

    /// The position in the ordered to-many on the other side.
    package static func orderColumn(_ relationship: String) -> SQLIdentifier {
        SQLIdentifier(orderPrefix + relationship.uppercased())
    }

    private static let orderPrefix = "Z_FOK_"

    /// Returns whether a name is formed like that of an order column.
    static func mayBeOrderColumn(_ name: SQLIdentifier) -> Bool { name.name.hasPrefix(orderPrefix) }

    /// The column a to-many without inverse has in its destination's table.
    package static func ownColumn(_ relationship: String, owner: Int64) -> SQLIdentifier {
        SQLIdentifier("Z\(owner)\(relationship.uppercased())")
    }

    /// The order column that belongs to such a column.
    package static func ownOrderColumn(_ column: SQLIdentifier) -> SQLIdentifier {
        SQLIdentifier(orderPrefix + column.name.dropFirst())
    }

    /// A join table, and each of its columns: the number of an entity and a relationship.
    package static func join(_ entity: Int64, _ relationship: String) -> SQLIdentifier {
        SQLIdentifier("Z_\(entity)\(relationship.uppercased())")
    }

    /// The order column that belongs to a key column of a join table.
    package static func joinOrderColumn(_ column: SQLIdentifier) -> SQLIdentifier {
        SQLIdentifier(orderPrefix + (column == reflexive ? column.name[...] : column.name.dropFirst(2)))
    }

    /// The index of a column.
    static func index(on column: SQLIdentifier, of table: SQLIdentifier) -> SQLIdentifier {
        SQLIdentifier("\(table)_\(column)_INDEX")
    }

    /// A fetch index.
    static func index(_ name: String, of entity: String) -> SQLIdentifier {
        SQLIdentifier("Z_\(entity)_\(name)")
    }

    /// A compound index of old models, which has no name there.
    static func index(over columns: [SQLIdentifier], of table: SQLIdentifier) -> SQLIdentifier {
        SQLIdentifier("\(table)_\(columns.map(\.name).joined(separator: "_"))")
    }

    /// The index of a uniqueness constraint.
    static func constraint(_ properties: [String], of entity: String) -> SQLIdentifier {
        SQLIdentifier("Z_\(entity)_UNIQUE_\(properties.joined(separator: "_"))")
    }

    /// What a store has beside the tables of its entities.
    static let bookkeeping = Set(["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"].map(SQLIdentifier.init))

    package static let reflexive = SQLIdentifier("REFLEXIVE")
}

/// Hands out names within one namespace: the first to ask for a name gets it, later ones a number behind it.
struct NameScope {
    private var taken: Set<SQLIdentifier>

    init(_ reserved: Set<SQLIdentifier> = []) {
        taken = reserved
    }

    mutating func claim(_ name: SQLIdentifier) -> SQLIdentifier {
        var candidate = name
        var suffix = 0
        while !taken.insert(candidate).inserted {
            suffix += 1
            candidate = SQLIdentifier(name.name + String(suffix))
        }
        return candidate
    }
}
