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

    /// Makes a step.
    ///
    /// - Parameter sql: A statement with a `?` for each parameter. If a number of rows is expected, the
    ///   statement must return each row that it affects (`RETURNING`); only their number arrives.
    package init(
        _ sql: SQLText, _ parameters: ParameterList = ParameterList(),
        expecting expectation: Expectation = .any
    ) {
        self.expectation = expectation
        switch expectation {
        case .any: (self.sql, self.parameters) = (sql, parameters)
        case .exactly(let count):
            // After an error in a pipeline the server skips the remaining statements and rolls back the
            // earlier ones. A division by zero makes another number of rows an error.
            self.sql = """
                WITH guarded AS (\(sql)) \
                SELECT count(*), 1 / (CASE WHEN count(*) = ? THEN 1 ELSE 0 END) FROM guarded
                """
            var parameters = parameters
            parameters.append(Int64(count))
            self.parameters = parameters
        }
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
}

/// The result of a step: its rows, all in memory.
package struct StepResult {
    private let rows: ServerResult
    /// The number of rows that the statement wrote or returned; for a step with an expectation, the expected
    /// number.
    package let changedRowCount: Int

    init(of step: PipelineStep, _ rows: ServerResult) {
        self.rows = rows
        changedRowCount =
            switch step.expectation {
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
