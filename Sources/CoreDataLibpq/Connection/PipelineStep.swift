package import CoreDataSQL

/// One statement of a pipeline.
package struct PipelineStep: Sendable {
    /// The condition on a statement's result without which nothing of the pipeline is done.
    package enum Expectation: Sendable, Hashable {
        case any
        /// The statement returns as many rows; else nothing of the pipeline is done.
        case exactly(Int)
    }

    let sql: SQLText
    let parameters: ParameterList
    let expectation: Expectation

    /// - Parameter sql: A statement with `?` in the places of the parameters. One of which a number of rows
    ///   is expected returns a row for each that it affects (`RETURNING`), of which only the number arrives.
    package init(
        _ sql: SQLText, _ parameters: ParameterList = ParameterList(),
        expecting expectation: Expectation = .any
    ) {
        self.expectation = expectation
        switch expectation {
        case .any: (self.sql, self.parameters) = (sql, parameters)
        case .exactly(let count):
            // The server skips what follows an error in a pipeline, and rolls back what precedes it. Another
            // number of rows becomes an error by a division by zero.
            self.sql = """
                WITH guarded AS (\(sql)) \
                SELECT count(*), 1 / (CASE WHEN count(*) = ? THEN 1 ELSE 0 END) FROM guarded
                """
            var parameters = parameters
            parameters.append(Int64(count))
            self.parameters = parameters
        }
    }

    package static let commit = PipelineStep("COMMIT")

    var isCommit: Bool { sql == Self.commit.sql }
}

/// The outcome of a pipeline.
package enum PipelineOutcome {
    /// Every step; with their results in order.
    case done([StepResult])
    /// Nothing, as a step did not affect the expected number of rows.
    case refused(step: Int)
}

/// The result of a step: its rows, all in memory.
package struct StepResult {
    private let rows: ServerResult
    /// The number of rows that the statement wrote or returned, or that were expected of it and counted.
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

    package func forEachRow<Failure: Error>(_ body: (RowCells) throws(Failure) -> Void) throws(Failure) {
        for row in 0..<rows.rowCount { try body(rows.cells(row)) }
    }
}
