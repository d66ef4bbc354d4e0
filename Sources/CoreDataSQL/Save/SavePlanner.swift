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
        plan.updates = Self.sorted(withoutDerived(changes.updated)) { $0[$1].reference }
        plan.inserts = sorted(changes.inserted)
        if mayHaveLinks(plan) { planLinks(of: &plan) }
        if freesValues { plan.linkRemovals += releases(of: plan.updates) }
        return plan
    }

    // MARK: Links

    /// Whether rows come or go that others may be linked to, or their links change: few saves of one object do that.
    private func mayHaveLinks(_ plan: SavePlan) -> Bool {
        if !changes.links.isEmpty || !plan.deletes.isEmpty { return true }
        func haveReferences(_ runs: [(key: EntityIndex, indices: Range<Int>)]) -> Bool {
            runs.contains { !schema.model[$0.key].referenceColumns.isEmpty }
        }
        return haveReferences(plan.inserts.runs) || haveReferences(Self.runs(plan.updates))
    }

    private func planLinks(of plan: inout SavePlan) {
        var links = LinkPlanner(schema: schema, permanent: permanent, positions: positions)
        if !changes.links.isEmpty {
            let deleted = Set(changes.deleted.map(\.reference))
            for (index, change) in changes.links.enumerated() where !deleted.contains(change.owner) {
                links.add(change, index, deleted: deleted)
            }
        }
        for run in plan.deletes.neighbours {
            let (first, last) = (plan.deletes[run].first!.reference, plan.deletes[run].last!.reference)
            links.clear(first.entity, first.key...last.key)
        }
        for run in plan.inserts.runs {
            let columns = schema.model[run.key].referenceColumns
            if columns.isEmpty { continue }
            plan.inserts.forEach(run.indices) { row, reference in
                links.append(row, key: permanent.current(reference).key, columns)
            }
        }
        for run in Self.runs(plan.updates) {
            let columns = schema.model[run.key].referenceColumns
            if columns.isEmpty { continue }
            for update in plan.updates[run.indices] {
                links.append(
                    update.proposed, key: update.reference.key, columns.filter(update.changed.contains))
            }
        }
        plan.linkRemovals = links.removals
        plan.linkInsertions = links.insertions
        plan.moved = links.moved
    }

    // MARK: Rows

    private func releases(of updates: [RowUpdate]) -> [LinkStep] {
        updates.flatMap { update -> [LinkStep] in
            let (entity, key) = (schema.model[update.reference.entity], update.reference.key)
            guard let table = schema[entity.index] else { return [] }
            return schema.constraints(of: entity).compactMap { slots in
                let columns = slots.compactMap { entity.slots[$0].column }
                return columns.first(where: update.changed.contains).map { column in
                    .set(
                        table: table.tableName, column: table.columns[column].name, value: nil, key: key)
                }
            }
        }
    }

    /// Derived attributes are the store's to write.
    private func withoutDerived(_ updates: [RowUpdate]) -> [RowUpdate] {
        let haveDerived = Self.runs(updates).contains { !schema.model[$0.key].derivedColumns.isEmpty }
        return haveDerived ? updates.map(withoutDerived) : updates
    }

    private static func runs(_ updates: [RowUpdate]) -> [(key: EntityIndex, indices: Range<Int>)] {
        updates.indices.runs { updates[$0].reference.entity }
    }

    private func withoutDerived(_ update: RowUpdate) -> RowUpdate {
        var update = update
        for column in schema.model[update.reference.entity].derivedColumns { update.changed.remove(column) }
        return update
    }

    /// - Parameter reference: that of the row at a place, which is not to be copied for it.
    @inline(__always)
    private static func sorted<Row>(_ rows: [Row], by reference: ([Row], Int) -> ObjectReference) -> [Row] {
        order(rows.indices) { reference(rows, $0) }.map { order in order.map { rows[$0] } } ?? rows
    }

    private func sorted(_ inserted: InsertedRows) -> InsertedRows {
        let references = inserted.references
        let order = Self.order(references.indices) { permanent.current(references[$0]) }
        return order.map(inserted.ordered) ?? inserted
    }

    /// By entity and key; nil if that is the order they are in. Objects mostly come in the order in which they were made
    /// or fetched, which is that of their keys.
    @inline(__always)
    private static func order(_ rows: Range<Int>, by reference: (Int) -> ObjectReference) -> [Int]? {
        func precedes(_ left: Int, _ right: Int) -> Bool {
            let (left, right) = (reference(left), reference(right))
            return left.entity == right.entity ? left.key < right.key : left.entity < right.entity
        }
        guard rows.dropFirst().contains(where: { precedes($0, $0 - 1) }) else { return nil }
        return rows.sorted(by: precedes)
    }
}
