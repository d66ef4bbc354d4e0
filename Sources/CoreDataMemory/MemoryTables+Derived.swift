import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

extension MemoryTables {
    /// Computes the derived attributes that depend on the given rows, and returns the rows whose derived
    /// attributes changed, by root entity and key. A context's copies of them may be outdated.
    mutating func derive(_ touched: Set<ObjectReference>) -> Set<ObjectReference> {
        let derived = model.entities.filter { entity in entity.columns.contains { $0.isDerived } }
        if derived.isEmpty { return [] }
        let rows = Set(touched.compactMap { row($0)?.reference })
        var changed: Set<ObjectReference> = []
        for entity in derived {
            for slot in entity.columns where slot.isDerived {
                for owner in dependents(of: slot, entity, on: rows) where compute(slot, of: owner) {
                    changed.insert(ObjectReference(entity: entity.root, key: owner.key))
                }
            }
        }
        return changed
    }

    /// Returns the rows of exactly one entity whose derived attribute may depend on one of the given rows.
    private func dependents(
        of slot: PropertySlot, _ entity: CompiledEntity, on rows: Set<ObjectReference>
    ) -> [ObjectReference] {
        guard let derivation = Derivation(slot, of: entity, in: model) else { return [] }
        var owners = rows
        switch derivation {
        case .now, .text, .count: break
        case .copy(let relationship, _), .sum(let relationship, _):
            for row in rows { owners.formUnion(self.owners(of: row, relationship)) }
        }
        return owners.filter { $0.entity == entity.index }.sorted { $0.key < $1.key }
    }

    /// Returns the rows that refer to a row by the relationship.
    private func owners(of row: ObjectReference, _ slot: PropertySlot) -> [ObjectReference] {
        guard let relationship = slot.relationship else { return [] }
        guard model[relationship.destination].includes(row.entity) else { return [] }
        guard let inverse = model.inverse(of: relationship) else {
            let declaring = rows(of: slot.declaringEntity)
            return declaring.map(\.reference).filter { leads($0, slot, to: row) }
        }
        if inverse.isToMany { return related(inverse.index, of: row) }
        return [inverse.column.flatMap { self.row(row)?.toOne($0) }].compactMap { $0 }
    }

    private func leads(_ owner: ObjectReference, _ slot: PropertySlot, to row: ObjectReference) -> Bool {
        if let column = slot.column { return self.row(owner)?.toOne(column) == row }
        return related(slot.index, of: owner).contains(row)
    }

    private mutating func compute(_ slot: PropertySlot, of owner: ObjectReference) -> Bool {
        guard let column = slot.column, let row = row(owner), let expression = slot.attribute?.derivation,
            let evaluator = try? ExpressionEvaluator(expression),
            let result = try? evaluator.value(for: .object(KeyedRow(row, RowReader(self))))
        else { return false }
        let own = row.clone()
        if case .value(let value) = result { own.setValue(column, value) } else { own.setNull(column) }
        set(own)
        return true
    }
}

extension PropertySlot {
    fileprivate var isDerived: Bool { attribute?.derivation != nil }
}
