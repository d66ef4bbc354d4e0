import CoreDataSQL
import CoreDataStore
import CoreDataValues

/// The execution of upserts on a connection, a statement for each row.
struct UpsertRunner {
    private(set) var receipt = UpsertReceipt()
    private let upserts: UpsertCompiler
    private let answersRows: Bool
    private let connection: SQLiteConnection
    private let binder: RowBinder
    /// The columns whose large values lie in external files.
    private let externalColumns: [Int]
    private var prepared: [ColumnMask: Upsert] = [:]

    /// The statement for rows with values for the same columns.
    private struct Upsert {
        let text: RowStatement
        let statement: SQLiteStatement
        /// The columns that it writes if the row exists.
        let columns: ColumnMask
    }

    init(_ upserts: UpsertCompiler, answersRows: Bool, on connection: SQLiteConnection) {
        self.upserts = upserts
        self.answersRows = answersRows
        self.connection = connection
        binder = RowBinder(upserts.saver)
        externalColumns = upserts.saver.schema.externalColumns(of: upserts.table.entity)
    }

    mutating func run(_ row: BatchRow) throws(SQLError) {
        if !externalColumns.isEmpty, try !prepareExternal(row) { return }
        let upsert = try upsert(row.given)
        let statement = upsert.statement
        defer { statement.reset() }
        try binder.bindInsert(row.values, row.values.key, upsert.text, upserts.table, to: statement)
        let isAnswered = try statement.step()
        if !answersRows {
            receipt.unnamedCount += statement.changedRowCount
            if !upsert.columns.isEmpty { receipt.mayChangeStored = true }
        } else if isAnswered {
            receipt.note(
                row, key: statement.integer(at: 0), entity: statement.integer(at: 1), upsert.columns,
                in: upserts.saver.schema)
        }
    }

    private mutating func upsert(_ given: ColumnMask) throws(SQLError) -> Upsert {
        if let known = prepared[given] { return known }
        let text = upserts.statement(given: given, answersRow: answersRows)
        let upsert = Upsert(
            text: text, statement: try connection.statement(text.sql),
            columns: ColumnMask(upserts.written(given)))
        prepared[given] = upsert
        return upsert
    }

    /// Prepares the writing of a row's external files: releases the files that the row replaces, or returns
    /// false if the store keeps its values, so that no file is needed.
    private func prepareExternal(_ row: BatchRow) throws(SQLError) -> Bool {
        let table = upserts.table
        let names = externalColumns.map { table.columns[$0].name }.joined(separator: ", ")
        let written = Set(upserts.written(row.given))
        for constraint in upserts.constraints {
            let conditions = zip(constraint.columns, constraint.placeholders).map {
                "\(table.columns[$0].name) = \(placeholder: $1)" as SQLText
            }.joined(separator: " AND ")
            let statement = try connection.prepare(
                "SELECT \(names) FROM \(table.tableName) WHERE \(conditions)")
            try statement.bind(row.values, columns: constraint.columns, from: 1)
            defer { statement.reset() }
            guard try statement.step() else { continue }
            if upserts.policy == .keepStored { return false }
            for (position, column) in externalColumns.enumerated() {
                let stored = statement.value(at: Int32(position))
                if upserts.policy == .fillStored {
                    if stored != .null { row.values.setNull(column) }
                } else if written.contains(column) {
                    connection.releaseExternal(stored)
                } else {
                    row.values.setNull(column)
                }
            }
            return true
        }
        return true
    }
}
