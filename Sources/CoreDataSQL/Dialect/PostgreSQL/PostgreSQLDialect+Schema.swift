import CoreDataModelFormat
package import CoreDataStore
import CoreDataValues

/// The definitions of a store, which lie in one schema of the database.
///
/// Names are spelled as in SQLite, mostly without quotes, so that the database has them in lower case:
/// `zperson`.
extension PostgreSQLDialect: SchemaDialect {
    /// Whole numbers are `bigint` whatever the attribute, so that a wider type needs no rewriting of rows.
    /// Dates are numbers as in SQLite, since most would not survive the rounding of a `timestamptz`. Texts
    /// compare byte by byte.
    package func type(of column: ColumnType) -> SQLText {
        switch column {
        case .primaryKey: "bigint PRIMARY KEY"
        case .number: "bigint"
        case .attribute(let type): Self.type(of: type)
        }
    }

    private static func type(of attribute: AttributeType) -> SQLText {
        switch attribute {
        case .integer16, .integer32, .integer64: "bigint"
        // A number, which predicates compare and sum.
        case .boolean: "smallint"
        case .double, .float, .date: "double precision"
        case .decimal: "numeric"
        case .string, .uri, .objectID: "text COLLATE \"C\""
        case .uuid: "uuid"
        case .binary, .transformable, .composite, .undefined: "bytea"
        }
    }

    /// Leaves room for the names that are made of others by eleven more bytes: those of primary keys, sequences
    /// and full-text indexes. PostgreSQL cuts names at 63 bytes.
    package var longestName: Int? { 52 }
    package var primaryKeySuffix: String? { "_PKEY" }
    package var derivesByTriggers: Bool { false }

    /// Three tables as in SQLite, and a sequence of keys for each inheritance tree.
    package func bookkeeping(_ schema: StoreSchema) -> [SQLFragment] {
        let text = type(of: .attribute(.string))
        let tables: [SQLText] = [
            """
            CREATE TABLE Z_PRIMARYKEY (Z_ENT bigint PRIMARY KEY, Z_NAME \(text), Z_SUPER bigint, Z_MAX bigint)
            """,
            "CREATE TABLE Z_METADATA (Z_VERSION bigint PRIMARY KEY, Z_UUID \(text), Z_PLIST bytea)",
            "CREATE TABLE Z_MODELCACHE (Z_CONTENT bytea)",
        ]
        let roots = schema.tablesByNumber.filter { schema.model[$0.entity].root == $0.entity }
        let sequences = roots.flatMap { companions(of: $0.tableName) }
        return (tables + sequences).map { SQLFragment($0) }
    }

    package func derivedTotals(_ schema: StoreSchema) -> DerivedTotals? { DerivedTotals(schema, self) }

    /// Returns nothing: writes compute derived attributes (`DerivedTexts`, `DerivedTotals`).
    ///
    /// Throws an error that names the first derived attribute that they cannot compute.
    package func keepers(
        of table: EntityTable, in schema: StoreSchema
    ) throws(StoreError) -> EntityKeepers {
        let entity = schema.model[table.entity]
        for slot in entity.columns where slot.attribute?.derivation != nil {
            guard let derivation = Derivation(slot, of: entity, in: schema.model) else {
                throw Derivation.unsupported(slot, of: entity)
            }
            guard
                DerivedTexts.computes(derivation, in: self)
                    || DerivedTotals.computes(derivation, slot, of: entity, in: schema, self)
            else {
                throw StoreError(
                    .unsupported,
                    "\(entity.name).\(slot.name): a PostgreSQL store cannot keep this derived attribute, "
                        + "since the types of the two attributes do not fit, or the other entity is not in "
                        + "the store")
            }
        }
        return EntityKeepers(derived: [], spatial: [])
    }

    package var hasSpatialTables: Bool { false }
    package var rowID: SQLText { "ctid" }
    package var historyForm: HistoryForm { .concurrent }
    package var keepsExternalFiles: Bool { false }
}
