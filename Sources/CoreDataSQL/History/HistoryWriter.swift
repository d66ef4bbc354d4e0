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
            schema, form, retention, hasStrings: true, tombstoneCount: HistorySchema(schema).tombstoneCount)
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
        columns = HistoryColumnTable(schema)
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

    /// Records a save; returns the number of the new transaction, or nil if nothing changed.
    func record(
        _ plan: SavePlan,
        of changes: ChangeSet,
        tombstones: [ObjectReference: Snapshot],
        by compiler: SaveCompiler,
        on connection: any SQLConnection
    ) throws(SQLError) -> Int64? {
        var moved = plan.moved
        for update in plan.updates where !moved.isEmpty { moved[update.reference] = nil }
        let count = plan.inserts.count + plan.updates.count + moved.count + plan.deletes.count
        guard count > 0 else { return nil }
        let transaction = try begin(author: changes.author, contextName: changes.contextName, on: connection)
        var links: [ObjectReference: [Int]] = [:]
        if !plan.updates.isEmpty {
            for link in changes.links { links[link.owner, default: []].append(link.slot) }
        }
        var rows = try changeRows(count, transaction, on: connection)
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
        _ = try connection.run([.record(rows)], by: compiler)
        return transaction
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
        let key = try KeyCounter.keys(count, number: HistorySchema.changeNumber, on: connection)
        return HistoryChangeRows(count, from: key, of: transaction, schema, columns, by: insertions)
    }

    // MARK: The transaction row

    /// Adds a transaction and returns its number.
    ///
    /// It always has a bundle identifier, if only an empty one. Transactions of this framework's former
    /// releases have none, which tells that the masks of their changes may be in another form (see
    /// `HistoryColumns`).
    func begin(
        author: String?,
        contextName: String?,
        on connection: any SQLConnection
    ) throws(SQLError) -> Int64 {
        try retention?.pruneIfDue(hasStrings: hasStrings, on: connection)
        let key = try KeyCounter.keys(1, number: HistorySchema.transactionNumber, on: connection)
        let names = [
            author, Bundle.main.bundleIdentifier ?? "", contextName,
            ProcessInfo.processInfo.processName,
        ]
        var values: [SQLValue] = [
            .integer(key), .integer(HistorySchema.transactionNumber),
            .double(Date().timeIntervalSinceReferenceDate),
        ]
        for name in names {
            guard let name else {
                values.append(.null)
                continue
            }
            values.append(hasStrings ? .integer(try string(name, on: connection)) : .text(name))
        }
        let insert = try connection.prepare(insertions.transaction)
        try insert.bind(values)
        _ = try insert.step()
        return key
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
