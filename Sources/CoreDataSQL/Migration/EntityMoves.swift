import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The destinations of each entity's rows: the table, the entity number, the keys.
///
/// Each table of the new model is made from an old one, its base, if there is one. Rows that come from other
/// tables, because an entity has changed its place in the hierarchy, are copied; their keys are shifted above
/// those that the table has.
struct EntityMoves {
    struct Move {
        let source: EntityIndex
        let destination: EntityIndex
        let oldNumber: Int64
        let newNumber: Int64
        let oldTable: SQLIdentifier
        let newTable: SQLIdentifier
        /// The offset of the new keys; nil if the rows stay in their table, which may be renamed.
        let copiedWithOffset: Int64?

        var offset: Int64 { copiedWithOffset ?? 0 }
    }

    /// The moves by entity of the destination.
    let moves: [EntityIndex: Move]
    /// The old table that each new one is made from.
    let bases: [SQLIdentifier: SQLIdentifier]
    /// The entities of the source whose objects are removed.
    let removed: [EntityIndex]
    /// The highest key of each new table.
    let highestKeys: [SQLIdentifier: Int64]

    init(
        _ evolution: ModelEvolution, from source: StoreSchema, to target: StoreSchema,
        _ highest: [SQLIdentifier: Int64]
    ) {
        var pairs: [(source: EntityTable, destination: EntityTable)] = []
        var removed: [EntityIndex] = []
        for table in source.entities.compactMap({ $0 }) {
            if let successor = evolution.successor(of: table.entity), let new = target[successor] {
                pairs.append((table, new))
            } else {
                removed.append(table.entity)
            }
        }
        let bases = Self.bases(pairs, evolution, target)
        var moves: [EntityIndex: Move] = [:]
        var offsets: [SQLIdentifier: [SQLIdentifier: Int64]] = [:]
        var keys: [SQLIdentifier: Int64] = [:]
        for (table, base) in bases { keys[table] = highest[base] ?? 0 }
        for (old, new) in pairs.sorted(by: \.destination.number) {
            var offset: Int64?
            if bases[new.tableName] != old.tableName {
                if offsets[new.tableName]?[old.tableName] == nil {
                    let shift = keys[new.tableName] ?? 0
                    offsets[new.tableName, default: [:]][old.tableName] = shift
                    keys[new.tableName] = shift + (highest[old.tableName] ?? 0)
                }
                offset = offsets[new.tableName]?[old.tableName]
            }
            moves[new.entity] = Move(
                source: old.entity, destination: new.entity, oldNumber: old.number, newNumber: new.number,
                oldTable: old.tableName, newTable: new.tableName, copiedWithOffset: offset)
        }
        self.moves = moves
        self.bases = bases
        self.removed = removed
        highestKeys = keys
    }

    /// Returns the bases: for a tree whose root was a root before, that root's table; for another tree, the
    /// first table that has rows for it and is no other tree's base.
    private static func bases(
        _ pairs: [(source: EntityTable, destination: EntityTable)], _ evolution: ModelEvolution,
        _ target: StoreSchema
    ) -> [SQLIdentifier: SQLIdentifier] {
        var bases: [SQLIdentifier: SQLIdentifier] = [:]
        let (old, new) = (evolution.source, evolution.destination)
        for (source, destination) in pairs
        where old[source.entity].root == source.entity && new[destination.entity].root == destination.entity {
            bases[destination.tableName] = source.tableName
        }
        for (source, destination) in pairs.sorted(by: \.destination.number)
        where bases[destination.tableName] == nil && !bases.values.contains(source.tableName) {
            bases[destination.tableName] = source.tableName
        }
        return bases
    }

    /// The new number by the old one, for entities that keep their objects and get another number.
    var changedNumbers: [Int64: Int64] {
        var result: [Int64: Int64] = [:]
        for move in moves.values where move.oldNumber != move.newNumber {
            result[move.oldNumber] = move.newNumber
        }
        return result
    }

    /// The moves of entities whose rows are copied to another table, by number.
    var copies: [Move] {
        moves.values.filter { $0.copiedWithOffset != nil }.sorted(by: \.newNumber)
    }

    /// The copies whose rows get other keys.
    var shifted: [Move] { copies.filter { $0.offset != 0 } }

    /// Returns the new key of a row of an old table, whether the row has been copied yet or not.
    func newKey(in table: SQLIdentifier) -> SQLText {
        let offsets = shifted.filter { $0.oldTable == table }.map { ($0.newNumber, $0.offset) }
        if offsets.isEmpty { return "Z_PK" }
        let offset = SQLText.choice("Z_ENT", Dictionary(uniqueKeysWithValues: offsets), otherwise: "0")
        return "Z_PK + \(offset)"
    }
}
