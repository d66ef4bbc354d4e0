package import CoreDataLibpq
package import CoreDataSQL
package import CoreDataStore

/// A session with a server, as the SQL layer uses it.
///
/// One thread uses it at a time, which its pool sees to. Therefore `@unchecked Sendable` is true.
package final class Session: SQLConnection, @unchecked Sendable {
    let connection: PostgreSQLConnection
    /// The place of the database, without user and password.
    var place: String { connection.options.description }

    /// Whether a transaction has to be begun before the next statement. Steps begin it in their own round trip.
    private var isBeginDue = false
    /// The marks that transactions leave; nil if they leave none.
    private let marks: SaveMarks?
    /// Whether a transaction was committed.
    private(set) var hasCommitted = false
    /// The rows that steps have changed, while these are recorded.
    private var changedRows: Set<ChangedRow>?

    /// Makes a session of a connection, whose transactions leave no marks.
    package convenience init(_ connection: PostgreSQLConnection) { self.init(connection, marks: nil) }

    init(_ connection: PostgreSQLConnection, marks: SaveMarks?) {
        self.connection = connection
        self.marks = marks
    }

    package func prepare(_ sql: SQLText) throws(SQLError) -> any SQLStatement {
        SessionStatement(sql, on: self)
    }

    package func execute(_ sql: SQLText) throws(SQLError) {
        try beginIfDue()
        let trace = StatementTrace.current
        trace?.start()
        var failure: PostgreSQLError?
        do throws(PostgreSQLError) {
            try connection.execute(sql)
        } catch {
            failure = error
        }
        if let trace {
            SQLLog.report(
                trace.entry(path: place, sql: sql.string) { _ in failure.map { .failed($0.message) } ?? .ran }
            )
        }
        if let failure {
            throw SQLError(failure, sql: sql, mayCommit: sql == PipelineStep.commit.sql)
        }
    }

    package func run(_ steps: [WriteStep], by compiler: SaveCompiler) throws(SQLError) -> StepOutcome {
        if let copy = RowCopy(steps, by: compiler), isInTransaction {
            try run(copy)
            return .done
        }
        let commits = if case .commit? = steps.last { true } else { false }
        // Outside of a transaction the server runs a pipeline as one, which needs neither BEGIN nor COMMIT.
        let isWhole = isBeginDue && commits
        let begin = isBeginDue && !isWhole ? PipelineStep.begin : nil
        let mark = marks.map { _ in SaveMark() }
        var sent: Result<StepPipeline, SQLError>?
        let started = ContinuousClock.now
        let outcome = try settling(mark) { () throws(PostgreSQLError) in
            try connection.run { trip throws(PostgreSQLError) in
                let pipeline = Result { () throws(SQLError) in
                    try StepPipeline(steps, by: compiler, begin: begin, mark: mark?.step, on: trip)
                }
                sent = pipeline
                guard case .success = pipeline else { return false }
                if commits, !isWhole { try trip.send(.commit) }
                return true
            }
        }
        guard let pipeline = try sent?.get() else { return .done }
        let first = begin == nil ? 0 : 1
        if isWhole || pipeline.count > 0 { isBeginDue = false }
        if SQLLog.isEnabled { report(pipeline.texts, ContinuousClock.now - started) }
        switch outcome {
        case .done(let results):
            if commits { hasCommitted = true }
            let own = results.dropFirst(first)
            recordChanges(of: pipeline, own)
            fillAnswers(of: pipeline, own)
            return results.isEmpty && pipeline.count > 0 ? .settled : .done
        case .refused(let step): return .refused(step: pipeline.steps[step - first])
        // What could not be sent has thrown its error above.
        case .abandoned: return .done
        }
    }

    private func run(_ copy: RowCopy) throws(SQLError) {
        try beginIfDue()
        let started = ContinuousClock.now
        try copy.run(on: connection)
        if SQLLog.isEnabled { report([copy.sql], ContinuousClock.now - started) }
    }

    package func upsert(
        _ rows: [BatchRow], by upserts: UpsertCompiler, answersRows: Bool
    ) throws(SQLError) -> UpsertReceipt {
        try UpsertRunner(upserts, on: self).run(rows)
    }

    /// Runs statements in one round trip, in the open transaction.
    package func send(_ statements: [PipelineStep]) throws(SQLError) -> [StepResult] {
        let begin = isBeginDue ? [PipelineStep.begin] : []
        let started = ContinuousClock.now
        let outcome: PipelineOutcome
        do throws(PostgreSQLError) {
            outcome = try connection.run(begin + statements)
        } catch {
            throw SQLError(error, mayCommit: false)
        }
        isBeginDue = false
        if SQLLog.isEnabled { report(statements.map(\.sql), ContinuousClock.now - started) }
        guard case .done(let results) = outcome else { return [] }
        return Array(results.dropFirst(begin.count))
    }

    /// Runs statements in one round trip. If the connection is lost while they commit, finds out whether they
    /// did.
    private func settling(
        _ mark: SaveMark?, _ run: () throws(PostgreSQLError) -> PipelineOutcome
    ) throws(SQLError) -> PipelineOutcome {
        do throws(PostgreSQLError) {
            return try run()
        } catch {
            guard error.kind == .connectionLost(outcome: .unknown), let mark, let marks else {
                throw SQLError(error)
            }
            guard try marks.isCommitted(mark.name) else {
                throw SQLError(
                    kind: .connectionLost, message: "\(error.message); nothing was saved", sql: nil)
            }
            return .done([])
        }
    }

    /// Reports the statements of a pipeline, which took the given time together.
    private func report(_ statements: [SQLText], _ duration: Duration) {
        for statement in statements {
            SQLLog.report(SQLLogEntry(path: place, sql: statement.string, outcome: .ran, duration: duration))
        }
    }

    // MARK: Transactions

    /// Begins a transaction. Nothing keeps others from writing: a change of a row that another transaction
    /// has changed meanwhile affects no row, by its version.
    package func begin(_ mode: TransactionMode) throws(SQLError) {
        switch mode {
        case .deferred: try execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        case .immediate: isBeginDue = true
        }
    }

    /// Begins the transaction that was asked for.
    func beginIfDue() throws(SQLError) {
        guard isBeginDue else { return }
        isBeginDue = false
        try execute(PipelineStep.begin.sql)
    }

    package func commit() throws(SQLError) {
        if isBeginDue {
            isBeginDue = false
        } else if marks != nil {
            let mark = SaveMark()
            _ = try settling(mark) { () throws(PostgreSQLError) in
                try connection.run([mark.step, .commit])
            }
            hasCommitted = true
        } else {
            try execute(PipelineStep.commit.sql)
            hasCommitted = true
        }
    }

    package func rollback() {
        isBeginDue = false
        connection.rollback()
    }

    package var isInTransaction: Bool { isBeginDue || connection.isInTransaction }

    /// Runs statements and returns the rows that steps say they have changed (`WriteStep.run`). What triggers
    /// write is not known.
    package func recordingChanges<Result>(
        _ body: () throws(SQLError) -> Result
    ) throws(SQLError) -> (Result, Set<ChangedRow>) {
        changedRows = []
        defer { changedRows = nil }
        let result = try body()
        return (result, changedRows ?? [])
    }

    /// Returns the first column of each row, which is a text.
    func texts(_ query: SQLFragment) throws(SQLError) -> [String] {
        var texts: [String] = []
        try forEachRow(of: query) { row in
            if case .text(let text) = row.value(at: 0) { texts.append(text) }
        }
        return texts
    }

    private func recordChanges(of pipeline: StepPipeline, _ results: ArraySlice<StepResult>) {
        guard changedRows != nil else { return }
        for (statement, table) in pipeline.changes {
            Self.result(of: statement, in: results)?.forEachRow { row in
                _ = changedRows?.insert(ChangedRow(table: table, key: row.integer(0)))
            }
        }
    }

    private func fillAnswers(of pipeline: StepPipeline, _ results: ArraySlice<StepResult>) {
        for (statement, answer) in pipeline.answers {
            guard let result = Self.result(of: statement, in: results) else { return }
            let types = result.columnTypes
            result.forEachRow { row in
                answer.cells = types.indices.map { SQLValue(row, $0, as: types[$0]) }
            }
        }
    }

    /// Returns the result of a statement; nil if the connection was lost after the commit, so that there is none.
    private static func result(of statement: Int, in results: ArraySlice<StepResult>) -> StepResult? {
        let place = results.startIndex + statement
        return results.indices.contains(place) ? results[place] : nil
    }

    package func watched<Result>(
        by watch: FetchWatch, _ body: () throws(SQLError) -> Result
    ) throws(SQLError) -> Result {
        watch.setCancellation { [weak connection] in connection?.cancel() }
        defer { watch.setCancellation(nil) }
        guard !watch.isCancelled else {
            throw SQLError(kind: .interrupted, message: "the fetch was cancelled", sql: nil)
        }
        return try body()
    }

    /// Does nothing: no value is in a file.
    package func releaseExternal(_ value: SQLValue) {}

    package func close() { connection.close() }

    /// Returns the server's plan of a statement; none if it cannot be asked.
    func plan(of sql: SQLText, _ parameters: ParameterList) -> [String] {
        guard !connection.isInTransaction else { return [] }
        var lines: [String] = []
        try? connection.forEachRow(of: "EXPLAIN \(sql)", parameters) { row in
            if let line: String = row.value(0) { lines.append(line) }
        }
        return lines
    }
}
