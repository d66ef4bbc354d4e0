package import CoreDataStore
package import CoreDataValues

/// A part of a write: rows of one table that are written alike.
///
/// A step says what is written, not how. One driver runs a statement for each row or for a group of rows;
/// another one may send the values of all rows as arrays, and all steps in one round trip.
package enum WriteStep {
    /// Rows that stay as they are; each must exist in its version.
    case require(ArraySlice<RowExpectation>, in: EntityTable)
    /// Rows that go. Each must exist in its version, or all of them are of no known version.
    case delete(ArraySlice<RowDeletion>, from: EntityTable)
    /// Rows that get new values in some columns. Each must exist in its version.
    case update(ArraySlice<RowUpdate>, ColumnMask, in: EntityTable, permanent: ReferenceMap)
    /// New rows.
    case insert(InsertedRows, Range<Int>, into: EntityTable, permanent: ReferenceMap, firesTriggers: Bool)
    /// Changes of links whose statements are the same.
    case link(ArraySlice<LinkStep>)
    /// Columns of rows whose values a save computes.
    case assign(ComputedRows)
    /// A statement of another form; if it changes rows of a table, it returns their keys.
    case run(SQLFragment, changing: SQLIdentifier?)
    /// A statement that returns one row, which becomes the answer.
    case ask(SQLFragment, StepAnswer)
    /// New rows of a history.
    case record(HistoryChangeRows)
    /// The end of the transaction; the last step.
    case commit
}

/// The outcome of a list of steps.
package enum StepOutcome: Sendable, Equatable {
    case done
    /// All was done and committed, but the answers to the steps have not arrived.
    case settled
    /// In the step of this index, a row does not exist in its version. Nothing must be committed.
    case refused(step: Int)
}

/// The answer to a step, which the run of the steps fills.
package final class StepAnswer {
    /// The cells of the row; empty if it did not arrive.
    package var cells: [SQLValue] = []

    package init() {}
}
