/// The tables of a store that have triggers.
///
/// Triggers that other connections add while the store is open do not count.
struct TriggeredTables: Sendable {
    private let names: Set<SQLIdentifier>
    /// Whether writing to the tables may change rows of other entities; the triggers of full-text indexes
    /// change none.
    let changeRows: Bool

    init(reading connection: any SQLConnection) throws(SQLError) {
        let statement = try connection.prepare(
            """
            SELECT t.name, m.name NOT GLOB \(quoting: SearchTable.prefix + "*") FROM sqlite_master m \
            JOIN sqlite_master t ON t.type = 'table' AND t.name = m.tbl_name COLLATE NOCASE WHERE m.type = 'trigger'
            """)
        var names: Set<SQLIdentifier> = []
        var changeRows = false
        while try statement.step() {
            if case .text(let name) = statement.value(at: 0) { names.insert(SQLIdentifier(name)) }
            if statement.integer(at: 1) != 0 { changeRows = true }
        }
        self.names = names
        self.changeRows = changeRows
    }

    func contains(_ table: EntityTable) -> Bool { names.contains(table.tableName) }
}
