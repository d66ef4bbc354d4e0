package import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// A migrated store has the tables of a new one, but entities keep the numbers that they have, so that rows
/// need not be written anew, and programs with the former model can go on as long as their tables and columns
/// stay.
extension PostgreSQLDialect: MigrationDialect {
    package var renumbersEntities: Bool { false }
    package var makesIndexesConcurrently: Bool { true }

    /// Renames the index of the primary key and the sequence, too: other tables may get the old name.
    package func renames(of table: SQLIdentifier, to name: SQLIdentifier) -> [SQLText] {
        let (keys, newKeys) = (KeySequences.name(for: table), KeySequences.name(for: name))
        return [
            "ALTER TABLE \(table) RENAME TO \(name)",
            "ALTER INDEX IF EXISTS \(primaryKey(of: table)) RENAME TO \(primaryKey(of: name))",
            "ALTER SEQUENCE IF EXISTS \(keys) RENAME TO \(newKeys)",
        ]
    }

    /// Returns the index of the primary key, which the database names: in lower case, also where the name of
    /// the table is in quotes.
    private func primaryKey(of table: SQLIdentifier) -> SQLIdentifier {
        let suffix = primaryKeySuffix ?? ""
        return SQLIdentifier(table.name + (table.isQuoted ? suffix.lowercased() : suffix))
    }

    /// Returns the sequence of keys.
    package func companions(of table: SQLIdentifier) -> [SQLText] {
        [
            """
            CREATE SEQUENCE \(KeySequences.name(for: table)) \
            INCREMENT BY \(KeySequences.blockSize) OWNED BY \(table).Z_PK
            """
        ]
    }

    package func keyArrangement(of table: JoinTable) -> SQLText? {
        let key = primaryKey(of: table.name)
        return """
            ALTER TABLE \(table.name) DROP CONSTRAINT \(key), \
            ADD CONSTRAINT \(key) PRIMARY KEY (\(table.firstColumn), \(table.secondColumn))
            """
    }

    /// Spells the last key of the last block that was drawn.
    package func handedOutKey(of table: EntityTable) -> SQLFragment {
        "(\(KeySequences.lastKey(of: table.tableName)))"
    }

    /// Returns the rows of the entities, and the statements that raise the sequences.
    package func entityRows(
        _ schema: StoreSchema, highestKeys: [SQLIdentifier: Int64], raised: Set<SQLIdentifier>
    ) -> [SQLFragment] {
        let sequences = raised.sorted().map { table -> SQLFragment in
            let sequence = KeySequences.name(for: table)
            let next = (highestKeys[table] ?? 0) + 1
            return "SELECT setval(\(quoting: sequence.spelling), \(next), false)"
        }
        return Bookkeeping.entityRows(schema) + sequences
    }

    package func nested(_ select: SQLText) -> SQLText { "(\(select)) AS n" }

    package func lastOwners(of links: SQLText) -> SQLText {
        "SELECT DISTINCT ON (m) o, m, p FROM \(nested(links)) ORDER BY m, o DESC"
    }

    /// Spells a conversion. Fractions are cut off, and what is too large for an integer becomes the greatest
    /// one, as in SQLite.
    package func converted(_ value: SQLText, by conversion: ValueConversion) -> SQLText {
        switch conversion {
        case .integer:
            """
            CASE WHEN \(value) >= \(Int64.max) THEN \(Int64.max) \
            WHEN \(value) <= \(Self.lowest) THEN \(Self.lowest) ELSE CAST(trunc(\(value)) AS bigint) END
            """
        case .real: "CAST(\(value) AS double precision)"
        // By its text, which has as many digits as tell the double from others; a cast would keep 15.
        case .decimal: "CAST(CAST(\(value) AS text) AS numeric)"
        case .flag: "CAST(CAST(\(value) <> 0 AS integer) AS smallint)"
        case .marked, .unmarked: value
        }
    }

    private static let lowest: SQLText = "CAST(\(quoting: String(Int64.min)) AS bigint)"

    package func derivedValue(
        of slot: PropertySlot, _ entity: CompiledEntity, in schema: StoreSchema
    ) -> DerivedValue? {
        let derivation = Derivation(slot, of: entity, in: schema.model)
        switch derivation {
        case .now: return .expression(call(.now, []).sql)
        case .text(let form, let attribute):
            guard let source = attribute.column.flatMap({ schema[entity.index]?.columns[$0].name }) else {
                return nil
            }
            return form == .same ? .expression("\(source)") : .text(form, of: source)
        case .count(let relationship)?, .sum(let relationship, _)?, .copy(let relationship, _)?:
            guard let derivation, var total = DerivedTotal(relationship, of: entity, in: schema),
                total.add(derivation, slot, in: schema, self)
            else { return nil }
            return total.values.first.map { .expression($0.expression, alias: "o") }
        case nil: return nil
        }
    }
}
