import CoreDataLibpq
package import CoreDataSQL
package import CoreDataStore

extension PostgreSQLStores: InspectableStores {
    package static func inspect(_ place: String) throws(StoreError) -> Session {
        let options = try options(place)
        let session = try session(options, as: nil, DatabaseOptions().timeout)
        return try translated(options) { () throws(SQLError) in
            try session.execute("SET default_transaction_read_only = on")
            return session
        }
    }
}

extension Session: InspectedConnection {
    package var dialect: any SQLDialect { PostgreSQLStores.dialect }

    package func hasTable(_ name: String) throws(SQLError) -> Bool {
        try findsRow(
            """
            SELECT 1 FROM pg_tables \
            WHERE schemaname = current_schema() AND tablename = lower(\(bind: .text(name)))
            """)
    }

    package func plan(of query: SQLFragment) throws(SQLError) -> [String] {
        try texts("EXPLAIN \(query)")
    }

    /// Returns nothing: a server checks its own files.
    package func damage(isQuick: Bool, atMost count: Int) -> [String] { [] }

    package func facts() throws(SQLError) -> DatabaseFacts {
        var facts: DatabaseFacts?
        try forEachRow(
            of: """
                SELECT current_setting('server_version'), CAST(current_schema() AS text), \
                (SELECT CAST(SUM(pg_total_relation_size(c.oid)) AS bigint) FROM pg_class AS c \
                WHERE c.relnamespace = n.oid AND c.relkind = 'r'), \
                (SELECT COUNT(*) FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid \
                WHERE c.relnamespace = n.oid), \
                (SELECT COUNT(*) FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid \
                WHERE c.relnamespace = n.oid AND NOT t.tgisinternal) \
                FROM pg_namespace AS n WHERE n.nspname = current_schema()
                """
        ) { row in
            func text(_ column: Int32) -> String {
                if case .text(let text) = row.value(at: column) { text } else { "" }
            }
            facts = DatabaseFacts(
                .server(version: text(0), schema: text(1), size: row.integer(at: 2)),
                indexCount: row.integer(at: 3), triggerCount: row.integer(at: 4))
        }
        return facts
            ?? DatabaseFacts(
                .server(version: "", schema: "", size: 0), indexCount: 0, triggerCount: 0)
    }

    /// Returns the end of the last block that was drawn, whether or not its keys have been used.
    package func highestKey(of table: EntityTable) throws(SQLError) -> Int64 {
        Int64(try count(KeySequences.lastKey(of: table.tableName)))
    }
}
