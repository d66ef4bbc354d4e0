import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The execution of a batch deletion in the transaction that its caller began.
struct BatchDeleteRunner {
    private let plan: BatchDeletePlan
    /// The queries for the rows whose values the history preserves, by root entity; empty if it preserves
    /// none.
    private let preserving: [EntityIndex: CompiledQuery]
    private let backend: SQLBackend
    private let connection: any SQLConnection
    private let marks: MarkTable

    /// The number of rows that are read at a time for the history.
    private static let rowsPerChunk = 500

    init(
        _ plan: BatchDeletePlan,
        preserving: [EntityIndex: CompiledQuery],
        of backend: SQLBackend,
        on connection: any SQLConnection
    ) {
        self.plan = plan
        self.preserving = preserving
        self.backend = backend
        self.connection = connection
        marks = MarkTable(schema: backend.schema, dialect: backend.dialect)
    }

    func run() throws(SQLError) -> Result<BatchReceipt, StoreError> {
        var journal = BatchJournal(plan.batch.terms, backend, connection)
        let totals = backend.derivedTotals.flatMap { $0.concern(plan.entities) ? $0 : nil }
        if let plain = plan.plain, !needsReferences, totals == nil {
            journal.count(try connection.run(plain))
            return .success(journal.receipt)
        }
        for statement in marks.begin + [plan.mark] { try connection.run(statement) }
        try cascade()
        for obstacle in plan.obstacles where try connection.findsRow(obstacle.rows) {
            return .failure(StoreError(.deleteDenied, obstacle.message, path: backend.path))
        }
        try connection.releaseExternals(plan.externals)
        try recordDeletions(&journal)
        for release in plan.releases {
            let released = try connection.references(
                release.update + " RETURNING Z_PK, Z_ENT",
                in: backend.schema.model[release.property.entity].family, backend.schema)
            try journal.recordSideEffect(.update(columns(of: release.property)), released)
        }
        let touched = touchedRows
        if let totals {
            // Not before the releases, which have owners computed that the deletion has not left yet.
            _ = try connection.run(totals.stepsBefore(touched), by: backend.saveCompiler)
        }
        for statement in plan.links + plan.deletes { try connection.run(statement) }
        try journal.computeTotals(of: touched)
        try connection.run(marks.clear)
        return .success(journal.receipt)
    }

    /// The marked rows, by their keys in the table of marks.
    private var touchedRows: TouchedRows {
        var touched = TouchedRows()
        for entity in plan.entities {
            touched.append(.delete(isChecked: false), of: entity, .select(marks.keys(ofExactly: entity)))
        }
        return touched
    }

    private var needsReferences: Bool { plan.batch.terms.wantsReferences || backend.history != nil }

    private func cascade() throws(SQLError) {
        var isGrowing = !plan.cascades.isEmpty
        while isGrowing {
            isGrowing = false
            for cascade in plan.cascades where try connection.run(cascade) > 0 { isGrowing = true }
        }
    }

    private func recordDeletions(_ journal: inout BatchJournal) throws(SQLError) {
        let roots = Set(plan.entities.map { backend.schema.model[$0].root }).sorted()
        guard needsReferences else {
            for root in roots {
                journal.count(try connection.count("SELECT COUNT(*) FROM (\(marks.keys(ofRoot: root))) AS k"))
            }
            return
        }
        for root in roots {
            let rows = try connection.references(
                marks.rows(ofRoot: root), in: backend.schema.model[root].family, backend.schema)
            var rest = rows[...]
            while !rest.isEmpty {
                let chunk = Array(rest.prefix(Self.rowsPerChunk))
                rest = rest.dropFirst(Self.rowsPerChunk)
                try journal.record(.delete, chunk, deleted: try preserved(chunk, root))
            }
        }
    }

    /// Returns the rows as they are before their deletion, if the history preserves values of them.
    private func preserved(
        _ rows: [ObjectReference],
        _ root: EntityIndex
    ) throws(SQLError) -> [ObjectReference: Snapshot] {
        guard let query = preserving[root] else { return [:] }
        let snapshots = try SQLBackend.snapshots(query, [SelectCompiler.keys(rows)], connection)
        return Dictionary(snapshots.map { ($0.reference, $0) }) { first, _ in first }
    }

    private func columns(of property: PropertyID) -> ColumnMask {
        ColumnMask([backend.schema.model[property.entity].slots[property.slot].column].compactMap { $0 })
    }
}
