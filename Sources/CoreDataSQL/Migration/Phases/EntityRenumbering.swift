import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The phase that replaces entity numbers, since adding an entity renumbers others (sqlite-store §3).
///
/// It comes after `ObjectRemoval`, because an entity may get the number of one that is gone.
struct EntityRenumbering {
    private let change: SchemaChange
    private let changed: [Int64: Int64]

    init(change: SchemaChange) {
        self.change = change
        changed = change.moves.changedNumbers
    }

    func add(to plan: inout MigrationPlan) {
        for table in change.formerEntities {
            let entity = change.evolution.source[table.entity]
            if entity.root == entity.index {
                renumber(NameMangling.entity, in: table.tableName, below: entity.index, &plan)
            }
            for (column, slot) in entity.columns.enumerated() where slot.declaringEntity == entity.index {
                guard let name = table.columns[column].entityColumn, let relationship = slot.relationship
                else { continue }
                renumber(name, in: table.tableName, below: relationship.destination, &plan)
            }
        }
    }

    /// Replaces the numbers of an entity and its subentities in a column.
    private func renumber(
        _ column: SQLIdentifier, in table: SQLIdentifier, below entity: EntityIndex,
        _ plan: inout MigrationPlan
    ) {
        let family = change.evolution.source[entity].family.compactMap { change.source[$0]?.number }
        let numbers = changed.filter { family.contains($0.key) }
        if numbers.isEmpty { return }
        plan.run(
            "renumber the entities", .scans(table),
            """
            UPDATE \(table) SET \(column) = \(SQLText.choice("\(column)", numbers)) \
            WHERE \(SQLText.isOne(of: numbers.keys.sorted(), column))
            """)
    }
}
