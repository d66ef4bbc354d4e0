import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// Records a save in the history tables, in the save's own transaction (sqlite-store §12): one transaction row, one
/// change row for each inserted, updated and deleted row.
package struct HistoryWriter: Sendable {
    private let schema: StoreSchema
    /// Whether names lie in a table of their own; the first releases wrote them into the transaction.
    let hasStrings: Bool
    private let tombstoneCount: Int
    private let retention: HistoryRetention?

    /// For tables made by `HistorySchema`.
    ///
    /// - Parameter retention: seconds after which a transaction is forgotten; nil keeps all.
    package init(_ schema: StoreSchema, retention: Double? = nil) {
        self.schema = schema
        self.retention = retention.map(HistoryRetention.init)
        hasStrings = true
        tombstoneCount = HistorySchema(schema).tombstoneCount
    }

    /// For the tables of an existing store.
    package init(_ schema: StoreSchema, catalog: StoreCatalog, retention: Double? = nil) {
        self.schema = schema
        self.retention = retention.map(HistoryRetention.init)
        hasStrings = catalog.tables["ATRANSACTIONSTRING"] != nil
        tombstoneCount = catalog.tables["ACHANGE"]?.keys.count { $0.hasPrefix("ZTOMBSTONE") } ?? 0
    }

    /// How the same tables are read.
    func compiler(_ dialect: any SQLDialect) -> HistoryCompiler {
        HistoryCompiler(
            schema, dialect: dialect, hasStrings: hasStrings, tombstoneCount: tombstoneCount)
    }

    /// The number of the new transaction; nil if nothing changed.
    func record(
        _ plan: SavePlan,
        of changes: ChangeSet,
        tombstones: [ObjectReference: Snapshot],
        on connection: any SQLConnection
    ) throws(SQLError) -> Int64? {
        let count = plan.inserts.count + plan.updates.count + plan.deletes.count
        guard count > 0 else { return nil }
        let transaction = try begin(author: changes.author, contextName: changes.contextName, on: connection)
        var links: [ObjectReference: [Int]] = [:]
        for link in changes.links { links[link.owner, default: []].append(link.slot) }
        var rows = try ChangeRows(count, of: self, transaction, on: connection)
        for insertion in plan.inserts { try rows.insert(.insert, insertion.reference) }
        for update in plan.updates {
            let row = update.proposed
            let mask = Self.mask(row.layout, update.changed, links[row.reference] ?? [])
            try rows.insert(.update, row.reference, mask: mask)
        }
        for deletion in plan.deletes {
            try rows.insert(
                .delete, deletion.reference, tombstone: deletion.committed ?? tombstones[deletion.reference])
        }
        return transaction
    }

    /// Records rows of a batch, all changed alike.
    func record(
        _ change: BatchJournal.Change,
        _ changed: [ObjectReference],
        deleted: [ObjectReference: Snapshot],
        layouts: RowLayouts,
        transaction: Int64,
        on connection: any SQLConnection
    ) throws(SQLError) {
        var rows = try ChangeRows(changed.count, of: self, transaction, on: connection)
        var masks: [EntityIndex: Data] = [:]
        for reference in changed {
            switch change {
            case .insert: try rows.insert(.insert, reference)
            case .delete: try rows.insert(.delete, reference, tombstone: deleted[reference])
            case .update(let columns):
                if masks[reference.entity] == nil {
                    masks[reference.entity] = Self.mask(layouts[reference.entity], columns, [])
                }
                try rows.insert(.update, reference, mask: masks[reference.entity])
            }
        }
    }

    /// Whether deleted rows leave values behind, so that they must be read before.
    var preservesValues: Bool { tombstoneCount > 0 }

    /// Writes a known number of rows into ACHANGE.
    private struct ChangeRows {
        private let writer: HistoryWriter
        private let transaction: Int64
        private let statement: any SQLStatement
        private var next: Int64

        init(
            _ count: Int,
            of writer: HistoryWriter,
            _ transaction: Int64,
            on connection: any SQLConnection
        ) throws(SQLError) {
            self.writer = writer
            self.transaction = transaction
            next = try KeyAllocator.keys(count, number: HistorySchema.changeNumber, on: connection)
            statement = try connection.prepare(writer.changeStatement)
        }

        mutating func insert(
            _ kind: HistoryChange.Kind,
            _ reference: ObjectReference,
            mask: Data? = nil,
            tombstone: Snapshot? = nil
        ) throws(SQLError) {
            guard let number = writer.schema[reference.entity]?.number else { return }
            try statement.bind([
                .integer(next), .integer(HistorySchema.changeNumber), .integer(kind.rawValue),
                .integer(number), .integer(reference.key), .integer(transaction),
                mask.map(SQLValue.blob) ?? .null,
            ])
            next += 1
            try writer.bindTombstones(tombstone, to: statement)
            _ = try statement.step()
        }
    }

    private var changeStatement: String {
        let tombstones = (0..<tombstoneCount).map { ", ZTOMBSTONE\($0)" }.joined()
        let values = repeatElement("?", count: 7 + tombstoneCount).joined(separator: ", ")
        return """
            INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS\
            \(tombstones)) VALUES (\(values))
            """
    }

    /// The preserved attributes of a deleted row, each in its natural type.
    private func bindTombstones(_ row: Snapshot?, to statement: any SQLStatement) throws(SQLError) {
        for index in 0..<tombstoneCount { try statement.bind(.null, at: 8 + index) }
        guard let row else { return }
        let preserved = HistoryColumns(row.layout.entity).preserved.prefix(tombstoneCount)
        for (index, slot) in preserved.enumerated() {
            guard let column = slot.column else { continue }
            if slot.attribute?.allowsExternalStorage ?? false, case .data(let data) = row.value(column) {
                // As it is, without the marker and the file it has in its row.
                try statement.bind(.blob(data), at: 8 + index)
            } else {
                try statement.bind(row, columns: [column], from: 8 + index)
            }
        }
    }

    /// Which properties an update changed.
    static func mask(_ layout: RowLayout, _ changed: ColumnMask, _ toMany: [Int]) -> Data {
        HistoryColumns(layout.entity).mask(Set(changed.columns.map { layout.columns[$0].slot } + toMany))
    }

    // MARK: The transaction row

    /// Adds a transaction and answers with its number.
    func begin(
        author: String?,
        contextName: String?,
        on connection: any SQLConnection
    ) throws(SQLError) -> Int64 {
        try retention?.pruneIfDue(hasStrings: hasStrings, on: connection)
        let key = try KeyAllocator.keys(1, number: HistorySchema.transactionNumber, on: connection)
        let names = [
            author, Bundle.main.bundleIdentifier, contextName,
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
        let columns =
            hasStrings
            ? "ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS"
            : "ZAUTHOR, ZBUNDLEID, ZCONTEXTNAME, ZPROCESSID"
        let insert = try connection.prepare(
            "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, \(columns)) VALUES (?, ?, ?, ?, ?, ?, ?)")
        try insert.bind(values)
        _ = try insert.step()
        return key
    }

    /// The key of a name in the table of names, where each stands once.
    private func string(_ name: String, on connection: any SQLConnection) throws(SQLError) -> Int64 {
        let find = try connection.prepare("SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?")
        try find.bind([.text(name)])
        defer { find.reset() }
        if try find.step() { return find.integer(at: 0) }
        let key = try KeyAllocator.keys(1, number: HistorySchema.stringNumber, on: connection)
        let insert = try connection.prepare(
            "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (?, ?, ?)")
        try insert.bind([.integer(key), .integer(HistorySchema.stringNumber), .text(name)])
        _ = try insert.step()
        return key
    }
}
