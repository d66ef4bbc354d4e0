import CoreDataModelFormat
package import CoreDataStore
import CoreDataValues
import Synchronization

/// Saves: each plans and runs in one transaction, or does nothing.
extension SQLBackend {
    private enum Outcome {
        case committed(CommitReceipt)
        /// Committed, and the position in the history has not arrived.
        case settled(CommitReceipt)
        case refused(StoreError.Kind)
    }

    package func commit(_ changes: ChangeSet) throws(StoreError) -> CommitReceipt {
        if let receipt = try receiptOfUnsettledSave(changes) { return receipt }
        let detective = ConflictFinder(self, changes)
        let outcome = try write { connection throws(SQLError) -> Outcome in
            func attempt(freesValues: Bool) throws(SQLError) -> Outcome {
                var permanent: ReferenceMap = [:]
                do throws(SQLError) {
                    if let outcome = try run(changes, freesValues, &permanent, on: connection) {
                        return outcome
                    }
                } catch {
                    unsettled.note(error, changes, permanent)
                    throw error
                }
                connection.rollback()
                return .refused(.conflicts(try detective.conflicts(on: connection)))
            }
            do throws(SQLError) {
                return try attempt(freesValues: false)
            } catch {
                guard error.kind == .constraint else { throw error }
                connection.rollback()
                if let refusal = try detective.refusal(on: connection) { return .refused(refusal) }
                // Rows that exchange unique values violate the constraint only until all statements have run.
                return try attempt(freesValues: true)
            }
        }
        switch outcome {
        case .committed(let receipt): return receipt
        case .settled(let receipt): return completed(receipt)
        case .refused(.conflicts(let conflicts)):
            throw StoreError(
                .conflicts(conflicts), "\(conflicts.count) rows changed since they were read", path: path)
        case .refused(let kind):
            throw StoreError(kind, "values that must be unique exist already", path: path)
        }
    }

    /// Returns a receipt with the present position of the history, for a save whose own has not arrived: the
    /// connection was lost when it had been committed.
    func completed(_ receipt: CommitReceipt) -> CommitReceipt {
        guard history != nil else { return receipt }
        var receipt = receipt
        receipt.historyToken = try? historyExtent().last
        return receipt
    }

    /// Runs the plan. Returns nil if a row has another version than the changes expect; the transaction is
    /// still open then.
    ///
    /// - Parameter permanent: Gets the permanent references of the new rows.
    private func run(
        _ changes: ChangeSet,
        _ freesValues: Bool,
        _ permanent: inout ReferenceMap,
        on connection: any SQLConnection
    ) throws(SQLError) -> Outcome? {
        // Keys that need no transaction are drawn before it, so that its steps can begin it on their way.
        if keys.needsTransaction { try connection.begin(.immediate) }
        permanent = try permanentReferences(for: changes.inserted.references, on: connection)
        if !keys.needsTransaction { try connection.begin(.immediate) }
        let positions = try positions(of: changes.links, on: connection)
        let planner = SavePlanner(changes, schema: schema, permanent: permanent, positions: positions)
        let plan = planner.plan(freesValues: freesValues)
        let tombstones = try tombstones(of: changes.deleted, on: connection)
        let triggered = try triggeredTables(on: connection)
        var steps = plan.steps(in: schema, triggered)
        let texts = derivedTexts.rows(of: plan)
        steps += texts.map(WriteStep.assign)
        var searched = searchWords.rows(of: plan)
        let computesTotals = addTotals(of: plan, to: &steps)
        let isConcurrent = history?.form == .concurrent
        let endsWithSteps =
            (history == nil || isConcurrent) && searched.isEmpty
            && !(computesTotals && searchWords.followOtherRows)
        if isConcurrent { try history?.pruneIfDue(on: connection) }
        let entry =
            isConcurrent ? history?.steps(recording: plan, of: changes, tombstones: tombstones) : nil
        if endsWithSteps { steps += (entry?.steps ?? []) + [.commit] }
        let (outcome, written) =
            triggered.changeRows || computesTotals
            ? try connection.recordingChanges { () throws(SQLError) in
                try connection.run(steps, by: saveCompiler)
            } : (try connection.run(steps, by: saveCompiler), [])
        if case .refused = outcome { return nil }
        searched += searchWords.rows(amongDerived: written)
        try searchWords.index(searched, on: connection)
        var token: HistoryMark?
        if isConcurrent {
            if !endsWithSteps { _ = try connection.run((entry?.steps ?? []) + [.commit], by: saveCompiler) }
            token = (entry?.answer.cells).flatMap(HistoryEntry.init)?.mark
        } else {
            token = try history?.record(
                plan, of: changes, tombstones: tombstones, by: saveCompiler, on: connection)
            if !endsWithSteps { try connection.commit() }
        }
        var receipt = CommitReceipt(
            permanent: permanent, historyToken: token,
            derived: references(to: written).union(texts.flatMap { $0.references(in: schema.model) }))
        if outcome == .settled, computesTotals { noteUnknownRows(of: changes, in: &receipt) }
        return entry != nil && token == nil ? .settled(receipt) : .committed(receipt)
    }

    /// Has the rows of a save read anew, and all others that are cached: the answer that named those in which the
    /// save derived values was lost.
    func noteUnknownRows(of changes: ChangeSet, in receipt: inout CommitReceipt) {
        let permanent = receipt.permanent
        let written =
            changes.inserted.references.map { permanent.current($0) } + changes.updated.map(\.reference)
        receipt.derived.formUnion(
            written.map { ObjectReference(entity: schema.model[$0.entity].root, key: $0.key) })
        receipt.mayHaveDerivedMore = derivedTotals != nil
    }

    /// Adds steps that compute derived attributes of other rows; returns whether there are any.
    private func addTotals(of plan: SavePlan, to steps: inout [WriteStep]) -> Bool {
        guard let derivedTotals else { return false }
        let touched = TouchedRows(plan)
        let after = derivedTotals.stepsAfter(touched)
        steps = derivedTotals.stepsBefore(touched) + steps + after
        return !after.isEmpty
    }

    /// Returns the rows to be deleted that the context never read, if the history preserves values of deleted
    /// rows.
    private func tombstones(
        of deleted: [RowDeletion],
        on connection: any SQLConnection
    ) throws(SQLError) -> [ObjectReference: Snapshot] {
        guard history?.preservesValues ?? false else { return [:] }
        let unread = deleted.filter { $0.committed == nil }.map(\.reference)
        var result: [ObjectReference: Snapshot] = [:]
        for (root, rows) in Dictionary(grouping: unread, by: { schema.model[$0.entity].root }) {
            guard let query = try? rowQuery(root, isBatch: true) else { continue }
            for row in try Self.snapshots(query, [SelectCompiler.keys(rows)], connection) {
                result[row.reference] = row
            }
        }
        return result
    }

    private func references(to rows: Set<ChangedRow>) -> Set<ObjectReference> {
        guard !rows.isEmpty else { return [] }
        var roots: [SQLIdentifier: EntityIndex] = [:]
        for entity in schema.model.entities where entity.root == entity.index {
            if let table = schema[entity.index] { roots[table.tableName] = entity.index }
        }
        return Set(
            rows.compactMap { row in roots[row.table].map { ObjectReference(entity: $0, key: row.key) } })
    }

    private func positions(
        of links: [LinkChange],
        on connection: any SQLConnection
    ) throws(SQLError) -> [Int: [Int64: Int64]] {
        var result: [Int: [Int64: Int64]] = [:]
        for (index, change) in links.enumerated() {
            guard let query = saveCompiler.positions(change) else { continue }
            try connection.forEachRow(of: query) { row in
                result[index, default: [:]][row.integer(at: 0)] = row.integer(at: 1)
            }
        }
        return result
    }
}
