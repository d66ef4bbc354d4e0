import CoreDataSQL

/// The removal of a store's tables from a schema that may have tables of other programs, too.
enum StoreRemoval {
    /// Returns the statements that drop the store.
    ///
    /// A table of the store is known by its key column, or by its name: those of links and of the bookkeeping
    /// have no such column.
    static func statements(on session: Session) throws(SQLError) -> [SQLText] {
        var tables: [SQLIdentifier] = []
        try session.forEachRow(of: query) { row in
            if case .text(let name) = row.value(at: 0) { tables.append(SQLIdentifier.foreign(name)) }
        }
        return tables.isEmpty ? [] : ["DROP TABLE \(tables.joined(separator: ", "))"]
    }

    private static let query: SQLFragment = """
        SELECT CAST(c.relname AS text) FROM pg_class AS c \
        WHERE c.relnamespace = (SELECT n.oid FROM pg_namespace AS n WHERE n.nspname = current_schema()) AND c.relkind = 'r' \
        AND (c.relname ~ '^z_[0-9]' OR c.relname IN ('z_primarykey', 'z_metadata', 'z_modelcache') \
        OR EXISTS (SELECT 1 FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attname = 'z_pk')) \
        ORDER BY c.relname
        """
}
