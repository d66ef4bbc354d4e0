import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

// Derived attributes: new ones are computed, and those that depend on something the migration changes are
// computed again.
extension MigrationPlanner {
    mutating func derive(_ layout: TableLayout, _ columns: [SQLIdentifier: [TargetColumn]]) {
        for column in columns[layout.name] ?? [] {
            guard case .value(let slot, let attribute, _) = column.role, attribute.derivation != nil else {
                continue
            }
            let entities = column.sources.filter { entity, source in
                moves.moves[entity] != nil
                    && (source == nil || isChanged(slot, in: entity, columns))
            }.keys
            let entity = evolution.destination[slot.declaringEntity]
            guard !entities.isEmpty, let table = target.schema[entity.index],
                let value = TriggerCompiler(schema: target.schema, entity: entity, table: table)
                    .value(of: slot, inRow: "\(layout.name)")
            else { continue }
            plan.run(
                "derive \(entity.name).\(slot.name)", .scans(layout.name),
                SQLFragment("UPDATE \(layout.name) SET \(column.name) = \(value)\(rows(of: entities))"))
        }
    }

    /// Returns whether the migration changes what an attribute is derived from.
    private func isChanged(
        _ slot: PropertySlot, in entity: EntityIndex, _ columns: [SQLIdentifier: [TargetColumn]]
    ) -> Bool {
        let owner = evolution.destination[entity]
        switch Derivation(slot, of: owner, in: evolution.destination) {
        case .now, nil: return false
        case .text(_, let source): return hasNewValues(source, in: [entity], columns)
        case .count(let relationship): return hasNewMembers(relationship, in: entity)
        case .sum(let relationship, let source), .copy(let relationship, let source):
            if hasNewMembers(relationship, in: entity) { return true }
            guard let destination = relationship.relationship?.destination else { return true }
            return hasNewValues(source, in: evolution.destination[destination].family, columns)
        }
    }

    private func hasNewValues(
        _ slot: PropertySlot, in entities: some Sequence<EntityIndex>,
        _ columns: [SQLIdentifier: [TargetColumn]]
    ) -> Bool {
        entities.contains { entity in
            guard moves.moves[entity] != nil else { return false }
            guard let table = target.schema[entity], let index = slot.column,
                let column = columns[table.tableName]?.first(where: { $0.name == table.columns[index].name }),
                let source = column.sources[entity] ?? nil,
                evolution.origin(of: slot, in: entity)?.name == slot.name
            else { return true }
            return source.conversion != nil || !slot.isOptional && source.isOptional
        }
    }

    private func hasNewMembers(_ slot: PropertySlot, in entity: EntityIndex) -> Bool {
        guard let relationship = slot.relationship, let former = evolution.origin(of: slot, in: entity),
            former.name == slot.name, let old = former.relationship
        else { return true }
        let members = evolution.source[old.destination].family
        if moves.removed.contains(where: members.contains) { return true }
        let (inverse, formerInverse) = (
            evolution.destination.inverse(of: relationship), evolution.source.inverse(of: old)
        )
        return inverse.flatMap { finder.former(of: $0)?.slot }.map(PropertyID.init)
            != formerInverse.map(PropertyID.init)
    }
}
