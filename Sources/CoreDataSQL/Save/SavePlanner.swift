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
        plan.deletes = Self.sorted(changes.deleted) { $0[$1].reference }
        plan.locked = Self.sorted(changes.locked) { $0[$1].reference }
        plan.updates = Self.sorted(withoutDerived(changes.updated)) { $0[$1].proposed.reference }
        plan.inserts = Self.sorted(changes.inserted) { permanent.current($0[$1].reference) }
        var links = LinkPlanner(schema: schema, permanent: permanent, positions: positions)
        if !changes.links.isEmpty {
            let deleted = Set(changes.deleted.map(\.reference))
            for (index, change) in changes.links.enumerated() where !deleted.contains(change.owner) {
                links.add(change, index, deleted: deleted)
            }
        }
        for deletion in plan.deletes { links.clear(deletion.reference) }
        plan.inserts.forEachBorrowed { row in
            if row.hasReferences {
                links.append(row, key: plan.reference(of: row).key, row.layout.references)
            }
        }
        for index in plan.updates.indices where plan.updates[index].proposed.hasReferences {
            let update = plan.updates[index]
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
    private func withoutDerived(_ updates: [RowUpdate]) -> [RowUpdate] {
        let haveDerived = updates.indices.contains { updates[$0].proposed.hasDerived }
        return haveDerived ? updates.map(withoutDerived) : updates
    }

    private func withoutDerived(_ update: RowUpdate) -> RowUpdate {
        var changed = update.changed
        for column in update.proposed.layout.entity.derivedColumns { changed.remove(column) }
        guard changed != update.changed else { return update }
        return RowUpdate(
            committed: update.committed, proposed: update.proposed, changed: changed,
            changedMembers: update.changedMembers)
    }

    /// By entity and key. Objects mostly come in the order in which they were made or fetched, which is that of their keys.
    ///
    /// - Parameter reference: that of the row at a place, which is not to be copied for it.
    @inline(__always)
    private static func sorted<Row>(_ rows: [Row], by reference: ([Row], Int) -> ObjectReference) -> [Row] {
        func precedes(_ left: Int, _ right: Int) -> Bool {
            let (left, right) = (reference(rows, left), reference(rows, right))
            return left.entity == right.entity ? left.key < right.key : left.entity < right.entity
        }
        guard rows.indices.dropFirst().contains(where: { precedes($0, $0 - 1) }) else { return rows }
        return rows.indices.sorted(by: precedes).map { rows[$0] }
    }
}
