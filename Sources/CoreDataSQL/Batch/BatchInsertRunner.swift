import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The insertion of the rows that a closure provides, many at a time, in the transaction that its
/// caller began.
struct BatchInsertRunner {
    private let backend: SQLBackend
    private let batch: BatchInsert
    private let connection: any SQLConnection
    private let entity: CompiledEntity
    private let table: EntityTable
    private let binder: RowBinder
    /// Whether insertions into the table fire triggers.
    private let firesTriggers: Bool
    private let upserts: UpsertCompiler
    /// The columns whose large values lie in external files.
    private let externalColumns: [Int]
    /// The uniqueness constraints, as slot indexes.
    private let constraints: [[Int]]
    /// Whether the caller or the history asks which rows were written.
    private let needsReferences: Bool
    private var prepared: [ColumnMask: PreparedUpsert] = [:]

    /// The statement that writes rows with values for the same columns.
    private struct PreparedUpsert {
        let text: RowStatement
        let statement: any SQLStatement
        /// The columns that it writes if the row exists.
        let columns: ColumnMask
    }

    /// The greatest number of times that a row is tried to be written.
    private static let mostAttempts = 100

    init(
        _ batch: BatchInsert, into table: EntityTable, of backend: SQLBackend,
        on connection: any SQLConnection
    ) throws(SQLError) {
        self.backend = backend
        self.batch = batch
        self.connection = connection
        self.table = table
        entity = backend.schema.model[batch.entity]
        constraints = backend.schema.constraints(of: entity)
        needsReferences = BatchJournal.needsReferences(batch.terms, family: entity.family, backend)
        firesTriggers = try backend.triggeredTables(on: connection).contains(table)
        binder = RowBinder(backend.saveCompiler)
        upserts = UpsertCompiler(saver: backend.saveCompiler, entity: entity, table: table)
        externalColumns = backend.schema.externalColumns(of: batch.entity)
    }

    /// Inserts rows and returns the receipt. After a failure the caller must roll back.
    mutating func run(_ rows: () -> BatchRowAnswer) throws(SQLError) -> Result<BatchReceipt, StoreError> {
        var journal = BatchJournal(batch.terms, backend, connection)
        let mayUpsert = batch.policy != .fail && !constraints.isEmpty
        var chunk: [BatchRow] = []
        var isAtEnd = false
        while !isAtEnd {
            chunk.removeAll(keepingCapacity: true)
            filling: while chunk.count < backend.dialect.rowsPerBatch {
                switch rows() {
                case .row(let row): chunk.append(row)
                case .end:
                    isAtEnd = true
                    break filling
                case .invalid(let message):
                    return .failure(StoreError(.invalidValue, message, path: backend.path))
                }
            }
            if chunk.isEmpty { break }
            try takeKeys(for: chunk)
            if mayUpsert {
                try upsert(chunk, &journal)
            } else if let violation = try insert(chunk, &journal) {
                return .failure(violation)
            }
        }
        return .success(journal.receipt)
    }

    private func takeKeys(for chunk: [BatchRow]) throws(SQLError) {
        var keys = try backend.keys.keys(chunk.count, of: batch.entity, on: connection)
        for row in chunk { row.values.key = keys.next() }
    }

    // MARK: Plain rows

    /// Inserts rows. Returns an error if unique values are taken.
    private func insert(_ chunk: [BatchRow], _ journal: inout BatchJournal) throws(SQLError) -> StoreError? {
        let rows = chunk.map(\.values)
        do throws(SQLError) {
            let step = WriteStep.insert(
                InsertedRows(rows), rows.indices, into: table, permanent: [:], firesTriggers: firesTriggers)
            _ = try connection.run([step], by: backend.saveCompiler)
        } catch {
            guard error.kind == .constraint else { throw error }
            if backend.dialect.errorsEndTransactions { connection.rollback() }
            let finder = ConflictFinder(backend, ChangeSet(inserted: rows))
            let violations = try finder.violations(on: connection)
            return StoreError(
                .constraints(violations), "values that must be unique exist already", path: backend.path)
        }
        try journal.record(.insert, rows.map(\.reference))
        return nil
    }

    // MARK: Upserts

    private mutating func upsert(_ chunk: [BatchRow], _ journal: inout BatchJournal) throws(SQLError) {
        var inserted: [ObjectReference] = []
        var updated: [(reference: ObjectReference, columns: ColumnMask)] = []
        for row in chunk {
            if !externalColumns.isEmpty, try !prepareExternal(row) { continue }
            let upsert = try upsert(row.given)
            let statement = upsert.statement
            defer { statement.reset() }
            let isAnswered = try run(upsert, row)
            guard needsReferences else {
                journal.count(
                    isAnswered ? 1 : statement.changedRowCount, mayExist: !upsert.columns.isEmpty)
                continue
            }
            guard isAnswered else { continue }
            let key = statement.integer(at: 0)
            if key == row.values.key {
                inserted.append(row.values.reference)
            } else {
                let model = backend.schema.model
                let family = model[model[batch.entity].root].family
                let number = statement.integer(at: 1)
                let found = backend.schema.entity(numbered: number, in: family) ?? batch.entity
                updated.append((ObjectReference(entity: found, key: key), upsert.columns))
            }
        }
        try journal.record(.insert, inserted)
        for (columns, rows) in Dictionary(grouping: updated, by: \.columns) {
            try journal.record(.update(columns), rows.map(\.reference))
        }
    }

    /// Runs an upsert until no other connection takes the row's values while it runs. Returns whether it answers
    /// with a row.
    private func run(_ upsert: PreparedUpsert, _ row: BatchRow) throws(SQLError) -> Bool {
        for _ in 0..<Self.mostAttempts {
            try binder.bindInsert(row.values, row.values.key, upsert.text, table, to: upsert.statement)
            guard try upsert.statement.step() else { return false }
            if upsert.statement.integer(at: 0) != 0 { return true }
            upsert.statement.reset()
        }
        throw SQLError(
            kind: .constraint, code: 0, message: "unique values of \(entity.name) are taken again and again",
            sql: upsert.text.sql)
    }

    private mutating func upsert(_ given: ColumnMask) throws(SQLError) -> PreparedUpsert {
        if let known = prepared[given] { return known }
        let text = upserts.statement(batch.policy, given: given, answersRow: needsReferences)
        let upsert = PreparedUpsert(
            text: text, statement: try connection.prepare(text.sql),
            columns: ColumnMask(upserts.written(batch.policy, given)))
        prepared[given] = upsert
        return upsert
    }

    /// Prepares the writing of a row's external files: releases the files that the row replaces, or returns
    /// false if the store keeps its values, so that no file is needed.
    private func prepareExternal(_ row: BatchRow) throws(SQLError) -> Bool {
        let names = externalColumns.map { table.columns[$0].name }.joined(separator: ", ")
        let written = Set(upserts.written(batch.policy, row.given))
        for constraint in constraints {
            let columns = constraint.compactMap { entity.slots[$0].column }
            let conditions = columns.map { column -> SQLText in
                let type = backend.schema.columnType(of: entity.columns[column])
                return "\(table.columns[column].name) = \(placeholder: .value(type))"
            }.joined(separator: " AND ")
            let statement = try connection.prepare(
                "SELECT \(names) FROM \(table.tableName) WHERE \(conditions)")
            try statement.bind(row.values, columns: columns, from: 1)
            defer { statement.reset() }
            guard try statement.step() else { continue }
            if batch.policy == .keepStored { return false }
            for (position, column) in externalColumns.enumerated() {
                let stored = statement.value(at: Int32(position))
                if batch.policy == .fillStored {
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
