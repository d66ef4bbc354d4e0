import CoreDataLibpq
import CoreDataSQL
import CoreDataStore
import CoreDataValues

/// The statements of write steps, one a step for all of its rows: the values of a column are one array. A single
/// row stands in the statement itself.
///
/// The server runs all of them in one round trip, and works on the first while the others are made. A step whose
/// rows must exist in their versions ends the pipeline if it does not find as many.
struct StepPipeline {
    /// The number of statements sent.
    private(set) var count = 0
    /// The texts of the statements sent, if the log takes them.
    private(set) var texts: [SQLText] = []
    /// The index of the write step that each statement is of.
    private(set) var steps: [Int] = []
    /// The statements that return the keys of rows which they have changed, by their indexes.
    private(set) var changes: [(statement: Int, table: SQLIdentifier)] = []
    /// The statements whose row is an answer, by their indexes.
    private(set) var answers: [(statement: Int, answer: StepAnswer)] = []
    private let compiler: SaveCompiler
    private let trip: Trip
    /// The beginning of a transaction, to be sent before the first statement.
    private let begin: PipelineStep?
    /// The mark that a transaction leaves before it ends.
    private let mark: PipelineStep?

    /// The greatest number of rows of a statement, so that its arrays stay in the caches of the processor, and within
    /// the limits of the protocol.
    private static let rowLimit = 1000

    /// Sends the statements of steps.
    init(
        _ steps: [WriteStep], by compiler: SaveCompiler, begin: PipelineStep?, mark: PipelineStep?,
        on trip: Trip
    ) throws(SQLError) {
        self.compiler = compiler
        self.begin = begin
        self.mark = mark
        self.trip = trip
        for (index, step) in steps.enumerated() {
            try add(step)
            while self.steps.count < count { self.steps.append(index) }
        }
    }

    private mutating func send(_ statement: PipelineStep) throws(SQLError) {
        count += 1
        if SQLLog.isEnabled { texts.append(statement.sql) }
        do throws(PostgreSQLError) {
            if count == 1, let begin { try trip.send(begin) }
            try trip.send(statement)
        } catch {
            throw SQLError(error)
        }
    }

    private mutating func add(_ step: WriteStep) throws(SQLError) {
        switch step {
        case .require(let rows, let table):
            try add(rows.indices, of: [.integer, .integer], as: .require(table.entity)) {
                index, parameters throws(SQLError) in
                try parameters.bind(rows[index].reference.key, at: 1)
                try parameters.bind(rows[index].version, at: 2)
            } statement: { source in
                """
                SELECT 1 FROM \(table.tableName) AS t JOIN \(source) AS v (k, o) \
                ON t.Z_PK = v.k AND t.Z_OPT = v.o FOR SHARE OF t
                """
            }
        case .delete(let rows, let table): try delete(rows, from: table)
        case .update(let rows, let changed, let table, let permanent):
            try update(rows, changed, of: table, permanent)
        case .insert(let rows, let indices, let table, let permanent, _):
            try insert(rows, indices, into: table, permanent)
        case .link(let links): try link(links)
        case .assign(let rows): try assign(rows)
        case .run(let fragment, let table):
            try add(fragment)
            if let table { changes.append((count - 1, table)) }
        case .ask(let fragment, let answer):
            try add(fragment)
            answers.append((count - 1, answer))
        case .record(let rows): try record(rows)
        case .commit: if let mark { try send(mark) }
        }
    }

    private mutating func add(_ statement: SQLFragment) throws(SQLError) {
        try send(PipelineStep(statement.sql, ParameterList(statement.bindings, for: statement.sql)))
    }

    /// Adds the statements for rows, each of which takes as many rows as are allowed.
    ///
    /// - Parameters:
    ///   - placeholders: The placeholders of a row.
    ///   - isCounted: Whether the statement has to find every row.
    ///   - shape: What the text depends on, besides the number of rows; nil if it is made each time.
    ///   - bind: Binds the values of a row.
    ///   - statement: Spells the statement, given the rows as a source of FROM, which needs an alias. If rows are
    ///     counted the statement returns a row for each.
    private mutating func add(
        _ indices: Range<Int>, of placeholders: [SQLPlaceholder], isCounted: Bool = true,
        as shape: RowsShape? = nil, _ bind: (Int, any SQLParameters) throws(SQLError) -> Void,
        statement: (SQLText) -> SQLText
    ) throws(SQLError) {
        let types = [PostgreSQLType](placeholders)
        var rest = indices
        while !rest.isEmpty {
            let part = rest.prefix(Self.rowLimit)
            func make() -> SQLText {
                let text = statement(Self.source(of: types.count, isSingle: part.count == 1))
                return isCounted ? PipelineStep.counting(text) : text
            }
            let text = if let shape { compiler.text(shape, isSingle: part.count == 1, make) } else { make() }
            let parameters = try Self.parameters(part, types, bind)
            try send(
                isCounted
                    ? PipelineStep(text, parameters, expecting: part.count) : PipelineStep(text, parameters))
            rest = rest.dropFirst(part.count)
        }
    }

    private static func parameters(
        _ rows: Range<Int>, _ types: [PostgreSQLType],
        _ bind: (Int, any SQLParameters) throws(SQLError) -> Void
    ) throws(SQLError) -> ParameterList {
        if rows.count == 1 {
            let parameters = RowParameters(types, ParameterList(types))
            try bind(rows.lowerBound, parameters)
            return parameters.columns
        }
        return try ParameterList(arraysOf: rows, types, bind)
    }

    /// Returns the rows as a source of FROM. A single row is no arrays, which take longer to make and to read.
    private static func source(of width: Int, isSingle: Bool) -> SQLText {
        guard isSingle else { return .arrays(width) }
        return "(VALUES (\(repeatElement("?" as SQLText, count: width).joined(separator: ", "))))"
    }

    // MARK: Rows

    private mutating func delete(_ rows: ArraySlice<RowDeletion>, from table: EntityTable) throws(SQLError) {
        let checksVersion = rows.first?.version != nil
        try add(
            rows.indices, of: checksVersion ? [.integer, .integer] : [.integer], isCounted: checksVersion,
            as: .delete(table.entity, checksVersion: checksVersion)
        ) { index, parameters throws(SQLError) in
            try parameters.bind(rows[index].reference.key, at: 1)
            if let version = rows[index].version { try parameters.bind(version, at: 2) }
        } statement: { source in
            checksVersion
                ? """
                DELETE FROM \(table.tableName) AS t USING \(source) AS v (k, o) \
                WHERE t.Z_PK = v.k AND t.Z_OPT = v.o RETURNING 1
                """ : "DELETE FROM \(table.tableName) AS t USING \(source) AS v (k) WHERE t.Z_PK = v.k"
        }
    }

    private mutating func update(
        _ rows: ArraySlice<RowUpdate>, _ changed: ColumnMask, of table: EntityTable,
        _ permanent: ReferenceMap
    ) throws(SQLError) {
        let text = compiler.update(table, changed)
        let binder = RowBinder(compiler, permanent)
        try add(rows.indices, of: text.sql.placeholders, as: .update(table.entity, changed)) {
            index, parameters throws(SQLError) in
            let (key, version) = (rows[index].reference.key, rows[index].version)
            try rows[index].borrowed.withBorrowed { row throws(SQLError) in
                try binder.bindUpdate(row, key, version, text, to: parameters)
            }
        } statement: { source in
            let names = Self.names(text.sql.placeholders.count)
            let (next, key, version) = (
                names[names.count - 3], names[names.count - 2], names[names.count - 1]
            )
            let assignments =
                zip(text.names, names).map { "\($0) = v.\($1)" as SQLText } + ["Z_OPT = v.\(next)"]
                + text.cleared.map { "\($0) = NULL" }
            return """
                UPDATE \(table.tableName) AS t SET \(assignments.joined(separator: ", ")) \
                FROM \(source) AS v (\(names.joined(separator: ", "))) \
                WHERE t.Z_PK = v.\(key) AND t.Z_OPT = v.\(version) RETURNING 1
                """
        }
    }

    private mutating func insert(
        _ rows: InsertedRows, _ indices: Range<Int>, into table: EntityTable, _ permanent: ReferenceMap
    ) throws(SQLError) {
        let text = compiler.insert(table, .single)
        let binder = RowBinder(compiler, permanent)
        try add(indices, of: text.sql.placeholders, isCounted: false, as: .insert(table.entity)) {
            index, parameters throws(SQLError) in
            try rows.forEach(index..<index + 1) { row, reference throws(SQLError) in
                try binder.bindInsert(row, permanent.current(reference).key, text, table, to: parameters)
            }
        } statement: { source in
            """
            INSERT INTO \(table.tableName) (\(text.names.joined(separator: ", "))) \
            SELECT * FROM \(source) AS v
            """
        }
    }

    private mutating func record(_ rows: HistoryChangeRows) throws(SQLError) {
        try add(
            0..<rows.count, of: rows.statements.change.placeholders, isCounted: false, as: .record
        ) {
            index, parameters throws(SQLError) in
            _ = try rows.bind(index, from: 1, to: parameters)
        } statement: { source in
            rows.statements.insertion(of: source)
        }
    }

    private mutating func assign(_ rows: ComputedRows) throws(SQLError) {
        let names = Self.names(rows.columns.count)
        let assignments =
            zip(rows.columns, names).map { "\($0) = v.\($1)" as SQLText } + rows.computed
        try add(rows.values.indices, of: rows.update.placeholders, isCounted: false) {
            index, parameters throws(SQLError) in
            for (position, value) in rows.values[index].enumerated() {
                try parameters.bind(value, at: position + 1)
            }
        } statement: { source in
            """
            UPDATE \(rows.table) AS t SET \(assignments.joined(separator: ", ")) \
            FROM \(source) AS v (\((names + ["k"]).joined(separator: ", "))) WHERE t.Z_PK = v.k
            """
        }
    }

    // MARK: Links

    private mutating func link(_ links: ArraySlice<LinkStep>) throws(SQLError) {
        guard let first = links.first else { return }
        switch first {
        case .link(let table, let owner, let member):
            try add(links) { source in
                """
                INSERT INTO \(table) (\(owner.name), \(member.name)) SELECT * FROM \(source) AS v \
                ON CONFLICT DO NOTHING
                """
            }
        case .unlink(let table, let owner, let member, false):
            try add(links) { source in
                """
                DELETE FROM \(table) AS t USING \(source) AS v (a, b) \
                WHERE t.\(owner.name) = v.a AND t.\(member.name) = v.b
                """
            }
        case .set(let table, let column, _, _):
            try add(Self.last(of: links)) { source in
                "UPDATE \(table) AS t SET \(column) = v.a FROM \(source) AS v (a, k) WHERE t.Z_PK = v.k"
            }
        case .setPosition(let table, let column, _, let owner, let member):
            try add(links) { source in
                """
                UPDATE \(table) AS t SET \(column) = v.p FROM \(source) AS v (p, a, b) \
                WHERE t.\(owner.name) = v.a AND t.\(member.name) = v.b
                """
            }
        case .unlink, .unlinkAll, .append, .clear:
            // Each of these needs what the one before it did, or is of many rows already.
            for link in links {
                try add(compiler.statement(link))
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
        ) { index, parameters throws(SQLError) in
            for (position, value) in links[index].values.enumerated() {
                try parameters.bind(value, at: position + 1)
            }
        } statement: {
            statement($0)
        }
    }

    /// Returns names for the columns of rows: `c1`, `c2`…
    private static func names(_ count: Int) -> [SQLText] { (0..<count).map { "c\($0)" } }
}
