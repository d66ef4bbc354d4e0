/// The test for a table as opposed to what only has the name of one: a view, or a virtual table, may compute
/// anything and never end.
///
/// Stores keep nothing in these.
enum PlainTable {
    /// Returns the condition that a row of `sqlite_master` is about a table.
    ///
    /// SQLite writes the statements there in words of its own.
    static func condition(_ row: SQLText) -> SQLText {
        "\(row).type = 'table' AND \(row).sql GLOB 'CREATE TABLE *'"
    }

    /// Returns what stands in the place of a table.
    static func impostor(isView: Bool) -> String { isView ? "view" : "virtual table" }
}

extension SQLConnection {
    /// Returns whether the database has a table of this name.
    ///
    /// Throws if something else has it.
    package func hasTable(_ name: String) throws(SQLError) -> Bool {
        let statement = try prepare(
            """
            SELECT \(PlainTable.condition("m")), m.type = 'view' FROM sqlite_master m \
            WHERE m.name = \(placeholder: .text) AND m.type IN ('table', 'view')
            """)
        defer { statement.reset() }
        try statement.bind([.text(name)])
        guard try statement.step() else { return false }
        guard statement.integer(at: 0) != 0 else {
            throw SQLError(
                kind: .corrupt, code: 11,
                message: StoreCatalog.complaint(
                    SQLIdentifier(name), PlainTable.impostor(isView: statement.integer(at: 1) != 0)),
                sql: nil)
        }
        return true
    }
}
