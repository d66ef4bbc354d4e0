import CoreDataLibpq
import CoreDataSQL
import CoreDataStore
import CoreDataValues

/// The statements of write steps, one a step for all of its rows: the values of a column are one array.
///
/// The server runs all of them in one round trip. A step whose rows must exist in their versions ends the
/// pipeline if it does not find as many.
struct StepPipeline {
    private(set) var statements: [PipelineStep] = []
    /// The index of the write step that each statement is of.
    private(set) var steps: [Int] = []
    /// The statements that return the keys of rows which they have changed, by their indexes.
    private(set) var changes: [(statement: Int, table: SQLIdentifier)] = []
    /// The statements whose row is an answer, by their indexes.
    private(set) var answers: [(statement: Int, answer: StepAnswer)] = []
    private let compiler: SaveCompiler
    /// The mark that a transaction leaves before it ends.
    private let mark: PipelineStep?

    /// The greatest number of rows of a statement, so that its arrays stay in the caches of the processor, and within
    /// the limits of the protocol.
    private static let rowLimit = 1000

    init(_ steps: [WriteStep], by compiler: SaveCompiler, mark: PipelineStep?) throws(SQLError) {
        self.compiler = compiler
        self.mark = mark
        for (index, step) in steps.enumerated() {
            try add(step)
            while self.steps.count < statements.count { self.steps.append(index) }
        }
    }

    private mutating func add(_ step: WriteStep) throws(SQLError) {
        switch step {
        case .require(let rows, let table):
            try add(rows.indices, of: [.integer, .integer]) { index, arrays throws(SQLError) in
                try arrays.bind(rows[index].reference.key, at: 1)
                try arrays.bind(rows[index].version, at: 2)
            } statement: { values in
                """
                SELECT 1 FROM \(table.tableName) AS t JOIN unnest(\(values)) AS v (k, o) \
                ON t.Z_PK = v.k AND t.Z_OPT = v.o FOR SHARE OF t
                """
            }
        case .delete(let rows, let table): try delete(rows, from: table)
        case .update(let rows, let changed, let table, let permanent):
            try update(rows, compiler.update(table, changed), RowBinder(compiler, permanent), of: table)
        case .insert(let rows, let indices, let table, let permanent, _):
            try insert(rows, indices, into: table, permanent)
        case .link(let links): try link(links)
        case .assign(let rows): try assign(rows)
        case .run(let fragment, let table):
            add(fragment)
            if let table { changes.append((statements.count - 1, table)) }
        case .ask(let fragment, let answer):
            add(fragment)
            answers.append((statements.count - 1, answer))
        case .record(let rows): try record(rows)
        case .commit: statements += [mark, .commit].compactMap(\.self)
        }
    }

    private mutating func add(_ statement: SQLFragment) {
        statements.append(PipelineStep(statement.sql, ParameterList(statement.bindings, for: statement.sql)))
    }

    /// Adds the statements for rows, each of which takes as many rows as are allowed.
    ///
    /// - Parameters:
    ///   - placeholders: The placeholders of a row.
    ///   - isCounted: Whether the statement has to find every row.
    ///   - bind: Binds the values of a row.
    ///   - statement: Spells the statement, given the placeholders of the arrays. If rows are counted it
    ///     returns a row for each.
    private mutating func add(
        _ indices: Range<Int>, of placeholders: [SQLPlaceholder], isCounted: Bool = true,
        _ bind: (Int, ColumnArrays) throws(SQLError) -> Void, statement: (SQLText) -> SQLText
    ) throws(SQLError) {
        var rest = indices
        while !rest.isEmpty {
            let part = rest.prefix(Self.rowLimit)
            let arrays = ColumnArrays(placeholders, rows: part.count)
            for index in part {
                arrays.beginRow()
                try bind(index, arrays)
            }
            statements.append(
                PipelineStep(
                    statement(arrays.placeholders), arrays.parameters,
                    expecting: isCounted ? .exactly(part.count) : .any))
            rest = rest.dropFirst(part.count)
        }
    }

    // MARK: Rows

    private mutating func delete(_ rows: ArraySlice<RowDeletion>, from table: EntityTable) throws(SQLError) {
        let checksVersion = rows.first?.version != nil
        try add(
            rows.indices, of: checksVersion ? [.integer, .integer] : [.integer], isCounted: checksVersion
        ) { index, arrays throws(SQLError) in
            try arrays.bind(rows[index].reference.key, at: 1)
            if let version = rows[index].version { try arrays.bind(version, at: 2) }
        } statement: { values in
            checksVersion
                ? """
                DELETE FROM \(table.tableName) AS t USING unnest(\(values)) AS v (k, o) \
                WHERE t.Z_PK = v.k AND t.Z_OPT = v.o RETURNING 1
                """ : "DELETE FROM \(table.tableName) WHERE Z_PK = ANY(\(values))"
        }
    }

    private mutating func update(
        _ rows: ArraySlice<RowUpdate>, _ text: RowStatement, _ binder: RowBinder, of table: EntityTable
    ) throws(SQLError) {
        let names = Self.names(text.sql.placeholders.count)
        let (next, key, version) = (names[names.count - 3], names[names.count - 2], names[names.count - 1])
        let assignments =
            zip(text.names, names).map { "\($0) = v.\($1)" as SQLText } + ["Z_OPT = v.\(next)"]
            + text.cleared.map { "\($0) = NULL" }
        try add(rows.indices, of: text.sql.placeholders) { index, arrays throws(SQLError) in
            let (key, version) = (rows[index].reference.key, rows[index].version)
            try rows[index].borrowed.withBorrowed { row throws(SQLError) in
                try binder.bindUpdate(row, key, version, text, to: arrays)
            }
        } statement: { values in
            """
            UPDATE \(table.tableName) AS t SET \(assignments.joined(separator: ", ")) \
            FROM unnest(\(values)) AS v (\(names.joined(separator: ", "))) \
            WHERE t.Z_PK = v.\(key) AND t.Z_OPT = v.\(version) RETURNING 1
            """
        }
    }

    private mutating func insert(
        _ rows: InsertedRows, _ indices: Range<Int>, into table: EntityTable, _ permanent: ReferenceMap
    ) throws(SQLError) {
        let text = compiler.insert(table, .single)
        let binder = RowBinder(compiler, permanent)
        try add(indices, of: text.sql.placeholders, isCounted: false) { index, arrays throws(SQLError) in
            try rows.forEach(index..<index + 1) { row, reference throws(SQLError) in
                try binder.bindInsert(row, permanent.current(reference).key, text, table, to: arrays)
            }
        } statement: { values in
            Self.insertion(of: values, into: table.tableName, text.names)
        }
    }

    private mutating func record(_ rows: HistoryChangeRows) throws(SQLError) {
        try add(0..<rows.count, of: rows.statements.change.placeholders, isCounted: false) {
            index, arrays throws(SQLError) in
            _ = try rows.bind(index, from: 1, to: arrays)
        } statement: { values in
            rows.statements.insertion(of: "unnest(\(values))")
        }
    }

    private mutating func assign(_ rows: ComputedRows) throws(SQLError) {
        let names = Self.names(rows.columns.count)
        let assignments =
            zip(rows.columns, names).map { "\($0) = v.\($1)" as SQLText } + rows.computed
        try add(rows.values.indices, of: rows.update.placeholders, isCounted: false) {
            index, arrays throws(SQLError) in
            for (position, value) in rows.values[index].enumerated() {
                try arrays.bind(value, at: position + 1)
            }
        } statement: { values in
            """
            UPDATE \(rows.table) AS t SET \(assignments.joined(separator: ", ")) \
            FROM unnest(\(values)) AS v (\((names + ["k"]).joined(separator: ", "))) WHERE t.Z_PK = v.k
            """
        }
    }

    private static func insertion(
        of values: SQLText, into table: SQLIdentifier, _ columns: [SQLIdentifier]
    ) -> SQLText {
        "INSERT INTO \(table) (\(columns.joined(separator: ", "))) SELECT * FROM unnest(\(values))"
    }

    // MARK: Links

    private mutating func link(_ links: ArraySlice<LinkStep>) throws(SQLError) {
        guard let first = links.first else { return }
        switch first {
        case .link(let table, let owner, let member):
            try add(links) { values in
                """
                INSERT INTO \(table) (\(owner.name), \(member.name)) SELECT * FROM unnest(\(values)) \
                ON CONFLICT DO NOTHING
                """
            }
        case .unlink(let table, let owner, let member, false):
            try add(links) { values in
                """
                DELETE FROM \(table) AS t USING unnest(\(values)) AS v (a, b) \
                WHERE t.\(owner.name) = v.a AND t.\(member.name) = v.b
                """
            }
        case .set(let table, let column, _, _):
            try add(Self.last(of: links)) { values in
                "UPDATE \(table) AS t SET \(column) = v.a FROM unnest(\(values)) AS v (a, k) WHERE t.Z_PK = v.k"
            }
        case .setPosition(let table, let column, _, let owner, let member):
            try add(links) { values in
                """
                UPDATE \(table) AS t SET \(column) = v.p FROM unnest(\(values)) AS v (p, a, b) \
                WHERE t.\(owner.name) = v.a AND t.\(member.name) = v.b
                """
            }
        case .unlink, .unlinkAll, .append, .clear:
            // Each of these needs what the one before it did, or is of many rows already.
            for link in links {
                add(compiler.statement(link))
            }
        }
    }

    /// Returns the last of the steps for each row, since a statement changes a row once.
    private static func last(of links: ArraySlice<LinkStep>) -> ArraySlice<LinkStep> {
        var keys: Set<Int64> = []
        let last = links.reversed().filter { link in
            guard case .set(_, _, _, let key) = link else { return true }
            return keys.insert(key).inserted
        }
        return last.reversed()[...]
    }

    private mutating func add(
        _ links: ArraySlice<LinkStep>, _ statement: (SQLText) -> SQLText
    ) throws(SQLError) {
        let width = links.first?.values.count ?? 0
        try add(
            links.indices, of: Array(repeating: .integer, count: width), isCounted: false
        ) { index, arrays throws(SQLError) in
            for (position, value) in links[index].values.enumerated() {
                try arrays.bind(value, at: position + 1)
            }
        } statement: {
            statement($0)
        }
    }

    /// Returns names for the columns of rows: `c1`, `c2`…
    private static func names(_ count: Int) -> [SQLText] { (0..<count).map { "c\($0)" } }
}
