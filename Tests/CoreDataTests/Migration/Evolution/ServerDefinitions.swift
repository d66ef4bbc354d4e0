import CoreDataLibpq
import CoreDataModelFormat
import CoreDataSQL
import CoreDataValues
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// The tables, columns, indexes, sequences, views and comments of a store on a server, as lines of text.
struct ServerDefinitions: Equatable {
    private let lines: Set<String>

    /// Reads the definitions of the session's schema.
    init(_ session: Session) throws {
        var lines: Set<String> = []
        for query in Self.queries {
            try session.forEachRow(of: query) { row in
                if case .text(let line) = row.value(at: 0) { lines.insert(line) }
            }
        }
        self.lines = lines
    }

    private static let queries: [SQLFragment] = [
        """
        SELECT CAST(relkind AS text) || ' ' || CAST(relname AS text) FROM pg_class \
        WHERE relnamespace = CAST(quote_ident(current_schema()) AS regnamespace)
        """,
        """
        SELECT CAST(c.relname AS text) || '.' || CAST(a.attname AS text) || ' ' \
        || format_type(a.atttypid, a.atttypmod) || ' ' || CAST(a.attcollation AS text) \
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid \
        WHERE relnamespace = CAST(quote_ident(current_schema()) AS regnamespace) AND relkind = 'r' AND attnum > 0 \
        AND NOT attisdropped
        """,
        """
        SELECT pg_get_indexdef(indexrelid, 0, true) FROM pg_index JOIN pg_class ON pg_class.oid = indrelid \
        WHERE relnamespace = CAST(quote_ident(current_schema()) AS regnamespace)
        """,
        """
        SELECT CAST(sequencename AS text) || ' ' || CAST(increment_by AS text) FROM pg_sequences \
        WHERE schemaname = current_schema()
        """,
        """
        SELECT CAST(c.relname AS text) || ' ' || \
        COALESCE(regexp_replace(pg_get_serial_sequence(quote_ident(c.relname), 'z_pk'), '.*[.]', ''), 'none') \
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'z_pk' \
        WHERE relnamespace = CAST(quote_ident(current_schema()) AS regnamespace) AND relkind = 'r'
        """,
        """
        SELECT CAST(viewname AS text) || ' ' || definition FROM pg_views WHERE schemaname = current_schema()
        """,
        """
        SELECT CAST(c.relname AS text) || COALESCE('.' || CAST(a.attname AS text), '') || ' ' || d.description \
        FROM pg_description d JOIN pg_class c ON c.oid = d.objoid \
        LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.objsubid AND d.objsubid > 0 \
        WHERE relnamespace = CAST(quote_ident(current_schema()) AS regnamespace)
        """,
    ]

    func differences(from other: ServerDefinitions) -> Set<String> { lines.symmetricDifference(other.lines) }

    /// Opens a session with the schema of a store.
    static func session(_ url: URL) throws -> Session {
        try PostgreSQLStores.session(ConnectionOptions(url.absoluteString), 60)
    }

    /// Checks that the store has the definitions of a store which is made with the last model and the numbers
    /// that the entities have.
    static func compareWithNew(_ run: EvolvingStore) throws {
        let migrated = try session(run.store.url)
        var named: [String: Int64] = [:]
        let query: SQLFragment = "SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY WHERE Z_ENT < 16000"
        try migrated.forEachRow(of: query) { row in
            if case .text(let name) = row.value(at: 0) { named[name] = row.integer(at: 1) }
        }
        let model = try run.model.freeze().compiled
        let numbers = Dictionary(
            uniqueKeysWithValues: try named.map { name, number in
                (try #require(model.indexByName[name], run.message), number)
            })
        let new = try SchemaCompiler(
            model, subset: Set(numbers.keys), numbers: EntityNumbers(numbers), dialect: PostgreSQLDialect()
        ).compile()
        let fresh = try session(run.store.url)
        let schema = SQLIdentifier("fresh-\(UUID().uuidString)")
        try fresh.execute("CREATE SCHEMA \(schema)")
        try fresh.execute("SET search_path TO \(schema)")
        defer {
            try? fresh.execute("DROP SCHEMA \(schema) CASCADE")
            fresh.close()
            migrated.close()
        }
        let history = run.hasHistory ? HistorySchema(new.schema).statements(in: PostgreSQLDialect()) : []
        for statement in new.statements + history { try fresh.run(statement) }
        try TableComments(new.schema).set(on: fresh)
        try ReadableViews(new.schema).make(on: fresh)
        // The table of marks is not part of the schema: opening a store makes it.
        let differences = try ServerDefinitions(migrated).differences(from: ServerDefinitions(fresh))
            .filter { !$0.contains("z_saves") }
        try #require(differences == [], run.message)
    }
}
