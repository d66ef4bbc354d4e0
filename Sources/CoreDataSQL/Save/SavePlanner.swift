import CoreDataModelFormat
package import CoreDataStore
package import CoreDataValues

/// The planning of a save: `ChangeSet + StoreSchema + keys -> SavePlan`.
///
/// Pure and deterministic.
package struct SavePlanner {
    private let changes: ChangeSet
    private let schema: StoreSchema
    private let permanent: ReferenceMap
    private let positions: [Int: [Int64: Int64]]

    /// Makes a planner.
    ///
    /// - Parameters:
    ///   - permanent: The keys of the inserted rows.
    ///   - positions: For an ordered relationship, by its index in `changes.links`, the store's position of
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

    /// Returns the plan.
    ///
    /// - Parameter freesValues: Whether updated rows give up their unique values before any row takes one, so
    ///   that rows may exchange them. This costs one statement per row and constraint.
    package func plan(freesValues: Bool = false) -> SavePlan {
        var plan = SavePlan()
        plan.permanent = permanent
        plan.deletes = Self.sorted(changes.deleted) { $0[$1].reference }
        plan.expected = Self.sorted(changes.expected) { $0[$1].reference }
        plan.updates = Self.sorted(withoutDerived(changes.updated)) { $0[$1].reference }
        plan.inserts = sorted(changes.inserted)
        if mayHaveLinks(plan) { planLinks(of: &plan) }
        if freesValues { plan.linkRemovals += releases(of: plan.updates) }
        return plan
    }

    // MARK: Links

    /// Returns whether the save may have to write links. It need not if no link changes, no row is deleted,
    /// and no inserted or updated row has a to-one relationship, as in most saves of one object.
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
        for run in plan.deletes[...].neighbours {
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

    /// Returns the updates without derived attributes, which the store computes.
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

    /// Returns rows sorted by entity and key.
    ///
    /// - Parameter reference: Returns the reference of the row at an index, without copying the row.
    @inline(__always)
    private static func sorted<Row>(_ rows: [Row], by reference: ([Row], Int) -> ObjectReference) -> [Row] {
        order(rows.indices) { reference(rows, $0) }.map { order in order.map { rows[$0] } } ?? rows
    }

    private func sorted(_ inserted: InsertedRows) -> InsertedRows {
        let references = inserted.references
        let order = Self.order(references.indices) { permanent.current(references[$0]) }
        return order.map(inserted.ordered) ?? inserted
    }

    /// Returns the order by entity and key; nil if the rows are in this order.
    ///
    /// Objects mostly come in the order in which they were made or fetched, which is that of their keys.
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
