import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The work of a batch besides writing its rows: it counts and lists them, computes the derived attributes
/// that no trigger keeps, and records the history.
struct BatchJournal {
    enum Change: Hashable {
        case insert
        /// An update, with the columns that were written.
        case update(ColumnMask)
        case delete
    }

    private let terms: BatchTerms
    private let backend: SQLBackend
    private let connection: any SQLConnection
    private(set) var receipt = BatchReceipt()

    init(_ terms: BatchTerms, _ backend: SQLBackend, _ connection: any SQLConnection) {
        self.terms = terms
        self.backend = backend
        self.connection = connection
    }

    /// Returns whether the caller, the history or derived attributes need to know which rows are written, and
    /// not just how many.
    static func needsReferences(_ terms: BatchTerms, family: Range<EntityIndex>, _ backend: SQLBackend)
        -> Bool
    {
        terms.wantsReferences || backend.history != nil || backend.derivedTexts.exist(in: family)
            || backend.derivedTotals?.concern(family) ?? false || backend.searchWords.exist(in: family)
    }

    /// Records rows that the batch was asked to write.
    ///
    /// - Parameter deleted: The rows before their deletion, for the values that the history preserves of
    ///   them.
    mutating func record(
        _ change: Change,
        _ rows: [ObjectReference],
        deleted: [ObjectReference: Snapshot] = [:]
    ) throws(SQLError) {
        guard !rows.isEmpty else { return }
        receipt.count += rows.count
        if terms.wantsReferences { receipt.references += rows }
        try recordSideEffect(change, rows, deleted: deleted)
    }

    /// Records other rows that change as a consequence.
    mutating func recordSideEffect(
        _ change: Change,
        _ rows: [ObjectReference],
        deleted: [ObjectReference: Snapshot] = [:]
    ) throws(SQLError) {
        guard !rows.isEmpty else { return }
        if change != .insert { receipt.changesExistingRows = true }
        if change != .delete {
            let steps = try backend.derivedTexts.rows(rows, on: connection).map(WriteStep.assign)
            _ = try connection.run(steps, by: backend.saveCompiler)
            try backend.searchWords.index(rows, on: connection)
        }
        try computeTotals(change, rows)
        guard let history = backend.history else { return }
        let transaction: HistoryMark
        if let open = receipt.historyToken {
            transaction = open
        } else {
            transaction = try history.begin(
                author: terms.author, contextName: terms.contextName, on: connection)
            receipt.historyToken = transaction
        }
        try history.record(
            change, rows, deleted: deleted, transaction: transaction.number, by: backend.saveCompiler,
            on: connection)
    }

    /// Computes derived attributes of other rows. A deletion has this done when its rows are gone.
    private mutating func computeTotals(_ change: Change, _ rows: [ObjectReference]) throws(SQLError) {
        guard backend.derivedTotals != nil else { return }
        switch change {
        case .insert:
            let new = rows.compactMap { row in
                backend.schema[row.entity].map { ChangedRow(table: $0.tableName, key: row.key) }
            }
            try computeTotals(of: TouchedRows(rows, .insert(returning: [])), new: Set(new))
        case .update(let columns): try computeTotals(of: TouchedRows(rows, .update(columns)))
        case .delete: break
        }
    }

    /// Computes what a write has changed in other rows.
    ///
    /// - Parameter new: The rows that were inserted.
    mutating func computeTotals(
        of write: TouchedRows, new: Set<ChangedRow> = []
    ) throws(SQLError) {
        guard let totals = backend.derivedTotals else { return }
        let (_, written) = try connection.recordingChanges { () throws(SQLError) in
            try connection.run(totals.stepsAfter(write), by: backend.saveCompiler)
        }
        try backend.searchWords.index(backend.searchWords.rows(amongDerived: written), on: connection)
        if !written.isSubset(of: new) { receipt.changesExistingRows = true }
    }

    /// Counts rows whose references are not asked for.
    mutating func count(_ rows: Int, mayExist: Bool = true) {
        receipt.count += rows
        if rows > 0, mayExist { receipt.changesExistingRows = true }
    }
}
