import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// The recording of a save in the history tables, in the save's own transaction (sqlite-store §12): one
/// transaction row, one change row for each inserted, updated and deleted row.
package struct HistoryWriter: Sendable {
    private let schema: StoreSchema
    let columns: HistoryColumnTable
    /// Whether names are in a separate table. The first releases of Apple's framework wrote them into the
    /// transactions.
    let hasStrings: Bool
    private let tombstoneCount: Int
    let form: HistoryForm
    private let insertions: HistoryInsertions
    private let retention: HistoryRetention?

    /// Makes a writer for tables made by `HistorySchema`.
    ///
    /// - Parameter retention: The seconds after which a transaction is deleted; nil keeps all.
    package init(_ schema: StoreSchema, form: HistoryForm = .serial, retention: Double? = nil) {
        self.init(
            schema, form, retention, hasStrings: form == .serial,
            tombstoneCount: HistorySchema(schema).tombstoneCount)
    }

    /// Makes a writer for the tables of an existing store, or for those made by `HistorySchema` if the catalog
    /// has none.
    package init(
        _ schema: StoreSchema, catalog: StoreCatalog, form: HistoryForm = .serial, retention: Double? = nil
    ) {
        if catalog.hasHistory {
            self.init(
                schema, form, retention, hasStrings: catalog.hasHistoryStrings,
                tombstoneCount: catalog.tombstoneCount)
        } else {
            self.init(schema, form: form, retention: retention)
        }
    }

    private init(
        _ schema: StoreSchema, _ form: HistoryForm, _ retention: Double?, hasStrings: Bool,
        tombstoneCount: Int
    ) {
        self.form = form
        self.schema = schema
        columns = HistoryColumnTable(schema, form)
        self.retention = retention.map(HistoryRetention.init)
        self.hasStrings = hasStrings
        self.tombstoneCount = tombstoneCount
        insertions = HistoryInsertions(form, hasStrings: hasStrings, tombstoneCount: tombstoneCount)
    }

    /// Returns the compiler of reads of these tables.
    func compiler(_ dialect: any QueryDialect) -> HistoryCompiler {
        HistoryCompiler(
            schema, dialect: dialect, hasStrings: hasStrings, tombstoneCount: tombstoneCount)
    }

    /// Records a save; returns the position after it, or nil if nothing changed.
    func record(
        _ plan: SavePlan,
        of changes: ChangeSet,
        tombstones: [ObjectReference: Snapshot],
        by compiler: SaveCompiler,
        on connection: any SQLConnection
    ) throws(SQLError) -> HistoryMark? {
        let count = plan.historyCount
        guard count > 0 else { return nil }
        let transaction = try begin(author: changes.author, contextName: changes.contextName, on: connection)
        var rows = try changeRows(count, transaction.number, on: connection)
        append(plan, of: changes, tombstones: tombstones, to: &rows)
        _ = try connection.run([.record(rows)], by: compiler)
        return transaction
    }

    /// Returns the steps that record a save in the concurrent form, and the answer that has the position after
    /// it; nil if nothing changed.
    ///
    /// They come after all steps that write rows. A transaction gets its number from them: of two that write
    /// the same row, the second one has waited for the first, and has the higher number.
    func steps(
        recording plan: SavePlan, of changes: ChangeSet, tombstones: [ObjectReference: Snapshot]
    ) -> (steps: [WriteStep], answer: StepAnswer)? {
        guard plan.historyCount > 0 else { return nil }
        let entry = entry(author: changes.author, contextName: changes.contextName)
        var rows = HistoryChangeRows(plan.historyCount, from: 0, of: 0, schema, columns, by: insertions)
        append(plan, of: changes, tombstones: tombstones, to: &rows)
        let answer = StepAnswer()
        return ([.ask(entry, answer), .record(rows)], answer)
    }

    private func append(
        _ plan: SavePlan, of changes: ChangeSet, tombstones: [ObjectReference: Snapshot],
        to rows: inout HistoryChangeRows
    ) {
        let moved = plan.movedAlone
        var links: [ObjectReference: [Int]] = [:]
        if !plan.updates.isEmpty {
            for link in changes.links { links[link.owner, default: []].append(link.slot) }
        }
        for reference in plan.inserts.references {
            rows.append(.insert, plan.permanent.current(reference))
        }
        for update in plan.updates {
            let reference = update.reference
            let mask = rows.mask(
                reference.entity, update.changed, links: update.changedLinks + (links[reference] ?? []),
                moved: plan.moved[reference] ?? ColumnMask())
            rows.append(.update, reference, mask: mask)
        }
        for (reference, columns) in moved.sorted(by: {
            ($0.key.entity, $0.key.key) < ($1.key.entity, $1.key.key)
        }) {
            let mask = rows.mask(reference.entity, ColumnMask(), links: [], moved: columns)
            rows.append(.update, reference, mask: mask)
        }
        for deletion in plan.deletes {
            rows.append(
                .delete, deletion.reference,
                tombstone: preservesValues ? deletion.committed ?? tombstones[deletion.reference] : nil)
        }
    }

    /// Records rows of a batch, which all have the same change.
    func record(
        _ change: BatchJournal.Change,
        _ changed: [ObjectReference],
        deleted: [ObjectReference: Snapshot],
        transaction: Int64,
        by compiler: SaveCompiler,
        on connection: any SQLConnection
    ) throws(SQLError) {
        var rows = try changeRows(changed.count, transaction, on: connection)
        var masks: [EntityIndex: Data] = [:]
        for reference in changed {
            switch change {
            case .insert: rows.append(.insert, reference)
            case .delete: rows.append(.delete, reference, tombstone: deleted[reference])
            case .update(let columns):
                let entity = reference.entity
                let mask = masks[entity] ?? self.columns[entity].mask(ofBatch: columns)
                masks[entity] = mask
                rows.append(.update, reference, mask: mask)
            }
        }
        _ = try connection.run([.record(rows)], by: compiler)
    }

    /// Whether the history preserves values of deleted rows, which are therefore read before they are
    /// deleted.
    var preservesValues: Bool { tombstoneCount > 0 }

    private func changeRows(
        _ count: Int,
        _ transaction: Int64,
        on connection: any SQLConnection
    ) throws(SQLError) -> HistoryChangeRows {
        let key =
            form == .serial
            ? try KeyCounter.keys(count, number: HistorySchema.changeNumber, on: connection) : 0
        return HistoryChangeRows(count, from: key, of: transaction, schema, columns, by: insertions)
    }

    // MARK: The transaction row

    /// Deletes what the retention does not keep, if that is due.
    func pruneIfDue(on connection: any SQLConnection) throws(SQLError) {
        try retention?.pruneIfDue { span throws(SQLError) in
            switch form {
            case .serial:
                let first = try HistoryConsumers(on: connection).boundary(span, on: connection)
                try HistoryPruner.prune(
                    before: .mark(HistoryMark(first)), hasStrings: hasStrings, on: connection)
            case .concurrent: try ConcurrentHistory.prune(olderThan: span, on: connection)
            }
        }
    }

    /// Deletes the history before a position. Returns the number of deleted transactions.
    func prune(before position: HistoryPosition, on connection: any SQLConnection) throws(SQLError) -> Int {
        switch form {
        case .serial: try HistoryPruner.prune(before: position, hasStrings: hasStrings, on: connection)
        case .concurrent: try ConcurrentHistory.prune(before: position, on: connection)
        }
    }

    /// Adds a transaction and returns the position after it.
    ///
    /// It always has a bundle identifier, if only an empty one. Transactions of this framework's former
    /// releases have none, which tells that the masks of their changes may be in another form (see
    /// `HistoryColumns`).
    func begin(
        author: String?,
        contextName: String?,
        on connection: any SQLConnection
    ) throws(SQLError) -> HistoryMark {
        try pruneIfDue(on: connection)
        if form == .concurrent {
            var mark: HistoryMark?
            try connection.forEachRow(of: entry(author: author, contextName: contextName)) { row in
                mark = HistoryEntry((0..<6).map { row.value(at: $0) })?.mark
            }
            guard let mark else { throw HistoryMoment.unreadable }
            return mark
        }
        let key = try KeyCounter.keys(1, number: HistorySchema.transactionNumber, on: connection)
        var values: [SQLValue] = [
            .integer(key), .integer(HistorySchema.transactionNumber),
            .double(Date().timeIntervalSinceReferenceDate),
        ]
        for name in names(author, contextName) {
            guard let name else {
                values.append(.null)
                continue
            }
            values.append(hasStrings ? .integer(try string(name, on: connection)) : .text(name))
        }
        let insert = try connection.prepare(insertions.transaction)
        try insert.bind(values)
        _ = try insert.step()
        return HistoryMark(key)
    }

    private func names(_ author: String?, _ contextName: String?) -> [String?] {
        [
            author, Bundle.main.bundleIdentifier ?? "", contextName,
            ProcessInfo.processInfo.processName,
        ]
    }

    /// Returns the statement that adds a transaction in the concurrent form.
    private func entry(author: String?, contextName: String?) -> SQLFragment {
        SQLFragment(
            insertions.transaction,
            bindings: names(author, contextName).map { $0.map(SQLValue.text) ?? .null })
    }

    private static let nameQuery: SQLText =
        "SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = \(placeholder: .text)"
    private static let nameInsertion: SQLText = """
        INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) \
        VALUES (\(placeholder: .integer), \(placeholder: .integer), \(placeholder: .text))
        """

    /// Returns the key of a name in the table of names, which has each name once.
    private func string(_ name: String, on connection: any SQLConnection) throws(SQLError) -> Int64 {
        let find = try connection.prepare(Self.nameQuery)
        try find.bind([.text(name)])
        defer { find.reset() }
        if try find.step() { return find.integer(at: 0) }
        let key = try KeyCounter.keys(1, number: HistorySchema.stringNumber, on: connection)
        let insert = try connection.prepare(Self.nameInsertion)
        try insert.bind([.integer(key), .integer(HistorySchema.stringNumber), .text(name)])
        _ = try insert.step()
        return key
    }
}

extension SavePlan {
    /// The rows that are moved and not updated besides.
    fileprivate var movedAlone: [ObjectReference: ColumnMask] {
        var moved = moved
        for update in updates where !moved.isEmpty { moved[update.reference] = nil }
        return moved
    }

    /// The number of changes that the history has of the save.
    fileprivate var historyCount: Int {
        inserts.count + updates.count + movedAlone.count + deletes.count
    }
}
