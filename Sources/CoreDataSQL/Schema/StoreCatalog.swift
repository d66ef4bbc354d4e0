/// What an existing store says of itself: tables with their columns, and entity numbers by name.
package struct StoreCatalog: Sendable {
    /// Column names and declared types by table, both as the file spells them.
    package private(set) var tables: [String: [String: String]] = [:]
    /// The columns of positions in ordered relationships by table, as they stand there.
    private(set) var orderColumns: [String: [String]] = [:]
    package private(set) var entityNumbers: [String: Int64] = [:]
    /// The number of an entity's parent by its own number, 0 for a root.
    package private(set) var parentNumbers: [Int64: Int64] = [:]

    package init(
        tables: [String: [String: String]],
        entityNumbers: [String: Int64],
        parentNumbers: [Int64: Int64] = [:],
        orderColumns: [String: [String]] = [:]
    ) {
        self.tables = tables
        self.entityNumbers = entityNumbers
        self.parentNumbers = parentNumbers
        self.orderColumns = orderColumns
    }

    /// Reads a store that has the bookkeeping tables.
    package init(reading connection: any SQLConnection) throws(SQLError) {
        let columns = try connection.prepare(
            """
            SELECT m.name, c.name, c.type FROM sqlite_master m JOIN pragma_table_info(m.name) c \
            WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%'
            """)
        while try columns.step() {
            guard case .text(let table) = columns.value(at: 0), case .text(let name) = columns.value(at: 1),
                case .text(let type) = columns.value(at: 2)
            else { continue }
            tables[table, default: [:]][name] = type
            if NameMangling.mayBeOrderColumn(name) { orderColumns[table, default: []].append(name) }
        }
        let entities = try connection.prepare("SELECT Z_NAME, Z_ENT, Z_SUPER FROM Z_PRIMARYKEY")
        while try entities.step() {
            if case .text(let name) = entities.value(at: 0) {
                entityNumbers[name] = entities.integer(at: 1)
                parentNumbers[entities.integer(at: 1)] = entities.integer(at: 2)
            }
        }
    }

    func hasColumn(_ column: String, in table: String) -> Bool { tables[table]?[column] != nil }

    /// Whether the store keeps history (sqlite-store §12).
    package var hasHistory: Bool { tables["ATRANSACTION"] != nil && tables["ACHANGE"] != nil }

    /// Whether the names in it lie in a table of their own; the first releases wrote them into the
    /// transactions.
    var hasHistoryStrings: Bool { tables["ATRANSACTIONSTRING"] != nil }
}
