/// SQLite has one writer at a time, so rows need no locks.
extension SQLiteDialect: WriteDialect {
    /// With OR FAIL, a statement whose row is refused leaves the rows that it wrote before.
    ///
    /// To undo them SQLite would need a statement journal: a copy of every page before it is changed, in a
    /// temporary file once they are many. If an index has scattered values, that is one page per row.
    /// Triggers would adopt `OR FAIL` for their own statements.
    package var insertGroup: SQLText { "INSERT OR FAIL" }
    package var rowsPerBatch: Int { 500 }

    package func stored(_ column: SQLIdentifier, of table: SQLIdentifier) -> SQLText { "\(column)" }

    package var markTable: SQLText { "temp.Z_BATCH" }

    package var markTableDefinition: SQLText {
        """
        CREATE TEMP TABLE IF NOT EXISTS Z_BATCH \
        (ROOT INTEGER, KEY INTEGER, ENTITY INTEGER, PRIMARY KEY (ROOT, KEY)) WITHOUT ROWID
        """
    }

    package var errorsEndTransactions: Bool { false }
    package var rowLock: SQLText { "" }
}
