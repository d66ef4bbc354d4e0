import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The insertion of the rows that a closure provides, many at a time, in the transaction that its
/// caller began.
struct BatchInsertRunner {
    private let backend: SQLBackend
    private let batch: BatchInsert
    private let connection: any SQLConnection
    private let table: EntityTable
    /// Whether insertions into the table fire triggers.
    private let firesTriggers: Bool
    private let upserts: UpsertCompiler
    /// Whether the caller or the history asks which rows were written.
    private let needsReferences: Bool

    init(
        _ batch: BatchInsert, into table: EntityTable, of backend: SQLBackend,
        on connection: any SQLConnection
    ) throws(SQLError) {
        self.backend = backend
        self.batch = batch
        self.connection = connection
        self.table = table
        let entity = backend.schema.model[batch.entity]
        needsReferences = BatchJournal.needsReferences(batch.terms, family: entity.family, backend)
        firesTriggers = try backend.triggeredTables(on: connection).contains(table)
        upserts = UpsertCompiler(backend.saveCompiler, table, batch.policy)
    }

    /// Inserts rows and returns the receipt. After a failure the caller must roll back.
    func run(_ rows: () -> BatchRowAnswer) throws(SQLError) -> Result<BatchReceipt, StoreError> {
        var journal = BatchJournal(batch.terms, backend, connection)
        let mayUpsert = batch.policy != .fail && !upserts.constraints.isEmpty
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

    private func upsert(_ chunk: [BatchRow], _ journal: inout BatchJournal) throws(SQLError) {
        let receipt = try connection.upsert(chunk, by: upserts, answersRows: needsReferences)
        if receipt.unnamedCount > 0 { journal.count(receipt.unnamedCount, mayExist: receipt.mayChangeStored) }
        try journal.record(.insert, receipt.inserted)
        for (columns, rows) in Dictionary(grouping: receipt.updated, by: \.columns) {
            try journal.record(.update(columns), rows.map(\.reference))
        }
    }
}
