/// SQLite has one writer at a time, so rows need no locks.
extension SQLiteDialect: WriteDialect {
    /// A group that is refused leaves what it wrote, as single rows do that come before a refused one.
    ///
    /// To be able to undo the statement, SQLite would copy every page before it writes to it, to a temporary
    /// file once they are many; where an index has scattered values that is one page per row. Triggers would
    /// adopt `OR FAIL` for their own statements.
    package var insertGroup: SQLText { "INSERT OR FAIL" }

    /// Spells the resolution without a constraint, which stands for any of them.
    package func onConflict(
        of constraints: [[SQLIdentifier]], update assignments: [SQLText], where condition: SQLText?
    ) -> SQLText {
        let update: SQLText = " ON CONFLICT DO UPDATE SET \(assignments.joined(separator: ", "))"
        return condition.map { "\(update) WHERE \($0)" } ?? update
    }

    package func stored(_ column: SQLIdentifier, of table: SQLIdentifier) -> SQLText { "\(column)" }

    package var markTable: SQLText { "temp.Z_BATCH" }

    package var markTableDefinition: SQLText {
        """
        CREATE TEMP TABLE IF NOT EXISTS Z_BATCH \
        (ROOT INTEGER, KEY INTEGER, ENTITY INTEGER, PRIMARY KEY (ROOT, KEY)) WITHOUT ROWID
        """
    }

    package var rowLock: SQLText { "" }
}
