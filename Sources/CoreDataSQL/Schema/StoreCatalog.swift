import CoreDataStore

/// The contents of an existing store as it lists them: tables with their columns, and entity numbers by name.
package struct StoreCatalog: Sendable {
    /// The column names and declared types by table, both as the file spells them.
    package private(set) var tables: [SQLIdentifier: [SQLIdentifier: String]] = [:]
    /// The columns of positions in ordered relationships by table, in the order of the table.
    private(set) var orderColumns: [SQLIdentifier: [SQLIdentifier]] = [:]
    package private(set) var entityNumbers: [String: Int64] = [:]
    /// The number of an entity's parent by its own number; 0 for a root.
    package private(set) var parentNumbers: [Int64: Int64] = [:]
    /// The names of tables that something else has: whether it is a view, by name.
    private var impostors: [SQLIdentifier: Bool] = [:]

    package init(
        tables: [SQLIdentifier: [SQLIdentifier: String]],
        entityNumbers: [String: Int64],
        parentNumbers: [Int64: Int64] = [:],
        orderColumns: [SQLIdentifier: [SQLIdentifier]] = [:]
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
            WHERE \(PlainTable.condition("m"))
            """)
        while try columns.step() {
            guard case .text(let tableName) = columns.value(at: 0),
                case .text(let columnName) = columns.value(at: 1),
                case .text(let type) = columns.value(at: 2)
            else { continue }
            let (table, name) = (SQLIdentifier(tableName), SQLIdentifier(columnName))
            tables[table, default: [:]][name] = type
            if NameMangling.mayBeOrderColumn(name) { orderColumns[table, default: []].append(name) }
        }
        let others = try connection.prepare(
            """
            SELECT m.name, m.type = 'view' FROM sqlite_master m \
            WHERE m.type IN ('table', 'view') AND NOT (\(PlainTable.condition("m")))
            """)
        while try others.step() {
            if case .text(let name) = others.value(at: 0) {
                impostors[SQLIdentifier(name)] = others.integer(at: 1) != 0
            }
        }
        _ = try connection.hasTable("Z_PRIMARYKEY")
        let entities = try connection.prepare("SELECT Z_NAME, Z_ENT, Z_SUPER FROM Z_PRIMARYKEY")
        while try entities.step() {
            if case .text(let name) = entities.value(at: 0) {
                entityNumbers[name] = entities.integer(at: 1)
                parentNumbers[entities.integer(at: 1)] = entities.integer(at: 2)
            }
        }
    }

    /// Throws if something else has a table's name.
    func requireTable(_ name: SQLIdentifier) throws(StoreError) {
        if let isView = impostors[name] {
            throw StoreError(.corrupt, PlainTable.complaint(name, isView: isView))
        }
    }

    func hasColumn(_ column: SQLIdentifier, in table: SQLIdentifier) -> Bool { tables[table]?[column] != nil }

    /// Whether the store keeps history (sqlite-store §12).
    package var hasHistory: Bool {
        tables[HistorySchema.transactions] != nil && tables[HistorySchema.changes] != nil
    }

    /// Whether the names in the history lie in a table of their own; the first releases wrote them into the
    /// transactions.
    var hasHistoryStrings: Bool { tables[HistorySchema.strings] != nil }

    /// The number of the history's columns for values that outlive their rows.
    var tombstoneCount: Int {
        tables[HistorySchema.changes]?.keys.count { $0.name.hasPrefix("ZTOMBSTONE") } ?? 0
    }
}
