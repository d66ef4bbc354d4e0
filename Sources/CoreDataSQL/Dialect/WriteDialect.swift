/// The spelling of changes.
package protocol WriteDialect: Sendable {
    /// The verb of an insertion of many rows that fires no triggers. If a row is refused, the caller rolls
    /// the transaction back.
    var insertGroup: SQLText { get }
    /// Spells ` ON CONFLICT …` of an upsert: an insertion that instead changes a stored row with equal unique
    /// values. Returns nil if the database cannot do that for so many constraints.
    ///
    /// - Parameters:
    ///   - constraints: The columns of the index of each uniqueness constraint.
    ///   - assignments: The changes of the stored row. The new row is called `excluded`.
    ///   - condition: The condition under which the stored row is changed; nil if it always is.
    func onConflict(
        of constraints: [[IndexedColumn]], update assignments: [SQLText], where condition: SQLText?
    ) -> SQLText?
    /// Spells a column of the stored row in these assignments.
    func stored(_ column: SQLIdentifier, of table: SQLIdentifier) -> SQLText
    /// The name of the table of rows that a batch is about to delete, which only one connection sees.
    var markTable: SQLText { get }
    /// Makes that table, unless the connection has it.
    var markTableDefinition: SQLText { get }
    /// The clause that locks the rows which a select reads, so that no other connection changes them before
    /// the transaction ends: ` FOR SHARE`.
    var rowLock: SQLText { get }
}
