package import CoreDataModelFormat
import CoreDataStore

/// A migrated store has the form that Apple's framework gives to a new one.
extension SQLiteDialect: MigrationDialect {
    package var renumbersEntities: Bool { true }
    package var makesIndexesConcurrently: Bool { false }

    package func renames(of table: SQLIdentifier, to name: SQLIdentifier) -> [SQLText] {
        ["ALTER TABLE \(table) RENAME TO \(name)"]
    }

    package func companions(of table: SQLIdentifier) -> [SQLText] { [] }

    package func keyArrangement(of table: JoinTable) -> SQLText? { nil }

    package func handedOutKey(of table: EntityTable) -> SQLFragment {
        "COALESCE((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(bind: .integer(table.number))), 0)"
    }

    package func entityRows(
        _ schema: StoreSchema, highestKeys: [SQLIdentifier: Int64], raised: Set<SQLIdentifier>
    ) -> [SQLFragment] {
        Bookkeeping.entityRows(schema, highestKeys: highestKeys)
    }

    package func nested(_ select: SQLText) -> SQLText { "(\(select))" }

    /// Selects the column `p` beside an aggregate: SQLite takes it from the row with the maximum.
    package func lastOwners(of links: SQLText) -> SQLText {
        "SELECT MAX(o) AS o, m, p FROM (\(links)) GROUP BY m"
    }

    package func converted(_ value: SQLText, by conversion: ValueConversion) -> SQLText {
        switch conversion {
        case .integer: "CAST(\(value) AS INTEGER)"
        case .real: "CAST(\(value) AS REAL)"
        case .decimal: value
        case .flag: "(\(value) != 0)"
        case .marked: "CASE WHEN \(value) IS NOT NULL THEN CAST(x'01' || \(value) AS BLOB) END"
        case .unmarked: "\(SQLFunctionNames.contents)(\(value))"
        }
    }

    package func derivedValue(
        of slot: PropertySlot, _ entity: CompiledEntity, in schema: StoreSchema
    ) -> DerivedValue? {
        guard let table = schema[entity.index] else { return nil }
        return TriggerCompiler(schema: schema, entity: entity, table: table)
            .value(of: slot, inRow: "\(table.tableName)").map { .expression($0) }
    }
}
