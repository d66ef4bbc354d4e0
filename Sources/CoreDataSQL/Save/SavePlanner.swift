import CoreDataModelFormat
package import CoreDataStore
package import CoreDataValues

/// Plans a save: `ChangeSet + StoreSchema + keys -> SavePlan`. Pure and deterministic.
package struct SavePlanner {
    private let changes: ChangeSet
    private let schema: StoreSchema
    private let permanent: ReferenceMap
    private let positions: [Int: [Int64: Int64]]

    /// - Parameters:
    ///   - permanent: the keys of the inserted rows.
    ///   - positions: for an ordered relationship, by its index in `changes.links`, the position the store has for
    ///     each member.
    package init(
        _ changes: ChangeSet,
        schema: StoreSchema,
        permanent: ReferenceMap,
        positions: [Int: [Int64: Int64]]
    ) {
        self.changes = changes
        self.schema = schema
        self.permanent = permanent
        self.positions = positions
    }

    /// - Parameter freesValues: whether updated rows let go of unique values before any row takes one, so that rows
    ///   may exchange them. Costs a statement a row and constraint.
    package func plan(freesValues: Bool = false) -> SavePlan {
        var plan = SavePlan()
        plan.permanent = permanent
        plan.deletes = changes.deleted.sorted { Self.precedes($0.reference, $1.reference) }
        plan.locked = changes.locked.sorted { Self.precedes($0.reference, $1.reference) }
        plan.updates = changes.updated.map(withoutDerived)
            .sorted { Self.precedes($0.proposed.reference, $1.proposed.reference) }
        plan.inserts = changes.inserted
            .map { RowInsertion(reference: permanent[$0.reference] ?? $0.reference, row: $0) }
            .sorted { Self.precedes($0.reference, $1.reference) }
        var links = LinkPlanner(schema: schema, permanent: permanent, positions: positions)
        if !changes.links.isEmpty {
            let deleted = Set(changes.deleted.map(\.reference))
            for (index, change) in changes.links.enumerated() where !deleted.contains(change.owner) {
                links.add(change, index)
            }
        }
        for deletion in plan.deletes { links.clear(deletion.reference) }
        for insertion in plan.inserts {
            links.append(insertion.row, key: insertion.reference.key, insertion.row.layout.references)
        }
        for update in plan.updates where !update.changed.isEmpty {
            let references = update.proposed.layout.references.filter(update.changed.contains)
            links.append(update.proposed, key: update.proposed.key, references)
        }
        plan.linkRemovals = links.removals + (freesValues ? releases(of: plan.updates) : [])
        plan.linkInsertions = links.insertions
        return plan
    }

    private func releases(of updates: [RowUpdate]) -> [LinkStep] {
        updates.flatMap { update -> [LinkStep] in
            let entity = update.proposed.layout.entity
            guard let table = schema[entity.index] else { return [] }
            return schema.constraints(of: entity).compactMap { slots in
                let columns = slots.compactMap { entity.slots[$0].column }
                return columns.first(where: update.changed.contains).map { column in
                    .set(
                        table: table.tableName, column: table.columns[column].name, value: nil,
                        key: update.proposed.key)
                }
            }
        }
    }

    /// Derived attributes are the store's to write.
    private func withoutDerived(_ update: RowUpdate) -> RowUpdate {
        var changed = update.changed
        for column in update.proposed.layout.entity.derivedColumns { changed.remove(column) }
        guard changed != update.changed else { return update }
        return RowUpdate(
            committed: update.committed, proposed: update.proposed, changed: changed,
            changedMembers: update.changedMembers)
    }

    private static func precedes(_ left: ObjectReference, _ right: ObjectReference) -> Bool {
        (left.entity, left.key) < (right.entity, right.key)
    }
}
