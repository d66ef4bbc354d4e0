package import CoreDataStore

/// A session with a database: the only I/O of the SQL layer.
///
/// It is used by one thread at a time, which its owner ensures.
package protocol SQLConnection: AnyObject, Sendable {
    /// Returns a prepared statement for this text, cached and reset.
    func prepare(_ sql: SQLText) throws(SQLError) -> any SQLStatement
    /// Runs statements without results.
    func execute(_ sql: SQLText) throws(SQLError)
    /// Runs steps in their order, in the open transaction, until a row is not as its step expects.
    ///
    /// - Parameter compiler: The compiler of the statements for rows and links.
    func run(_ steps: [WriteStep], by compiler: SaveCompiler) throws(SQLError) -> StepOutcome
    /// Inserts rows, each of which instead changes a stored row with equal unique values, as if one after the
    /// other.
    ///
    /// - Parameter answersRows: Whether the receipt has to name the rows.
    func upsert(
        _ rows: [BatchRow], by upserts: UpsertCompiler, answersRows: Bool
    ) throws(SQLError) -> UpsertReceipt
    func begin(_ mode: TransactionMode) throws(SQLError)
    func commit() throws(SQLError)
    func rollback()
    var isInTransaction: Bool { get }
    /// Runs statements and returns the rows that they and their triggers wrote. This costs a call per row.
    func recordingChanges<Result>(
        _ body: () throws(SQLError) -> Result
    ) throws(SQLError) -> (Result, Set<ChangedRow>)
    /// Runs statements that fail with `.interrupted` as soon as the watch is cancelled.
    func watched<Result>(
        by watch: FetchWatch,
        _ body: () throws(SQLError) -> Result
    ) throws(SQLError) -> Result
    /// Releases the external file, if any, that a removed value of an attribute with external storage names.
    /// The file is removed when the open transaction commits.
    func releaseExternal(_ value: SQLValue)
    func close()
}

package enum TransactionMode: Sendable, Hashable {
    /// A read snapshot, taken at the first read.
    case deferred
    /// A transaction that takes the write lock at once.
    case immediate
}

/// The parameters of one run of a statement, by their positions from 1 on.
///
/// A position may be bound more than once; the last value counts.
package protocol SQLParameters: AnyObject {
    /// Binds columns of a packed row without unpacking them, from placeholder `first` on.
    ///
    /// Texts and blobs are bound without a copy: the row must not be released or written before the run ends.
    func bind(_ row: Snapshot, columns: [Int], from first: Int) throws(SQLError)
    func bind(_ value: SQLValue, at index: Int) throws(SQLError)
    /// Binds a value that is to be stored.
    ///
    /// Throws `invalidValue` if the database has no such value; `bind` leaves that to the database.
    func bind(stored value: SQLValue, at index: Int) throws(SQLError)
    func bind(_ number: Int64, at index: Int) throws(SQLError)
}

extension SQLParameters {
    package func bind(stored value: SQLValue, at index: Int) throws(SQLError) { try bind(value, at: index) }
}

/// A prepared statement.
///
/// `bind` starts a new run, which has to bind every placeholder.
package protocol SQLStatement: SQLParameters {
    func bind(_ values: [SQLValue]) throws(SQLError)
    /// Moves to the next row. At the end it resets the statement and returns false.
    func step() throws(SQLError) -> Bool
    func reset()
    /// The number of rows that the last insert, update or delete touched.
    var changedRowCount: Int { get }
    /// Decodes the current row in one call; returns nil if the plan has no entity of the row's number.
    func decodeRow(_ plan: ResultPlan) -> Snapshot?
    /// Steps through all rows and decodes those of the plan's entities. Notes each row in `watch`.
    func decodeRows(_ plan: ResultPlan, watch: FetchWatch?) throws(SQLError) -> [Snapshot]
    func integer(at column: Int32) -> Int64
    func value(at column: Int32) -> SQLValue
    var columnCount: Int { get }
}
