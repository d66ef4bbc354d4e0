import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// The reading of one store's history tables, in one read transaction, so that all results are of one state.
struct HistoryReader {
    private let compiler: HistoryCompiler
    private let schema: StoreSchema
    private let columns: HistoryColumnTable
    /// The positions of the transactions; nil where these are their numbers.
    private let progress: HistoryProgress?
    private let connection: any SQLConnection

    init(
        _ compiler: HistoryCompiler, _ schema: StoreSchema, _ history: HistoryWriter,
        _ progress: HistoryProgress?, on connection: any SQLConnection
    ) {
        self.compiler = compiler
        self.schema = schema
        columns = history.columns
        self.progress = progress
        self.connection = connection
    }

    /// Returns the numbers of the first transaction kept and the last ever made.
    static func extent(
        _ compiler: HistoryCompiler, on connection: any SQLConnection
    ) throws(SQLError) -> HistoryExtent {
        let statement = try connection.prepare(compiler.extent().sql)
        defer { statement.reset() }
        guard try statement.step() else { return HistoryExtent(first: nil, last: HistoryMark(0)) }
        let first: Int64? = if case .integer(let first) = statement.value(at: 0) { first } else { nil }
        return HistoryExtent(first: first, last: HistoryMark(statement.integer(at: 1)))
    }

    /// Reads transactions.
    ///
    /// - Parameter matches: The query for the keys of the transactions or changes.
    func transactions(
        _ query: HistoryQuery,
        matching matches: SQLFragment
    ) throws(SQLError) -> [HistoryTransaction] {
        let keys = try rows(matches).map { $0.integer(at: 0) }
        if query.filter?.subject == .changes {
            let changes = try self.changes(compiler.changes(keys))
            return try transactions(changes.order, query.includesChanges ? changes.byTransaction : nil)
        }
        let changes = query.includesChanges ? try self.changes(compiler.changes(ofTransactions: keys)) : nil
        return try transactions(keys, changes?.byTransaction)
    }

    // MARK: Rows

    private struct Row {
        let values: [SQLValue]

        func integer(at index: Int) -> Int64 {
            switch values[index] {
            case .integer(let number): number
            case .double(let number): Int64(exactly: number.rounded(.towardZero)) ?? 0
            case .null, .text, .blob, .integers, .texts: 0
            }
        }

        func date(at index: Int) -> Date {
            if case .date(let date) = AttributeValue(values[index], as: .date) { date } else { .distantPast }
        }

        func text(at index: Int) -> String? {
            if case .text(let text) = values[index] { text } else { nil }
        }
    }

    private func rows(_ query: SQLFragment) throws(SQLError) -> [Row] {
        var result: [Row] = []
        try connection.forEachRow(of: query) { row in
            result.append(Row(values: (0..<row.columnCount).map { row.value(at: Int32($0)) }))
        }
        return result
    }

    private func transactions(
        _ keys: [Int64],
        _ changes: [Int64: [StoredChange]]?
    ) throws(SQLError) -> [HistoryTransaction] {
        try rows(compiler.transactions(keys)).map { row in
            let number = row.integer(at: 0)
            let bundleID = row.text(at: 3)
            return HistoryTransaction(
                number: number,
                mark: progress?.mark(after: number) ?? HistoryMark(number),
                timestamp: row.date(at: 1),
                author: row.text(at: 2),
                bundleID: bundleID,
                contextName: row.text(at: 4),
                processID: row.text(at: 5),
                changes: changes.map { changes in
                    (changes[number] ?? []).map { decoded($0, isAnonymous: bundleID == nil) }
                })
        }
    }

    /// A change, and the mask of an update, whose form depends on the transaction.
    private struct StoredChange {
        var change: HistoryChange
        var mask: Data?
    }

    private func decoded(_ stored: StoredChange, isAnonymous: Bool) -> HistoryChange {
        var change = stored.change
        if let mask = stored.mask {
            change.updatedSlots = columns[change.row.entity].slots(in: mask, isAnonymous: isAnonymous)
        }
        return change
    }

    /// Returns the changes by transaction, and the transactions in the order in which they first appear,
    /// without rows of entities that the model lacks.
    private func changes(
        _ query: SQLFragment
    ) throws(SQLError) -> (byTransaction: [Int64: [StoredChange]], order: [Int64]) {
        var result: [Int64: [StoredChange]] = [:]
        var order: [Int64] = []
        for row in try rows(query) {
            guard let change = change(row) else { continue }
            let transaction = row.integer(at: 1)
            if result[transaction] == nil { order.append(transaction) }
            result[transaction, default: []].append(change)
        }
        return (result, order)
    }

    private func change(_ row: Row) -> StoredChange? {
        guard let kind = HistoryChange.Kind(rawValue: row.integer(at: 2)),
            let entity = schema.entity(numbered: row.integer(at: 3)), row.integer(at: 4) > 0
        else { return nil }
        var change = StoredChange(
            change: HistoryChange(
                number: row.integer(at: 0), kind: kind,
                row: ObjectReference(entity: entity, key: row.integer(at: 4))))
        if kind == .update, case .blob(let mask) = row.values[5] { change.mask = mask }
        if kind == .delete {
            change.change.tombstone = columns[entity].tombstone(Array(row.values.dropFirst(6)))
        }
        return change
    }
}
