import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The phase that computes derived attributes which are new, or which depend on values that the migration
/// changes.
///
/// It comes after the last change of the values that they depend on.
struct DerivedFill {
    let change: SchemaChange

    func add(to plan: inout MigrationPlan) {
        for table in change.tables {
            for column in table.columns {
                guard case .value(let slot, let attribute, _) = column.role, attribute.derivation != nil
                else { continue }
                derive(column, slot, of: table, &plan)
            }
        }
    }

    private func derive(
        _ column: TargetColumn, _ slot: PropertySlot, of table: TargetTable, _ plan: inout MigrationPlan
    ) {
        let entities = column.sources.filter { entity, source in
            change.moves.moves[entity] != nil && (source == nil || isChanged(slot, in: entity))
        }.keys
        let schema = change.target.schema
        let entity = change.evolution.destination[slot.declaringEntity]
        guard !entities.isEmpty, let value = change.dialect.derivedValue(of: slot, entity, in: schema)
        else { return }
        let title = "derive \(entity.name).\(slot.name)"
        switch value {
        case .expression(let value, let alias):
            let row: SQLText = alias.map { " AS \($0)" } ?? ""
            plan.run(
                title, .scans(table.name),
                "UPDATE \(table.name)\(row) SET \(column.name) = \(value)\(change.rows(of: entities))")
        case .text(let form, let source):
            plan.run(
                title, .scans(table.name),
                """
                UPDATE \(table.name) SET \(column.name) = NULL\(change.rows(of: entities, and: "\(source) IS NULL"))
                """)
            let rows = change.rows(of: entities, and: "\(source) IS NOT NULL")
            plan.derive(title, column.name, of: table.name, form, from: source, rows)
        }
    }

    /// Returns whether the migration changes the values that an attribute is derived from.
    private func isChanged(_ slot: PropertySlot, in entity: EntityIndex) -> Bool {
        let model = change.evolution.destination
        switch Derivation(slot, of: model[entity], in: model) {
        case .now, nil: return false
        case .text(_, let source): return hasNewValues(source, in: [entity])
        case .count(let relationship): return hasNewMembers(relationship, in: entity)
        case .sum(let relationship, let source), .copy(let relationship, let source):
            if hasNewMembers(relationship, in: entity) { return true }
            guard let destination = relationship.relationship?.destination else { return true }
            return hasNewValues(source, in: model[destination].family)
        }
    }

    private func hasNewValues(_ slot: PropertySlot, in entities: some Sequence<EntityIndex>) -> Bool {
        entities.contains { entity in
            guard change.moves.moves[entity] != nil else { return false }
            guard let table = change.target.schema[entity],
                let name = slot.column.map({ table.columns[$0].name }),
                let column = change.columns(of: table.tableName).first(where: { $0.name == name }),
                let source = column.sources[entity] ?? nil,
                change.evolution.origin(of: slot, in: entity)?.name == slot.name
            else { return true }
            return source.conversion != nil || !slot.isOptional && source.isOptional
        }
    }

    private func hasNewMembers(_ slot: PropertySlot, in entity: EntityIndex) -> Bool {
        let evolution = change.evolution
        guard let relationship = slot.relationship, let former = evolution.origin(of: slot, in: entity),
            former.name == slot.name, let old = former.relationship
        else { return true }
        let members = evolution.source[old.destination].family
        if change.moves.removed.contains(where: members.contains) { return true }
        let inverse = evolution.destination.inverse(of: relationship)
        let formerInverse = evolution.source.inverse(of: old)
        return inverse.flatMap { change.finder.former(of: $0)?.slot }.map(PropertyID.init)
            != formerInverse.map(PropertyID.init)
    }
}
