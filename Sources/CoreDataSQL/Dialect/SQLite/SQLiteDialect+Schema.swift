import CoreDataModelFormat
package import CoreDataStore
import CoreDataValues

/// The definitions of Apple's stores (sqlite-store §2-§10), and the full-text indexes beside them.
extension SQLiteDialect: SchemaDialect {
    package func type(of column: ColumnType) -> SQLText {
        switch column {
        case .primaryKey: "INTEGER PRIMARY KEY"
        case .number: "INTEGER"
        case .attribute(let type): type.declaredType
        }
    }

    package func indexed(_ columns: [IndexedColumn], isUnique: Bool) -> SQLText {
        columns.map { column in
            let order: SQLText = column.isAscending ? "ASC" : "DESC"
            return "\(column.name) COLLATE BINARY \(order)"
        }.joined(separator: ", ")
    }

    package var longestName: Int? { nil }
    package var derivesByTriggers: Bool { true }
    package var primaryKeySuffix: String? { nil }

    package func bookkeeping(_ schema: StoreSchema) -> [SQLFragment] {
        [
            "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
            "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
            "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
        ]
    }

    package func keepers(
        of table: EntityTable, in schema: StoreSchema
    ) throws(StoreError) -> EntityKeepers {
        let entity = schema.model[table.entity]
        return EntityKeepers(
            derived: try TriggerCompiler(schema: schema, entity: entity, table: table).statements(),
            spatial: SpatialIndexCompiler(entity: entity, table: table).definitions())
    }

    package func derivedTotals(_ schema: StoreSchema) -> DerivedTotals? { nil }

    package func definitions(of index: SearchTable) -> [(name: SQLIdentifier, statement: SQLText)] {
        index.definitions
    }

    package func wordUpdate(of index: SearchTable) -> SQLText? { nil }

    package var hasSpatialTables: Bool { true }
    package var rowID: SQLText { "rowid" }
    package var historyForm: HistoryForm { .serial }
    package var keepsExternalFiles: Bool { true }

    // MARK: Catalog

    package func catalog(on connection: any SQLConnection) throws(SQLError) -> StoreCatalog {
        var catalog = StoreCatalog()
        let columns: SQLFragment = """
            SELECT m.name, c.name, c.type FROM sqlite_master m JOIN pragma_table_info(m.name) c \
            WHERE \(PlainTable.condition("m"))
            """
        try connection.forEachRow(of: columns) { row in
            guard case .text(let table) = row.value(at: 0), case .text(let name) = row.value(at: 1),
                case .text(let type) = row.value(at: 2)
            else { return }
            catalog.add(SQLIdentifier(name), type, to: SQLIdentifier(table))
        }
        let others: SQLFragment = """
            SELECT m.name, m.type = 'view' FROM sqlite_master m \
            WHERE m.type IN ('table', 'view') AND NOT (\(PlainTable.condition("m")))
            """
        try connection.forEachRow(of: others) { row in
            guard case .text(let name) = row.value(at: 0) else { return }
            catalog.add(PlainTable.impostor(isView: row.integer(at: 1) != 0), named: SQLIdentifier(name))
        }
        _ = try connection.hasTable("Z_PRIMARYKEY")
        try catalog.readEntities(on: connection)
        return catalog
    }

    package func triggeredTables(
        on connection: any SQLConnection
    ) throws(SQLError) -> TriggeredTables {
        var tables = TriggeredTables()
        // The triggers of full-text indexes change no rows of other entities.
        let query: SQLFragment = """
            SELECT t.name, m.name NOT GLOB \(quoting: SearchTable.prefix + "*") FROM sqlite_master m \
            JOIN sqlite_master t ON t.type = 'table' AND t.name = m.tbl_name COLLATE NOCASE WHERE m.type = 'trigger'
            """
        try connection.forEachRow(of: query) { row in
            if case .text(let name) = row.value(at: 0) { tables.names.insert(SQLIdentifier(name)) }
            if row.integer(at: 1) != 0 { tables.changeRows = true }
        }
        return tables
    }

    package func definitions(
        on connection: any SQLConnection
    ) throws(SQLError) -> (
        indexes: [MigrationCatalog.Definition], triggers: [MigrationCatalog.Definition]
    ) {
        var indexes: [MigrationCatalog.Definition] = []
        var triggers: [MigrationCatalog.Definition] = []
        let query: SQLFragment =
            "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql IS NOT NULL"
        try connection.forEachRow(of: query) { row in
            guard case .text(let type) = row.value(at: 0), case .text(let name) = row.value(at: 1),
                case .text(let table) = row.value(at: 2), case .text(let sql) = row.value(at: 3)
            else { return }
            let definition = MigrationCatalog.Definition(
                name: SQLIdentifier(name), table: SQLIdentifier(table), sql: SQLText(stored: sql))
            if type == "index" { indexes.append(definition) } else { triggers.append(definition) }
        }
        return (indexes, triggers)
    }
}

extension AttributeType {
    /// The type that a column of this attribute is declared with (sqlite-store §6).
    var declaredType: SQLText {
        switch self {
        case .integer16, .integer32, .integer64, .boolean: "INTEGER"
        case .date: "TIMESTAMP"
        case .double, .float: "FLOAT"
        case .decimal: "DECIMAL"
        case .string, .uri, .objectID: "VARCHAR"
        case .uuid, .transformable, .binary, .composite, .undefined: "BLOB"
        }
    }
}
