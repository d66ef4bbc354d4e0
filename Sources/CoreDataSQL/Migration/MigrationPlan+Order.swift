import CoreDataStore

extension MigrationPlan {
    /// Adds a step that numbers the members of each owner: by the positions that the column has, then by
    /// their keys (sqlite-store §7).
    ///
    /// - Parameters:
    ///   - column: The column of the positions.
    ///   - key: The column with the key of the owner.
    ///   - table: The table of the columns.
    ///   - member: The column with the key of the member.
    ///   - dialect: The dialect of the store.
    mutating func order(
        _ column: SQLIdentifier, by key: SQLIdentifier, of table: SQLIdentifier, member: SQLIdentifier,
        in dialect: any SQLDialect
    ) {
        let row = dialect.rowID
        let present = dialect.order(
            by: "\(column)", collation: nil, isAscending: true, isNullable: true
        ).sql
        run(
            "order by \(column)", .scans(table),
            """
            UPDATE \(table) SET \(column) = p.n FROM (SELECT \(row) AS r, 1024 + 1024 * ROW_NUMBER() \
            OVER (PARTITION BY \(key) ORDER BY \(present), \(member)) AS n FROM \(table) \
            WHERE \(key) IS NOT NULL) p WHERE p.r = \(table).\(row)
            """)
    }
}
