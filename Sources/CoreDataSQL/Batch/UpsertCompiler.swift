import CoreDataModelFormat
import CoreDataStore

/// The compiler of inserts that resolve taken unique values themselves (upserts).
///
///     INSERT INTO ZAUTHOR (Z_PK, …) VALUES (?, …) ON CONFLICT DO UPDATE SET ZAGE = excluded.ZAGE,
///     Z_OPT = Z_OPT + 1 RETURNING Z_PK, Z_ENT
///
/// The row that is returned is the new one or the stored one with the unique values; no row if nothing was
/// written. Returning a row doubles the cost of the statement, since SQLite makes a temporary table for it
/// and a statement journal.
struct UpsertCompiler {
    let saver: SaveCompiler
    let entity: CompiledEntity
    let table: EntityTable

    func statement(_ policy: TakenValuePolicy, given: ColumnMask, answersRow: Bool) -> RowStatement {
        let insert = saver.insert(table, .single)
        return RowStatement(
            sql: text(insert, policy, given, answersRow), names: insert.names, cleared: [],
            columns: insert.columns, entityColumns: insert.entityColumns, elements: insert.elements,
            rowCount: 1)
    }

    private func text(
        _ insert: RowStatement, _ policy: TakenValuePolicy, _ given: ColumnMask, _ answersRow: Bool
    ) -> SQLText {
        let values = written(policy, given).map { table.columns[$0].valueNames }
        guard !values.isEmpty else {
            let answer: SQLText = answersRow ? " RETURNING Z_PK, Z_ENT" : ""
            return "\(insert.sql) ON CONFLICT DO NOTHING\(answer)"
        }
        let fills = policy == .fillStored
        let assignments =
            fills ? values.flatMap(filled) : values.joined().map { "\($0) = excluded.\($0)" as SQLText }
        let version: SQLText = "Z_OPT = \(stored(NameMangling.version)) + 1"
        return saver.dialect.upsert(
            Upsert(
                table: table.tableName, names: insert.names,
                row: "(\(insert.sql.placeholders.map { SQLText($0) }.joined(separator: ", ")))",
                constraints: constraints, assignments: assignments + [version],
                condition: fills ? values.map(isFillable).joined(separator: " OR ") : nil,
                answersRow: answersRow))
    }

    /// The columns of the constraints, that of the newest index first, in which order SQLite looks into them.
    private var constraints: [[IndexedColumn]] {
        let model = saver.schema.model
        let family = model[entity.root].family.compactMap { saver.schema[$0] }
            .sorted { $0.number < $1.number }
        let indexed = family.flatMap { member in
            model[member.entity].element.uniquenessConstraints.map { names in
                names.compactMap { model[member.entity].slotIndex(named: $0) }
            }
        }
        let places = Dictionary(zip(indexed, indexed.indices)) { first, _ in first }
        return saver.schema.constraints(of: entity)
            .sorted { places[$0, default: 0] > places[$1, default: 0] }
            .map { slots in
                slots.compactMap { entity.slots[$0].column }.flatMap { table.columns[$0].indexed() }
            }
    }

    /// Returns the assignments that fill a missing value. A composite is filled as a whole or not at all,
    /// since elements of two values make no value.
    private func filled(_ names: [SQLIdentifier]) -> [SQLText] {
        guard names.count > 1 else { return names.map { "\($0) = COALESCE(\(stored($0)), excluded.\($0))" } }
        return names.map {
            "\($0) = CASE WHEN \(isMissing(names)) THEN excluded.\($0) ELSE \(stored($0)) END"
        }
    }

    private func isFillable(_ names: [SQLIdentifier]) -> SQLText {
        let isGiven = names.map { "excluded.\($0) IS NOT NULL" as SQLText }.joined(separator: " OR ")
        return names.count > 1
            ? "\(isMissing(names)) AND (\(isGiven))" : "\(isMissing(names)) AND \(isGiven)"
    }

    private func isMissing(_ names: [SQLIdentifier]) -> SQLText {
        names.map { "\(stored($0)) IS NULL" as SQLText }.joined(separator: " AND ")
    }

    private func stored(_ column: SQLIdentifier) -> SQLText {
        saver.dialect.stored(column, of: table.tableName)
    }

    /// Returns the columns of the stored row that the new one may write: attributes that are not derived.
    func written(_ policy: TakenValuePolicy, _ given: ColumnMask) -> [Int] {
        let attributes = table.columns.indices.filter { column in
            entity.columns[column].attribute.map { $0.derivation == nil } ?? false
        }
        return switch policy {
        case .fail, .keepStored: []
        case .fillStored, .updateStored: attributes.filter(given.contains)
        case .replaceStored: attributes
        }
    }
}
