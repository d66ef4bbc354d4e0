import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The phase that removes the objects of entities which are gone, and references to them.
///
/// It comes first, when all tables and entities still have their old names and numbers.
struct ObjectRemoval {
    private let change: SchemaChange
    private let removed: [EntityTable]
    /// The numbers of the removed entities by table.
    private let numbers: [SQLIdentifier: [Int64]]

    init(change: SchemaChange) {
        self.change = change
        let entities = Set(change.moves.removed)
        removed = change.formerEntities.filter { entities.contains($0.entity) }
        numbers = Dictionary(grouping: removed, by: \.tableName).mapValues { $0.map(\.number).sorted() }
    }

    func add(to plan: inout MigrationPlan) {
        for table in removed { releaseFiles(of: table, &plan) }
        for (table, slot, relationship) in change.formerRelationships {
            if let column = slot.column.map({ table.columns[$0] }) {
                clear(column, in: table.tableName, from: relationship, &plan)
            } else if let storage = table.toMany[slot.index] {
                clear(storage, of: table, &plan)
            }
        }
        for (table, numbers) in numbers.sorted(by: \.key) where remains(table) {
            plan.run(
                "remove the objects of entities that are gone", .scans(table),
                "DELETE FROM \(table) WHERE \(SQLText.isOne(of: numbers, NameMangling.entity))")
        }
    }

    /// Returns whether rows of a table stay. Other tables are dropped in the end.
    private func remains(_ table: SQLIdentifier) -> Bool {
        change.moves.moves.values.contains { $0.oldTable == table }
    }

    private func releaseFiles(of table: EntityTable, _ plan: inout MigrationPlan) {
        for (name, slot) in change.externalColumns(of: table.entity) {
            plan.releaseFiles(
                "release the files of \(change.evolution.source[table.entity].name).\(slot.name)", name,
                in: table.tableName, number: table.number)
        }
    }

    /// Clears a to-one relationship to removed entities.
    ///
    /// If the destination has subentities, a number beside the key tells the entity. A relationship whose
    /// whole destination is removed is itself removed.
    private func clear(
        _ column: StoredColumn, in table: SQLIdentifier, from relationship: RelationshipSlot,
        _ plan: inout MigrationPlan
    ) {
        guard let entity = column.entityColumn, let destination = change.source[relationship.destination]
        else { return }
        let family = change.evolution.source[relationship.destination].family
            .compactMap { change.source[$0]?.number }
        let gone = (numbers[destination.tableName] ?? []).filter(family.contains)
        guard !gone.isEmpty else { return }
        let cleared = SQLText.cleared([column.name, entity, column.orderColumn].compactMap { $0 })
        plan.run(
            "clear references to removed objects", .scans(table),
            "UPDATE \(table) SET \(cleared) WHERE \(SQLText.isOne(of: gone, entity))")
    }

    /// Removes the pairs of removed owners from a join table, or their keys from the rows of members.
    private func clear(_ storage: ToManyStorage, of table: EntityTable, _ plan: inout MigrationPlan) {
        guard let numbers = numbers[table.tableName] else { return }
        let keys: SQLText =
            "SELECT Z_PK FROM \(table.tableName) WHERE \(SQLText.isOne(of: numbers, NameMangling.entity))"
        let title = "clear references to removed objects"
        switch storage {
        case .join(let join, let owner, let member, _, let isReflexive):
            for column in isReflexive ? [owner, member] : [owner] {
                plan.run(title, .scans(join), "DELETE FROM \(join) WHERE \(column) IN (\(keys))")
            }
        case .foreignKey(let members, let column, let order, true):
            let cleared = SQLText.cleared([column, order].compactMap { $0 })
            plan.run(
                title, .scans(members), "UPDATE \(members) SET \(cleared) WHERE \(column) IN (\(keys))")
        case .foreignKey: break
        }
    }
}
