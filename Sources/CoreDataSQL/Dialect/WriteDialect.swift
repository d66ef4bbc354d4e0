/// The spelling of changes.
package protocol WriteDialect: Sendable {
    /// The verb of an insertion of many rows that fires no triggers. If a row is refused, the caller rolls
    /// the transaction back.
    var insertGroup: SQLText { get }
    /// The number of new rows of a batch that are made, and whose keys are taken, before they are written.
    var rowsPerBatch: Int { get }
    /// Spells a column of the stored row in the assignments of an upsert.
    func stored(_ column: SQLIdentifier, of table: SQLIdentifier) -> SQLText
    /// The name of the table of rows that a batch is about to delete, which only one connection sees.
    var markTable: SQLText { get }
    /// Makes that table, unless the connection has it.
    var markTableDefinition: SQLText { get }
    /// Whether nothing can be read any more in a transaction in which a statement has failed.
    var errorsEndTransactions: Bool { get }
    /// The clause that locks the rows which a select reads, so that no other connection changes them before
    /// the transaction ends: ` FOR SHARE`.
    var rowLock: SQLText { get }
}
