/// Other connections write at the same time, so rows that a save relies on are locked.
extension PostgreSQLDialect: WriteDialect {
    package var insertGroup: SQLText { "INSERT" }
    /// Each batch takes round trips.
    package var rowsPerBatch: Int { 4000 }

    /// Spells a column with its table, since a bare name could also be a column of the new row.
    package func stored(_ column: SQLIdentifier, of table: SQLIdentifier) -> SQLText { "\(table).\(column)" }

    package var markTable: SQLText { "pg_temp.Z_BATCH" }

    package var markTableDefinition: SQLText {
        """
        CREATE TEMPORARY TABLE IF NOT EXISTS Z_BATCH \
        (ROOT bigint, KEY bigint, ENTITY bigint, PRIMARY KEY (ROOT, KEY))
        """
    }

    package var errorsEndTransactions: Bool { true }
    package var rowLock: SQLText { " FOR SHARE" }
}
