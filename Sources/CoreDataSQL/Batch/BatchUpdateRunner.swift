import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The execution of a batch update in the transaction that its caller began.
struct BatchUpdateRunner {
    private let plan: BatchUpdatePlan
    private let backend: SQLBackend
    private let connection: any SQLConnection

    init(_ plan: BatchUpdatePlan, of backend: SQLBackend, on connection: any SQLConnection) {
        self.plan = plan
        self.backend = backend
        self.connection = connection
    }

    func run() throws(SQLError) -> Result<BatchReceipt, StoreError> {
        var journal = BatchJournal(plan.batch.terms, backend, connection)
        do throws(SQLError) {
            try connection.releaseExternals(plan.externals)
            if needsReferences {
                let rows = try updatedRows()
                try writeFiles(of: rows)
                try journal.record(.update(plan.columns), rows)
                try adjustRelationships(rows, &journal)
            } else {
                journal.count(try connection.run(plan.update))
            }
        } catch {
            guard error.kind == .constraint else { throw error }
            return .failure(
                StoreError(
                    .constraints([]), "the update makes values equal that must be unique: \(error.message)",
                    path: backend.path, code: error.code))
        }
        return .success(journal.receipt)
    }

    private var needsReferences: Bool {
        let family = backend.schema.model[plan.batch.entity].family
        return !plan.partners.isEmpty || !plan.files.isEmpty || !plan.positions.isEmpty
            || BatchJournal.needsReferences(plan.batch.terms, family: family, backend)
    }

    private func updatedRows() throws(SQLError) -> [ObjectReference] {
        var update = plan.update
        if let keys = try lockMovedRows() {
            let isLocked = backend.dialect.isMember("t0.Z_PK", of: "\(bind: keys)")
            update = "\(plan.assignment) WHERE \(isLocked)"
        }
        return try references(update + " RETURNING Z_PK, Z_ENT")
    }

    /// Locks the rows if the update has them leave owners whose derived attributes are made of them, and notes
    /// these owners. Returns the keys of the rows; nil if none leaves an owner.
    private func lockMovedRows() throws(SQLError) -> SQLValue? {
        let change = TouchedRows.Change.update(plan.columns)
        let family = backend.schema.model[plan.batch.entity].family
        guard let totals = backend.derivedTotals,
            totals.losesOwners(TouchedRows(family.map { ObjectReference(entity: $0, key: 0) }, change))
        else { return nil }
        let rows = try references(
            """
            SELECT t0.Z_PK, t0.Z_ENT FROM \(plan.tableName) AS t0\(plan.condition) \
            ORDER BY t0.Z_PK FOR UPDATE OF t0
            """)
        _ = try connection.run(totals.stepsBefore(TouchedRows(rows, change)), by: backend.saveCompiler)
        return SelectCompiler.keys(rows)
    }

    private func references(_ query: SQLFragment) throws(SQLError) -> [ObjectReference] {
        try connection.references(
            query, in: backend.schema.model[plan.batch.entity].family, backend.schema)
    }

    /// Writes a file for each row, since a file belongs to one row and is removed with it.
    private func writeFiles(of rows: [ObjectReference]) throws(SQLError) {
        for file in plan.files {
            let values = Snapshot.make(backend.layouts[plan.batch.entity], key: 0, version: 0)
            values.setData(file.column, file.data)
            for row in rows {
                let statement = try connection.prepare(
                    """
                    UPDATE \(plan.tableName) SET \(file.name) = \(placeholder: .value(.externalData)) \
                    WHERE Z_PK = \(placeholder: .integer)
                    """)
                try statement.bind(values, columns: [file.column], from: 1)
                try statement.bind(.integer(row.key), at: 2)
                _ = try statement.step()
            }
        }
    }

    private func adjustRelationships(
        _ rows: [ObjectReference],
        _ journal: inout BatchJournal
    ) throws(SQLError) {
        guard !rows.isEmpty else { return }
        let keys = SelectCompiler.keys(rows)
        for partner in plan.partners {
            let entity: SQLText = partner.entityColumn.map { ", \($0) = NULL" } ?? ""
            let leadsThere = backend.dialect.isMember("\(partner.column)", of: "\(bind: keys)")
            let clear: SQLFragment = """
                UPDATE \(partner.table) SET \(partner.column) = NULL\(entity), Z_OPT = Z_OPT + 1 \
                WHERE \(leadsThere) RETURNING Z_PK, Z_ENT
                """
            let cleared = try connection.references(
                clear, in: backend.schema.model[partner.entity].family, backend.schema)
            try journal.recordSideEffect(.update(ColumnMask([partner.packedColumn])), cleared)
        }
        let saver = backend.saveCompiler
        for position in plan.positions {
            for row in rows {
                try connection.run(
                    saver.statement(
                        .append(
                            table: plan.tableName, column: position.column,
                            owner: .init(name: position.ownerColumn, key: position.owner),
                            key: .init(name: NameMangling.key, key: row.key))))
            }
        }
    }
}
