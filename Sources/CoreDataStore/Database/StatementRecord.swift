/// A statement of a database that ended.
package struct StatementRecord: Sendable {
    /// The place of the store.
    package let place: String
    /// The text, with placeholders.
    package let sql: String
    /// The number of rows that were returned or written; nil if it has none.
    package let rowCount: Int?
    /// The error, if it failed.
    package let failure: String?
    package let duration: Duration

    package init(place: String, sql: String, rowCount: Int?, failure: String?, duration: Duration) {
        self.place = place
        self.sql = sql
        self.rowCount = rowCount
        self.failure = failure
        self.duration = duration
    }
}
