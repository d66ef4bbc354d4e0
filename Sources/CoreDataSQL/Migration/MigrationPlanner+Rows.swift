import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

// Rows: the removed ones, their entity numbers, their way to other tables.
extension MigrationPlanner {
    // MARK: Objects that go

    mutating func removeObjects() {
        let removed = Set(moves.removed)
        for table in source.entities.compactMap({ $0 }) where removed.contains(table.entity) {
            releaseExternals(of: table)
        }
        // References to the removed rows from objects that stay are cleared.
        let numbers = Dictionary(grouping: removed.compactMap { source[$0] }, by: \.tableName)
            .mapValues { $0.map(\.number).sorted() }
        func remains(_ table: SQLIdentifier) -> Bool { moves.moves.values.contains { $0.oldTable == table } }
        for table in source.entities.compactMap({ $0 }) {
            for slot in evolution.source[table.entity].slots where slot.declaringEntity == table.entity {
                guard let relationship = slot.relationship, !slot.isTransient else { continue }
                if let column = slot.column.map({ table.columns[$0] }) {
                    unlink(column, in: table.tableName, from: relationship, numbers)
                } else if let storage = table.toMany[slot.index] {
                    unlink(storage, of: table, numbers)
                }
            }
        }
        for (table, numbers) in numbers.sorted(by: { $0.key < $1.key }) where remains(table) {
            plan.run(
                "remove the objects of entities that are gone", .scans(table),
                SQLFragment("DELETE FROM \(table) WHERE \(Self.isOne(of: numbers, NameMangling.entity))"))
        }
    }

    private mutating func releaseExternals(of table: EntityTable) {
        for (name, slot) in externalColumns(of: table.entity) {
            plan.release(
                "release the files of \(evolution.source[table.entity].name).\(slot.name)",
                SQLFragment(
                    """
                    SELECT \(name) FROM \(table.tableName) WHERE Z_ENT = \(table.number) \
                    AND length(\(name)) = 38
                    """))
        }
    }

    /// Clears a to-one relationship to removed entities.
    ///
    /// One whose destination has subentities says by a number which it leads to; one whose destination is
    /// removed as a whole is removed itself.
    private mutating func unlink(
        _ column: StoredColumn, in table: SQLIdentifier, from relationship: RelationshipSlot,
        _ removed: [SQLIdentifier: [Int64]]
    ) {
        guard let entity = column.entityColumn, let destination = source[relationship.destination] else {
            return
        }
        let family = evolution.source[relationship.destination].family.compactMap { source[$0]?.number }
        let gone = (removed[destination.tableName] ?? []).filter(family.contains)
        guard !gone.isEmpty else { return }
        let cleared = Self.cleared([column.name, entity, column.orderColumn].compactMap { $0 })
        plan.run(
            "clear references to removed objects", .scans(table),
            SQLFragment(
                "UPDATE \(table) SET \(cleared) WHERE \(Self.isOne(of: gone, entity))"
            ))
    }

    private mutating func unlink(
        _ storage: ToManyStorage, of table: EntityTable, _ removed: [SQLIdentifier: [Int64]]
    ) {
        guard let numbers = removed[table.tableName] else { return }
        let keys: SQLText =
            "SELECT Z_PK FROM \(table.tableName) WHERE \(Self.isOne(of: numbers, NameMangling.entity))"
        let title = "clear references to removed objects"
        switch storage {
        case .join(let join, let owner, let member, _, let isReflexive):
            for column in isReflexive ? [owner, member] : [owner] {
                plan.run(title, .scans(join), SQLFragment("DELETE FROM \(join) WHERE \(column) IN (\(keys))"))
            }
        case .foreignKey(let members, let column, let order, true):
            let cleared = Self.cleared([column, order].compactMap { $0 })
            plan.run(
                title, .scans(members),
                SQLFragment("UPDATE \(members) SET \(cleared) WHERE \(column) IN (\(keys))"))
        case .foreignKey: break
        }
    }

    // MARK: Entity numbers

    /// Replaces entity numbers, since adding an entity renumbers others (sqlite-store §3).
    mutating func renumber() {
        let changed = moves.changedNumbers
        guard !changed.isEmpty else { return }
        func renumber(
            _ column: SQLIdentifier, in table: SQLIdentifier, _ numbers: [Int64: Int64], _ title: String
        ) {
            if numbers.isEmpty { return }
            plan.run(
                title, .scans(table),
                SQLFragment(
                    """
                    UPDATE \(table) SET \(column) = \(Self.choice("\(column)", numbers)) \
                    WHERE \(Self.isOne(of: numbers.keys.sorted(), column))
                    """))
        }
        func changes(below entity: EntityIndex) -> [Int64: Int64] {
            let numbers = evolution.source[entity].family.compactMap { source[$0]?.number }
            return changed.filter { numbers.contains($0.key) }
        }
        for table in source.entities.compactMap({ $0 }) {
            let entity = evolution.source[table.entity]
            if entity.root == entity.index {
                renumber(
                    NameMangling.entity, in: table.tableName, changes(below: entity.index),
                    "renumber the entities")
            }
            for (column, slot) in entity.columns.enumerated() where slot.declaringEntity == entity.index {
                guard let name = table.columns[column].entityColumn, let relationship = slot.relationship
                else { continue }
                renumber(
                    name, in: table.tableName, changes(below: relationship.destination),
                    "renumber the entities")
            }
        }
    }

    // MARK: Keys

    /// Shifts the keys of rows that join others in a table past theirs; references to them are changed before
    /// they are copied.
    mutating func shiftKeys() {
        let shifts = moves.copies.filter { $0.copiedWithOffset != 0 }
        guard !shifts.isEmpty else { return }
        /// Returns the shifts by new number, for entities below one of the old model.
        func offsets(below entity: EntityIndex) -> [Int64: Int64] {
            let family = evolution.source[entity].family
            return Dictionary(
                uniqueKeysWithValues: shifts.filter { family.contains($0.source) }
                    .map { ($0.newNumber, $0.copiedWithOffset!) })
        }
        func shift(
            _ column: SQLIdentifier, in table: SQLIdentifier, by offset: SQLText, where condition: SQLText
        ) {
            plan.run(
                "update references to objects that change their keys", .scans(table),
                SQLFragment("UPDATE \(table) SET \(column) = \(column) + \(offset) WHERE \(condition)"))
        }
        /// Shifts keys in a column that does not say of which entity they are. Keys of a join table are
        /// unique, and stay so in between.
        func shiftOwners(
            _ column: SQLIdentifier, in table: SQLIdentifier, _ owners: EntityTable, isUnique: Bool
        ) {
            let offsets = offsets(below: owners.entity)
            guard !offsets.isEmpty else { return }
            let number: SQLText =
                "(SELECT o.Z_ENT FROM \(current(owners.tableName).name) o WHERE o.Z_PK = \(table).\(column))"
            let offset = Self.choice(number, offsets, otherwise: "0")
            guard isUnique else { return shift(column, in: table, by: offset, where: "\(column) NOT NULL") }
            for value in ["-(\(column) + \(offset))", "-\(column)"] as [SQLText] {
                plan.run(
                    "update references to objects that change their keys", .scans(table),
                    SQLFragment("UPDATE \(table) SET \(column) = \(value)"))
            }
        }
        for table in source.entities.compactMap({ $0 }) {
            let now = current(table.tableName)
            for slot in evolution.source[table.entity].slots where slot.declaringEntity == table.entity {
                guard let relationship = slot.relationship, !slot.isTransient else { continue }
                if let column = slot.column.map({ table.columns[$0] }) {
                    let offsets = offsets(below: relationship.destination)
                    if offsets.isEmpty { continue }
                    if let entity = column.entityColumn.map({ now($0) }) {
                        shift(
                            now(column.name), in: now.name, by: Self.choice("\(entity)", offsets),
                            where: Self.isOne(of: offsets.keys.sorted(), entity))
                    } else {
                        shift(
                            now(column.name), in: now.name, by: "\(offsets.values.first!)",
                            where: "\(now(column.name)) NOT NULL")
                    }
                }
                switch table.toMany[slot.index] {
                case .join(let name, let owner, let member, _, let isReflexive):
                    let join = current(name)
                    for column in isReflexive ? [owner, member] : [owner] {
                        shiftOwners(join(column), in: join.name, table, isUnique: true)
                    }
                case .foreignKey(let name, let column, _, true):
                    let members = current(name)
                    shiftOwners(members(column), in: members.name, table, isUnique: false)
                case .foreignKey, nil: break
                }
            }
        }
    }

    // MARK: Other tables

    mutating func copyRows(_ columns: [SQLIdentifier: [TargetColumn]]) {
        for move in moves.copies where !evolution.source[move.source].isAbstract {
            let from = current(move.oldTable)
            var names = [NameMangling.key, NameMangling.entity, NameMangling.version]
            var values: [SQLText] = [
                move.copiedWithOffset == 0 ? "Z_PK" : "Z_PK + \(move.copiedWithOffset!)", "Z_ENT", "Z_OPT",
            ]
            var carried: Set<SQLIdentifier> = []
            for column in columns[move.newTable] ?? [] {
                guard let source = column.sources[move.destination] ?? nil else { continue }
                names.append(column.name)
                let name = from(source.column)
                values.append(source.value(name))
                if source.conversion != .unmarked { carried.insert(source.column) }
            }
            let entity = name(of: move.destination)
            plan.run(
                "move \(entity) to the table of its hierarchy", .copies(from: from.name, to: move.newTable),
                SQLFragment(
                    """
                    INSERT INTO \(move.newTable) (\(names.joined(separator: ", "))) \
                    SELECT \(values.joined(separator: ", ")) FROM \(from.name) WHERE Z_ENT = \(move.newNumber)
                    """))
            releaseFiles(move, carried)
        }
    }

    /// Removes rows that have been copied, once nothing has to be read from there any more.
    ///
    /// A table that is only put aside must not name files that are in use: they would go with it.
    mutating func removeCopiedRows() {
        for move in moves.copies where !evolution.source[move.source].isAbstract {
            let isBase = moves.bases.values.contains(move.oldTable)
            guard isBase || isDeferred && !externalColumns(of: move.source).isEmpty else { continue }
            let table = current(move.oldTable).name
            plan.run(
                "move \(name(of: move.destination)) to the table of its hierarchy", .scans(table),
                SQLFragment("DELETE FROM \(table) WHERE Z_ENT = \(move.newNumber)"))
        }
    }

    /// Returns the key that a row of an old table has from now on, whether it has been copied or not.
    func shiftedKey(in table: SQLIdentifier) -> SQLText {
        let offsets = moves.copies.filter { $0.oldTable == table && $0.copiedWithOffset != 0 }
            .map { ($0.newNumber, $0.copiedWithOffset!) }
        if offsets.isEmpty { return "Z_PK" }
        let choice = Self.choice(
            "Z_ENT", Dictionary(uniqueKeysWithValues: offsets), otherwise: "0")
        return "Z_PK + \(choice)"
    }
}
