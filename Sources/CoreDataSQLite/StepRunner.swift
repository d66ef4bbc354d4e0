import CoreDataSQL
import CoreDataStore
import CoreDataValues

/// The execution of write steps on a connection, inside the transaction that its caller began: a statement for
/// each row, or for a group of rows.
struct StepRunner {
    private let connection: SQLiteConnection
    private let compiler: SaveCompiler

    init(_ compiler: SaveCompiler, on connection: SQLiteConnection) {
        self.compiler = compiler
        self.connection = connection
    }

    /// Runs steps until a row is not as its step expects.
    func run(_ steps: [WriteStep]) throws(SQLError) -> StepOutcome {
        for (index, step) in steps.enumerated() {
            guard try run(step) else { return .refused(step: index) }
        }
        return .done
    }

    private func run(_ step: WriteStep) throws(SQLError) -> Bool {
        switch step {
        case .require(let rows, let table): return try require(rows, in: table)
        case .delete(let rows, let table): return try delete(rows, from: table)
        case .update(let rows, let changed, let table, let permanent):
            return try update(rows, changed, in: table, RowBinder(compiler, permanent))
        case .insert(let rows, let indices, let table, let permanent, let firesTriggers):
            try insert(rows, indices, into: table, RowBinder(compiler, permanent), firesTriggers)
        case .link(let steps): try link(steps)
        case .assign(let rows): try assign(rows)
        case .run(let fragment, _): try connection.run(fragment)
        case .ask(let fragment, let answer):
            try connection.forEachRow(of: fragment) { row in
                answer.cells = (0..<Int32(row.columnCount)).map { row.value(at: $0) }
            }
        case .record(let rows): try record(rows)
        case .commit: try connection.commit()
        }
        return true
    }

    private func require(_ rows: ArraySlice<RowExpectation>, in table: EntityTable) throws(SQLError) -> Bool {
        let statement = try connection.statement(compiler.version(in: table))
        for row in rows {
            try statement.bind(row.reference.key, at: 1)
            try statement.bind(row.version, at: 2)
            let isThere = try statement.step()
            statement.reset()
            if !isThere { return false }
        }
        return true
    }

    // MARK: Rows

    private func delete(_ rows: ArraySlice<RowDeletion>, from table: EntityTable) throws(SQLError) -> Bool {
        let hasExternals = !compiler.schema.externalColumns(of: table.entity).isEmpty
        var (single, many): (SQLiteStatement?, SQLiteStatement?)
        for indices in rows.neighbours {
            let (run, first) = (rows[indices], rows[indices.lowerBound])
            if hasExternals {
                for row in run { try releaseExternal(row.reference.key, table.columns.indices, of: table) }
            }
            let isRun = run.count > 1
            let prepared = isRun ? many : single
            let statement =
                if let prepared { prepared } else {
                    try connection.statement(
                        compiler.delete(from: table, isRun: isRun, checksVersion: first.version != nil))
                }
            if isRun { many = statement } else { single = statement }
            try statement.bind(first.reference.key, at: 1)
            if isRun { try statement.bind(first.reference.key + Int64(run.count - 1), at: 2) }
            if let version = first.version { try statement.bind(version, at: isRun ? 3 : 2) }
            _ = try statement.step()
            if first.version != nil, statement.changedRowCount < run.count { return false }
        }
        return true
    }

    private func update(
        _ rows: ArraySlice<RowUpdate>, _ changed: ColumnMask, in table: EntityTable, _ binder: RowBinder
    ) throws(SQLError) -> Bool {
        let text = compiler.update(table, changed)
        let statement = try connection.statement(text.sql)
        let hasExternals = !compiler.schema.externalColumns(of: table.entity).isEmpty
        for index in rows.indices {
            // Copying the whole value would count references.
            let (key, version) = (rows[index].reference.key, rows[index].version)
            if hasExternals { try releaseExternal(key, text.columns, of: table) }
            try rows[index].borrowed.withBorrowed { row throws(SQLError) in
                try binder.bindUpdate(row, key, version, text, to: statement)
            }
            _ = try statement.step()
            if statement.changedRowCount == 0 { return false }
        }
        return true
    }

    private func assign(_ rows: ComputedRows) throws(SQLError) {
        let statement = try connection.statement(rows.update)
        for values in rows.values {
            try statement.bind(values)
            _ = try statement.step()
        }
    }

    /// Releases the external files that are named in columns which are about to be overwritten.
    private func releaseExternal(
        _ key: Int64, _ columns: some Sequence<Int>, of table: EntityTable
    ) throws(SQLError) {
        let attributes = compiler.schema.externalColumns(of: table.entity)
        for column in columns where attributes.contains(column) {
            let name = table.columns[column].name
            try connection.releaseExternals([
                """
                SELECT \(name) FROM \(table.tableName) \
                WHERE Z_PK = \(bind: .integer(key)) AND length(\(name)) = 38
                """
            ])
        }
    }

    // MARK: New rows

    private func insert(
        _ rows: InsertedRows, _ indices: Range<Int>, into table: EntityTable, _ binder: RowBinder,
        _ firesTriggers: Bool
    ) throws(SQLError) {
        let text = compiler.insert(table, .single)
        let group = indices.count > 1 ? compiler.insert(table, .group(firesTriggers: firesTriggers)) : text
        try insert(indices, by: [(group.sql, group.rowCount), (text.sql, 1)]) {
            statement, indices throws(SQLError) in
            try binder.bindInserts(rows, indices, text, table, to: statement)
        }
    }

    private func record(_ rows: HistoryChangeRows) throws(SQLError) {
        let texts = rows.statements
        try insert(0..<rows.count, by: [(texts.changes, SaveCompiler.rowsPerInsert), (texts.change, 1)]) {
            statement, indices throws(SQLError) in
            var position = 1
            for index in indices { position = try rows.bind(index, from: position, to: statement) }
        }
    }

    /// Runs insertions: the first text for full groups of rows, the second one for the rest, row by row.
    @inline(__always)
    private func insert(
        _ indices: Range<Int>, by texts: [(sql: SQLText, rowCount: Int)],
        _ bind: (SQLiteStatement, Range<Int>) throws(SQLError) -> Void
    ) throws(SQLError) {
        var rest = indices
        for text in texts where rest.count >= text.rowCount {
            let statement = try connection.statement(text.sql)
            while rest.count >= text.rowCount {
                try bind(statement, rest.prefix(text.rowCount))
                _ = try statement.step()
                rest = rest.dropFirst(text.rowCount)
            }
        }
    }

    // MARK: Links

    private func link(_ steps: ArraySlice<LinkStep>) throws(SQLError) {
        guard let first = steps.first else { return }
        if case .link(let table, let owner, let member) = first {
            return try insertPairs(steps, into: table, owner.name, member.name)
        }
        let statement = try connection.statement(compiler.text(of: first))
        for step in steps {
            try statement.bind(step.values)
            _ = try statement.step()
        }
    }

    private func insertPairs(
        _ steps: ArraySlice<LinkStep>, into table: SQLIdentifier, _ owner: SQLIdentifier,
        _ member: SQLIdentifier
    ) throws(SQLError) {
        let texts = [SaveCompiler.rowsPerInsert, 1].map { count in
            (compiler.link(table, owner, member, isGroup: count > 1), count)
        }
        try insert(steps.indices, by: texts) { statement, indices throws(SQLError) in
            var position = 1
            for case .link(_, let owner, let member) in steps[indices] {
                try statement.bind(owner.key, at: position)
                try statement.bind(member.key, at: position + 1)
                position += 2
            }
        }
    }
}
