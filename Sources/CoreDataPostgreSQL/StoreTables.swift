import CoreDataSQL

/// The tables of a store in a schema that may have tables of other programs, too.
enum StoreTables {
    /// Drops the tables of the store in the session's schema, if it has one.
    static func drop(on session: Session) throws(SQLError) {
        guard try PostgreSQLStores.hasStore(session) else { return }
        _ = try ReadableViews.drop(on: session)
        let tables = try names(in: nil, on: session)
        if !tables.isEmpty { try session.execute("DROP TABLE \(tables.joined(separator: ", "))") }
    }

    /// Keeps others from writing to the tables of the store until the transaction ends.
    static func lock(on session: Session) throws(SQLError) {
        let tables = try names(in: nil, on: session)
        guard !tables.isEmpty else { return }
        try session.execute("LOCK TABLE \(tables.joined(separator: ", ")) IN SHARE ROW EXCLUSIVE MODE")
    }

    /// Replaces the tables of the store, if there are any, by those of the store in another schema, which come
    /// with their indexes, sequences and views. No row is copied. The other schema is dropped, with views for
    /// whose names there is no room.
    static func replace(by schema: SQLIdentifier, on session: Session) throws(SQLError) {
        try drop(on: session)
        guard let target = try currentSchema(session) else { return }
        for table in try names(in: schema, on: session) {
            try session.execute("ALTER TABLE \(schema).\(table) SET SCHEMA \(target)")
        }
        let taken = try takenNames(on: session)
        for view in try ReadableViews.names(in: schema, on: session) {
            try session.execute(
                taken.contains(view.name)
                    ? "DROP VIEW \(schema).\(view)" : "ALTER VIEW \(schema).\(view) SET SCHEMA \(target)")
        }
        try session.execute("DROP SCHEMA \(schema)")
    }

    /// Returns the names that tables, views and the like have in the session's schema.
    static func takenNames(on session: Session) throws(SQLError) -> Set<String> {
        Set(
            try session.texts(
                "SELECT CAST(relname AS text) FROM pg_class WHERE relnamespace = \(identifier(of: nil))"))
    }

    /// Spells the identifier of a schema; nil for the session's.
    static func identifier(of schema: SQLIdentifier?) -> SQLFragment {
        let name: SQLFragment = schema.map { "\(bind: .text($0.name))" } ?? "current_schema()"
        return "(SELECT n.oid FROM pg_namespace AS n WHERE n.nspname = \(name))"
    }

    private static func currentSchema(_ session: Session) throws(SQLError) -> SQLIdentifier? {
        try session.texts("SELECT CAST(current_schema() AS text)").first.map(SQLIdentifier.foreign)
    }

    /// Returns the names of the tables of the store in a schema; nil for the session's.
    ///
    /// A table of the store is known by its key column, or by its name: those of links and of the bookkeeping
    /// have no such column.
    private static func names(
        in schema: SQLIdentifier?, on session: Session
    ) throws(SQLError) -> [SQLIdentifier] {
        let query: SQLFragment = """
            SELECT CAST(c.relname AS text) FROM pg_class AS c \
            WHERE c.relnamespace = \(identifier(of: schema)) AND c.relkind = 'r' \
            AND (c.relname ~ '^z_(_old_|[0-9])' \
            OR c.relname IN ('z_primarykey', 'z_metadata', 'z_modelcache', 'z_saves') \
            OR EXISTS (SELECT 1 FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attname = 'z_pk')) \
            ORDER BY c.relname
            """
        return try session.texts(query).map(SQLIdentifier.foreign)
    }
}
