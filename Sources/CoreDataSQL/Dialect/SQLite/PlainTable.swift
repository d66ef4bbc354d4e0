/// The test whether an object of the database is a plain table. A damaged file may have a view or a virtual
/// table in its place, which may compute anything and never end.
///
/// Stores have no data in these.
package enum PlainTable {
    /// Returns the condition that a row of `sqlite_master` is about a plain table.
    ///
    /// SQLite writes the beginning of the statements there itself, so the pattern is reliable.
    package static func condition(_ row: SQLText) -> SQLText {
        "\(row).type = 'table' AND \(row).sql GLOB 'CREATE TABLE *'"
    }

    /// Returns the kind of an object that is in the place of a table.
    static func impostor(isView: Bool) -> String { isView ? "view" : "virtual table" }
}

extension SQLConnection {
    /// Returns whether the database has a table of this name.
    ///
    /// Throws if something else has the name.
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
