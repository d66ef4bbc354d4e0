import CoreDataLibpq
import CoreDataSQL
import CoreDataStore

/// A statement of one session.
///
/// The server is sent the parameters at the first step, all at once.
final class SessionStatement: SQLStatement {
    private let statement: PostgreSQLStatement
    private let session: Session
    /// The values by placeholder.
    private var values: [SQLValue] = []
    private var isRunning = false
    /// The types of the columns; empty before the first row of a run.
    private var types: [PostgreSQLType] = []
    private var decoder: RowDecoder<ResultCells>?
    /// The trace of the present run; nil while nothing listens to the log.
    private var trace: StatementTrace?

    init(_ sql: SQLText, on session: Session) {
        self.session = session
        statement = session.connection.statement(sql)
    }

    // MARK: Binding

    func bind(_ values: [SQLValue]) throws(SQLError) {
        if isRunning { reset() }
        self.values = values
    }

    func bind(_ row: Snapshot, columns: [Int], from first: Int) throws(SQLError) {
        try row.forEach(columns, from: first) { column, index throws(SQLError) in
            try bind(stored: SQLValue(stored: column, of: row), at: index)
        }
    }

    func bind(stored value: SQLValue, at index: Int) throws(SQLError) {
        let placeholders = statement.sql.placeholders
        if placeholders.indices.contains(index - 1), let type = placeholders[index - 1].type {
            try value.requireForm(of: type)
        }
        try bind(value, at: index)
    }

    func bind(_ value: SQLValue, at index: Int) throws(SQLError) {
        if isRunning { reset() }
        while values.count < index { values.append(.null) }
        values[index - 1] = value
    }

    func bind(_ number: Int64, at index: Int) throws(SQLError) { try bind(.integer(number), at: index) }

    private var parameters: ParameterList { ParameterList(values, for: statement.sql) }

    // MARK: Running

    func step() throws(SQLError) -> Bool {
        if !isRunning { try start() }
        do throws(PostgreSQLError) {
            if try statement.step() {
                if types.isEmpty { types = statement.columnTypes }
                trace?.returnRow((0..<Int32(columnCount)).map { value(at: $0) })
                return true
            }
        } catch {
            end(error)
            // A statement outside of a transaction reads, or draws keys.
            throw SQLError(error, sql: statement.sql, mayCommit: false)
        }
        reset()
        return false
    }

    private func start() throws(SQLError) {
        try begin()
        statement.bind(parameters)
    }

    private func begin() throws(SQLError) {
        try session.beginIfDue()
        types = []
        if SQLLog.isEnabled, let trace = StatementTrace.current {
            for (index, value) in values.enumerated() { trace.bind(value, at: index + 1) }
            trace.start { session.plan(of: statement.sql, parameters) }
            self.trace = trace
        }
        isRunning = true
    }

    func reset() { end(nil) }

    private func end(_ failure: PostgreSQLError?) {
        guard isRunning else { return }
        isRunning = false
        statement.reset()
        guard let trace else { return }
        self.trace = nil
        SQLLog.report(
            trace.entry(path: session.place, sql: statement.sql.string) { rowCount in
                if let failure { return .failed(failure.message) }
                return types.isEmpty ? .wrote(statement.changedRowCount) : .returned(rowCount)
            })
    }

    var changedRowCount: Int { statement.changedRowCount }

    // MARK: Reading

    var columnCount: Int { types.count }

    func integer(at column: Int32) -> Int64 { statement.cells.integer(Int(column)) }

    func value(at column: Int32) -> SQLValue { cells.value(column) }

    private var cells: ResultCells { ResultCells(row: statement.cells, types: types) }

    func decodeRow(_ plan: ResultPlan) -> Snapshot? { decoder(of: plan).decode(cells) }

    private func decoder(of plan: ResultPlan) -> RowDecoder<ResultCells> {
        if let decoder, decoder.plan === plan { return decoder }
        let new = RowDecoder<ResultCells>(plan)
        decoder = new
        return new
    }

    func decodeRows(_ plan: ResultPlan, watch: FetchWatch?) throws(SQLError) -> [Snapshot] {
        let decoder = decoder(of: plan)
        var rows: [Snapshot] = []
        if values.isEmpty, let types = statement.copiedTypes {
            try copyRows(types) { cells in
                if let row = decoder.decode(cells) { rows.append(row) }
                watch?.noteRow()
            }
            return rows
        }
        while try step() {
            if let row = decoder.decode(cells) { rows.append(row) }
            watch?.noteRow()
        }
        return rows
    }

    private func copyRows(
        _ types: [PostgreSQLType], _ body: (ResultCells) -> Void
    ) throws(SQLError) {
        if isRunning { reset() }
        try begin()
        self.types = types
        do throws(PostgreSQLError) {
            try statement.copyRows(types) { row in
                let cells = ResultCells(row: row, types: types)
                trace?.returnRow((0..<Int32(types.count)).map { cells.value($0) })
                body(cells)
            }
        } catch {
            end(error)
            throw SQLError(error, sql: statement.sql, mayCommit: false)
        }
        end(nil)
    }
}
