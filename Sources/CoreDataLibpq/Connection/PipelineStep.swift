package import CoreDataSQL

/// One statement of a pipeline.
package struct PipelineStep: Sendable {
    /// The condition on a statement's result. If it is not met, nothing of the pipeline is done.
    package enum Expectation: Sendable, Hashable {
        case any
        /// The statement returns exactly this number of rows.
        case exactly(Int)
    }

    package let sql: SQLText
    let parameters: ParameterList
    let expectation: Expectation

    /// Makes a step without an expectation.
    ///
    /// - Parameter sql: A statement with a `?` for each parameter.
    package init(_ sql: SQLText, _ parameters: ParameterList = ParameterList()) {
        (self.sql, self.parameters, expectation) = (sql, parameters, .any)
    }

    /// Makes a step that has to affect a number of rows.
    ///
    /// - Parameters:
    ///   - sql: The text of `counting`.
    ///   - parameters: The parameters of the statement that is counted.
    package init(_ sql: SQLText, _ parameters: ParameterList, expecting count: Int) {
        self.sql = sql
        var parameters = parameters
        parameters.append(Int64(count))
        self.parameters = parameters
        expectation = .exactly(count)
    }

    /// Returns a statement that fails if another affects an unexpected number of rows. Only the number arrives.
    ///
    /// After an error in a pipeline the server skips the remaining statements and rolls back the earlier ones.
    /// A division by zero makes another number of rows an error.
    ///
    /// - Parameter sql: A statement that returns each row that it affects (`RETURNING`).
    package static func counting(_ sql: SQLText) -> SQLText {
        """
        WITH guarded AS (\(sql)) \
        SELECT count(*), 1 / (CASE WHEN count(*) = ? THEN 1 ELSE 0 END) FROM guarded
        """
    }

    /// Begins a transaction that sees what others commit meanwhile.
    package static let begin = PipelineStep("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
    package static let commit = PipelineStep("COMMIT")

    var isBegin: Bool { sql == Self.begin.sql }

    var isCommit: Bool { sql == Self.commit.sql }
}

/// The outcome of a pipeline.
package enum PipelineOutcome {
    /// Every step was done. The results are in the order of the steps.
    case done([StepResult])
    /// Nothing was done, since this step did not affect the expected number of rows.
    case refused(step: Int)
    /// Nothing was done, since not all statements were sent.
    case abandoned
}

/// The result of a step: its rows, all in memory.
package struct StepResult {
    private let rows: ServerResult
    /// The number of rows that the statement wrote or returned; for a step with an expectation, the expected
    /// number.
    package let changedRowCount: Int

    init(_ expectation: PipelineStep.Expectation, _ rows: ServerResult) {
        self.rows = rows
        changedRowCount =
            switch expectation {
            case .any: rows.changedRowCount
            case .exactly(let count): count
            }
    }

    package var rowCount: Int { rows.rowCount }

    /// The types of the columns.
    package var columnTypes: [PostgreSQLType] { rows.columnTypes }

    package func forEachRow<Failure: Error>(_ body: (RowCells) throws(Failure) -> Void) throws(Failure) {
        for row in 0..<rows.rowCount { try body(rows.cells(row)) }
    }
}
