import CoreDataStore

/// The catalog of an existing store: tables with their columns, and entity numbers by name.
package struct StoreCatalog: Sendable {
    /// The names of columns and their declared types by table, both in the spelling of the database.
    package private(set) var tables: [SQLIdentifier: [SQLIdentifier: String]] = [:]
    /// The columns of positions in ordered relationships by table, in the order of the table.
    private(set) var orderColumns: [SQLIdentifier: [SQLIdentifier]] = [:]
    package private(set) var entityNumbers: [String: Int64] = [:]
    /// The number of an entity's parent by its own number; 0 for a root.
    package private(set) var parentNumbers: [Int64: Int64] = [:]
    /// The kinds of other things that have the name of a table, such as a view, by name.
    private var impostors: [SQLIdentifier: String] = [:]

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

    init() { self.init(tables: [:], entityNumbers: [:]) }

    // MARK: Reading

    /// Adds the next column of a table.
    mutating func add(_ column: SQLIdentifier, _ type: String, to table: SQLIdentifier) {
        tables[table, default: [:]][column] = type
        if NameMangling.mayBeOrderColumn(column) { orderColumns[table, default: []].append(column) }
    }

    /// Adds something that is no table, by its kind.
    mutating func add(_ impostor: String, named name: SQLIdentifier) { impostors[name] = impostor }

    /// Reads the entities.
    mutating func readEntities(on connection: any SQLConnection) throws(SQLError) {
        try connection.forEachRow(of: "SELECT Z_NAME, Z_ENT, Z_SUPER FROM Z_PRIMARYKEY") { row in
            guard case .text(let name) = row.value(at: 0) else { return }
            entityNumbers[name] = row.integer(at: 1)
            parentNumbers[row.integer(at: 1)] = row.integer(at: 2)
        }
    }

    // MARK: Questions

    /// Throws if something else has a table's name.
    func requireTable(_ name: SQLIdentifier) throws(StoreError) {
        if let impostor = impostors[name] { throw StoreError(.corrupt, Self.complaint(name, impostor)) }
    }

    /// Returns the error text for something else in the place of a table.
    static func complaint(_ name: SQLIdentifier, _ impostor: String) -> String {
        "\(name) is a \(impostor), where a store has a table"
    }

    func hasColumn(_ column: SQLIdentifier, in table: SQLIdentifier) -> Bool { tables[table]?[column] != nil }

    /// Whether the store keeps history (sqlite-store §12).
    package var hasHistory: Bool {
        tables[HistorySchema.transactions] != nil && tables[HistorySchema.changes] != nil
    }

    /// Whether the history has its names in a separate table. The first releases of Apple's framework wrote
    /// them into the transactions.
    var hasHistoryStrings: Bool { tables[HistorySchema.strings] != nil }

    /// The number of the history's columns for preserved values of deleted rows.
    var tombstoneCount: Int {
        tables[HistorySchema.changes]?.keys.count { $0.name.hasPrefix("ZTOMBSTONE") } ?? 0
    }
}
