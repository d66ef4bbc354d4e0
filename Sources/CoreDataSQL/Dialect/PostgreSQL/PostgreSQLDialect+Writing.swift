/// Other connections write at the same time, so rows that a save relies on are locked.
extension PostgreSQLDialect: WriteDialect {
    package var insertGroup: SQLText { "INSERT" }

    /// Spells the clause for one constraint, since PostgreSQL takes no more in a statement.
    package func onConflict(
        of constraints: [[IndexedColumn]], update assignments: [SQLText], where condition: SQLText?
    ) -> SQLText? {
        guard constraints.count == 1 else { return nil }
        let update: SQLText =
            " ON CONFLICT (\(Self.arbiter(constraints[0]))) DO UPDATE SET \(assignments.joined(separator: ", "))"
        return condition.map { "\(update) WHERE \($0)" } ?? update
    }

    /// Spells a column with its table, since a bare name could also be a column of the new row.
    package func stored(_ column: SQLIdentifier, of table: SQLIdentifier) -> SQLText { "\(table).\(column)" }

    package var markTable: SQLText { "pg_temp.Z_BATCH" }

    package var markTableDefinition: SQLText {
        """
        CREATE TEMPORARY TABLE IF NOT EXISTS Z_BATCH \
        (ROOT bigint, KEY bigint, ENTITY bigint, PRIMARY KEY (ROOT, KEY))
        """
    }

    package var rowLock: SQLText { " FOR SHARE" }
}
