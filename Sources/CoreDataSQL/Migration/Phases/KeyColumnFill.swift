import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The phase that fills the columns of relationships which are stored in another form than before: keys in
/// rows, entity numbers and positions beside them.
///
/// It comes after `RowTransfer.copyRows`, since it writes to rows in their new tables, and before the removal
/// of the originals, from which it reads links.
struct KeyColumnFill {
    let change: SchemaChange
    let store: EvolvingStore

    func add(to plan: inout MigrationPlan) {
        let model = change.evolution.destination
        for table in change.tables {
            for (property, stored) in table.layout.stored.sorted(by: \.value.name) {
                let slot = model.slot(property.slot, of: property.entity)
                if let relationship = slot.relationship { fill(stored, of: table, relationship, &plan) }
            }
            for (property, own) in table.layout.own.sorted(by: \.value.name) {
                let slot = model.slot(property.slot, of: property.entity)
                if !table.hasSource(own.name) { fillKeys(own.name, of: table.name, from: slot, &plan) }
                order(own.orderColumn, by: own.name, of: table, &plan)
            }
        }
    }

    /// Fills the columns of a to-one relationship.
    private func fill(
        _ stored: StoredColumn, of table: TargetTable, _ relationship: RelationshipSlot,
        _ plan: inout MigrationPlan
    ) {
        if !table.hasSource(stored.name),
            let inverse = change.evolution.destination.inverse(of: relationship)
        {
            fillKeys(stored.name, of: table.name, from: inverse, &plan)
            if inverse.isToOne { clearUnanswered(inverse, by: stored.name, of: table.name, &plan) }
        }
        numberDestinations(stored, of: table, relationship, &plan)
        order(stored.orderColumn, by: stored.name, of: table, &plan)
    }

    /// Fills the keys of owners in their members' rows from the old relationship of the owners.
    ///
    /// A member of several owners goes to the owner with the highest key, as if owners took their members in
    /// the order of their keys.
    private func fillKeys(
        _ column: SQLIdentifier, of table: SQLIdentifier, from slot: PropertySlot, _ plan: inout MigrationPlan
    ) {
        guard let links = FormerLinks(of: slot, change, store) else { return }
        let order: SQLText = links.order.map { ", \($0) = l.p" } ?? ""
        plan.run(
            "carry \(change.name(of: slot.declaringEntity)).\(slot.name) over", .scans(table),
            """
            UPDATE \(table) SET \(column) = l.o\(order) \
            FROM (\(change.dialect.lastOwners(of: links.select))) l WHERE l.m = \(table).Z_PK
            """)
    }

    /// Clears a to-one relationship where its new inverse leads back to another object, since several objects
    /// may have led to one.
    private func clearUnanswered(
        _ slot: PropertySlot, by inverse: SQLIdentifier, of members: SQLIdentifier,
        _ plan: inout MigrationPlan
    ) {
        guard let table = change.target.schema[slot.declaringEntity],
            let column = slot.column.map({ table.columns[$0] })
        else { return }
        let owners = table.tableName
        let cleared = [column.name, column.entityColumn, column.orderColumn].compactMap { $0 }
        let isUnanswered = change.dialect.same(
            "Z_PK", "(SELECT m.\(inverse) FROM \(members) m WHERE m.Z_PK = \(owners).\(column.name))",
            negated: true)
        plan.run(
            "clear \(change.name(of: slot.declaringEntity)).\(slot.name) where its inverse leads elsewhere",
            .scans(owners),
            """
            UPDATE \(owners) SET \(SQLText.cleared(cleared)) \
            WHERE \(column.name) IS NOT NULL AND \(isUnanswered)
            """)
        if !slot.isOptional { requireKeys(column.name, of: slot, in: owners, &plan) }
    }

    private func requireKeys(
        _ column: SQLIdentifier, of slot: PropertySlot, in table: SQLIdentifier, _ plan: inout MigrationPlan
    ) {
        for entity in change.evolution.destination[slot.declaringEntity].family
        where change.moves.moves[entity] != nil {
            let missing = change.rows(of: [entity], and: "\(column) IS NULL")
            plan.require(
                .mandatory, change.name(of: entity), slot.name,
                none: "SELECT COUNT(*) FROM \(table)\(missing)")
        }
    }

    /// Stores the entity numbers of the objects that a to-one relationship leads to, if the store did not
    /// have them.
    private func numberDestinations(
        _ stored: StoredColumn, of table: TargetTable, _ relationship: RelationshipSlot,
        _ plan: inout MigrationPlan
    ) {
        guard let entity = stored.entityColumn,
            let destination = change.target.schema[relationship.destination]
        else { return }
        let isKnown = table.columns.first { $0.name == entity }?.sources.allSatisfy { index, source in
            change.moves.moves[index] == nil || source != nil
        }
        if isKnown == true { return }
        plan.run(
            "store the entities that \(stored.name) leads to", .scans(table.name),
            """
            UPDATE \(table.name) SET \(entity) = (SELECT d.Z_ENT FROM \(destination.tableName) d \
            WHERE d.Z_PK = \(table.name).\(stored.name)) WHERE \(stored.name) IS NOT NULL AND \(entity) IS NULL
            """)
    }

    /// Orders members by their keys, unless the store has their positions.
    private func order(
        _ column: SQLIdentifier?, by key: SQLIdentifier, of table: TargetTable, _ plan: inout MigrationPlan
    ) {
        guard let column, !table.hasSource(column) else { return }
        plan.order(
            column, by: key, of: table.name, member: NameMangling.key, in: change.dialect)
    }
}
