/// The reading of a store's definitions from the system catalogs.
extension PostgreSQLDialect {
    package func catalog(on connection: any SQLConnection) throws(SQLError) -> StoreCatalog {
        var catalog = StoreCatalog()
        try connection.forEachRow(of: Self.columns) { row in
            guard case .text(let table) = row.value(at: 0), case .text(let name) = row.value(at: 1),
                case .text(let type) = row.value(at: 2)
            else { return }
            catalog.add(SQLIdentifier(unfolding: name), type, to: SQLIdentifier(unfolding: table))
        }
        try connection.forEachRow(of: Self.impostors) { row in
            guard case .text(let name) = row.value(at: 0), case .text(let kind) = row.value(at: 1) else {
                return
            }
            catalog.add(kind, named: SQLIdentifier(unfolding: name))
        }
        try catalog.readEntities(on: connection)
        return catalog
    }

    /// Reads the tables with triggers. Rows that the triggers write are not known, since the server does not
    /// report them.
    package func triggeredTables(on connection: any SQLConnection) throws(SQLError) -> TriggeredTables {
        var tables = TriggeredTables()
        let query: SQLFragment = """
            SELECT DISTINCT CAST(c.relname AS text) FROM pg_catalog.pg_trigger t \
            JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal AND \(Self.isInSchema)
            """
        try connection.forEachRow(of: query) { row in
            if case .text(let name) = row.value(at: 0) { tables.names.insert(SQLIdentifier(unfolding: name)) }
        }
        return tables
    }

    package func definitions(
        on connection: any SQLConnection
    ) throws(SQLError) -> (
        indexes: [MigrationCatalog.Definition], triggers: [MigrationCatalog.Definition]
    ) {
        (try definitions(Self.indexes, on: connection), try definitions(Self.triggers, on: connection))
    }

    private func definitions(
        _ query: SQLFragment, on connection: any SQLConnection
    ) throws(SQLError) -> [MigrationCatalog.Definition] {
        var result: [MigrationCatalog.Definition] = []
        try connection.forEachRow(of: query) { row in
            guard case .text(let name) = row.value(at: 0), case .text(let table) = row.value(at: 1),
                case .text(let sql) = row.value(at: 2)
            else { return }
            result.append(
                MigrationCatalog.Definition(
                    name: SQLIdentifier(unfolding: name), table: SQLIdentifier(unfolding: table),
                    sql: SQLText(stored: sql), isValid: row.integer(at: 3) != 0))
        }
        return result
    }

    // MARK: Queries

    /// The condition that a row `c` of `pg_class` is of the store's schema.
    private static let isInSchema: SQLText = """
        c.relnamespace = (SELECT n.oid FROM pg_catalog.pg_namespace n WHERE n.nspname = current_schema())
        """

    /// Selects the columns of all tables, with their types as `type(of:)` spells them.
    private static let columns: SQLFragment = """
        SELECT CAST(c.relname AS text), CAST(a.attname AS text), \
        pg_catalog.format_type(a.atttypid, a.atttypmod) || COALESCE(' COLLATE ' || quote_ident(l.collname), '') \
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid \
        JOIN pg_catalog.pg_type t ON t.oid = a.atttypid \
        LEFT JOIN pg_catalog.pg_collation l ON l.oid = a.attcollation AND a.attcollation <> t.typcollation \
        WHERE c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped AND \(isInSchema) \
        ORDER BY c.oid, a.attnum
        """

    private static let impostors: SQLFragment = """
        SELECT CAST(c.relname AS text), CASE c.relkind WHEN 'v' THEN 'view' \
        WHEN 'm' THEN 'materialized view' ELSE 'foreign table' END FROM pg_catalog.pg_class c \
        WHERE c.relkind IN ('v', 'm', 'f') AND \(isInSchema)
        """

    /// Selects the indexes that no constraint has made, with their definitions as `IndexCompiler` spells
    /// them.
    private static let indexes: SQLFragment = """
        SELECT CAST(c.relname AS text), CAST(t.relname AS text), \
        replace(pg_catalog.pg_get_indexdef(c.oid, 0, true), ' USING btree', ''), \
        CAST(CAST(i.indisvalid AS integer) AS bigint) \
        FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid \
        JOIN pg_catalog.pg_class t ON t.oid = i.indrelid WHERE \(isInSchema) AND NOT EXISTS \
        (SELECT FROM pg_catalog.pg_constraint k WHERE k.conindid = c.oid) ORDER BY c.oid
        """

    private static let triggers: SQLFragment = """
        SELECT CAST(t.tgname AS text), CAST(c.relname AS text), pg_catalog.pg_get_triggerdef(t.oid), \
        CAST(1 AS bigint) FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid \
        WHERE NOT t.tgisinternal AND \(isInSchema) ORDER BY t.oid
        """
}

extension SQLIdentifier {
    /// Makes the name of something in the database, which has the names without quotes in lower case: in the
    /// upper case of `NameMangling`, which takes the beginnings of names as they are.
    fileprivate init(unfolding name: String) {
        let folded = SQLIdentifier(name)
        self = folded.isQuoted ? folded : SQLIdentifier(name.uppercased())
    }
}
