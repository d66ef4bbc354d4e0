/// The names a store gives to tables and columns (sqlite-store §4, §5, §8).
package enum NameMangling {
    package static let key = "Z_PK"
    package static let entity = "Z_ENT"
    package static let version = "Z_OPT"

    /// The table of an inheritance tree, by the name of its root.
    package static func table(_ rootName: String) -> String { "Z" + rootName.uppercased() }

    package static func column(_ propertyName: String) -> String { "Z" + propertyName.uppercased() }

    /// The entity number beside a to-one column, named by the number of the declared destination.
    package static func entityColumn(_ relationship: String, destination: Int64) -> String {
        "Z\(destination)_\(relationship.uppercased())"
    }

    /// The position in the ordered to-many on the other side.
    package static func orderColumn(_ relationship: String) -> String {
        orderPrefix + relationship.uppercased()
    }

    private static let orderPrefix = "Z_FOK_"

    /// Returns whether a name is formed like that of an order column.
    static func mayBeOrderColumn(_ name: String) -> Bool { name.hasPrefix(orderPrefix) }

    /// The column a to-many without inverse has in its destination's table.
    package static func ownColumn(_ relationship: String, owner: Int64) -> String {
        "Z\(owner)\(relationship.uppercased())"
    }

    /// A join table, and each of its columns: the number of an entity and a relationship.
    package static func join(_ entity: Int64, _ relationship: String) -> String {
        "Z_\(entity)\(relationship.uppercased())"
    }

    /// The order column that belongs to a key column of a join table.
    package static func joinOrderColumn(_ column: String) -> String { orderPrefix + column.dropFirst(2) }

    package static let reflexive = "REFLEXIVE"
}

/// Hands out names within one namespace: the first to ask for a name gets it, later ones a number behind it.
struct NameScope {
    private var taken: Set<String>

    init(_ reserved: Set<String> = []) {
        taken = reserved
    }

    mutating func claim(_ name: String) -> String {
        var candidate = name
        var suffix = 0
        while !taken.insert(candidate).inserted {
            suffix += 1
            candidate = name + String(suffix)
        }
        return candidate
    }
}
