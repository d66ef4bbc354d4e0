import CoreDataLibpq
import CoreDataSQL

/// The statements that upsert many rows. Each takes the rows as arrays, one a column, and calls them `excluded`;
/// `n` is the position of a row.
struct UpsertText {
    private let upserts: UpsertCompiler
    /// The insertion of one row, for its names and types.
    let row: RowStatement
    private var table: SQLIdentifier { upserts.table.tableName }

    init(_ upserts: UpsertCompiler) {
        self.upserts = upserts
        row = upserts.saver.insert(upserts.table, .single)
    }

    /// The columns of all constraints, each once.
    var uniqueColumns: [Int] { Set(upserts.constraints.flatMap(\.columns)).sorted() }

    /// The types of the parameters for a row.
    var types: [PostgreSQLType] { [PostgreSQLType](row.sql.placeholders) }

    /// The types of the parameters for the unique columns of a row.
    var uniqueTypes: [PostgreSQLType] {
        let placeholders = Dictionary(
            upserts.constraints.flatMap { zip($0.columns, $0.placeholders) }
        ) { first, _ in first }
        return uniqueColumns.map { placeholders[$0]?.type ?? .bytea }
    }

    /// Selects the stored rows that have unique values of the rows: `n` and their keys, those of the first constraint
    /// first.
    var holders: SQLText {
        let names = uniqueColumns.map { upserts.table.columns[$0].name }
        let found = upserts.constraints.enumerated().map { place, constraint -> SQLText in
            """
            SELECT n, \(place) AS place, t.Z_PK FROM excluded JOIN \(table) AS t \
            ON \(Self.holds(constraint, "t"))
            """
        }
        return """
            WITH excluded (\((names.map { "\($0)" } + ["n"]).joined(separator: ", "))) AS \
            (SELECT * FROM \(SQLText.arrays(names.count + 1))) \
            SELECT n, Z_PK FROM (\(found.joined(separator: " UNION ALL "))) AS found ORDER BY n, place
            """
    }

    /// Inserts rows, except those whose unique values are taken; returns the keys of those inserted.
    var insertion: SQLText {
        """
        INSERT INTO \(table) (\(row.names.joined(separator: ", "))) \
        SELECT * FROM \(SQLText.arrays(row.width)) AS excluded ON CONFLICT DO NOTHING RETURNING Z_PK
        """
    }

    /// Changes stored rows; returns `n`, the key and the entity number of those changed. A row may have got other
    /// values by the time that it is locked.
    func change(_ change: UpsertCompiler.Change) -> SQLText {
        let names = row.names.map { "\($0)" as SQLText } + ["n", "k"]
        let stillHolds = upserts.constraints.map { Self.holds($0, "\(table)") }.joined(separator: " OR ")
        let condition: SQLText = change.condition.map { " AND (\($0))" } ?? ""
        return """
            UPDATE \(table) SET \(change.assignments.joined(separator: ", ")) \
            FROM \(SQLText.arrays(names.count)) AS excluded (\(names.joined(separator: ", "))) \
            WHERE \(table).Z_PK = excluded.k AND (\(stillHolds))\(condition) \
            RETURNING excluded.n, \(table).Z_PK, \(table).Z_ENT
            """
    }

    /// Spells that a stored row has the unique values of the new one.
    private static func holds(_ constraint: UpsertCompiler.Constraint, _ stored: SQLText) -> SQLText {
        let conditions = constraint.indexed.map { column in
            PostgreSQLDialect().isEqual(column, "\(stored).\(column.name)", "excluded.\(column.name)")
        }
        return "(\(conditions.joined(separator: " AND ")))"
    }
}
