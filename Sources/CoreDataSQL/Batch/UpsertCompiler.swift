import CoreDataModelFormat
package import CoreDataStore
import CoreDataValues

/// The compiler of inserts that instead change a stored row with equal unique values (upserts).
///
///     INSERT INTO ZAUTHOR (Z_PK, …) VALUES (?, …) ON CONFLICT DO UPDATE SET ZAGE = excluded.ZAGE,
///     Z_OPT = Z_OPT + 1 RETURNING Z_PK, Z_ENT
///
/// A driver that upserts many rows by one statement takes the parts: the constraints, and how a stored row
/// changes. In all of them the new row is called `excluded`.
package struct UpsertCompiler: Sendable {
    /// A uniqueness constraint.
    package struct Constraint: Sendable {
        /// The columns of packed rows.
        package let columns: [Int]
        /// The placeholders for their values.
        package let placeholders: [SQLPlaceholder]
        /// The columns of the table.
        package let indexed: [IndexedColumn]
    }

    /// The change of a stored row.
    package struct Change: Sendable {
        /// The columns of the packed row that it writes.
        package let columns: ColumnMask
        package let assignments: [SQLText]
        /// The condition under which the stored row is changed; nil if it always is.
        package let condition: SQLText?
    }

    package let saver: SaveCompiler
    package let table: EntityTable
    package let policy: TakenValuePolicy
    /// The constraints, that of the newest index first, in which order SQLite looks into them. A row changes the
    /// stored row that the first of them finds.
    package let constraints: [Constraint]
    private let entity: CompiledEntity

    init(_ saver: SaveCompiler, _ table: EntityTable, _ policy: TakenValuePolicy) {
        self.saver = saver
        self.table = table
        self.policy = policy
        entity = saver.schema.model[table.entity]
        constraints = Self.constraints(of: entity, table, saver.schema)
    }

    private static func constraints(
        of entity: CompiledEntity, _ table: EntityTable, _ schema: StoreSchema
    ) -> [Constraint] {
        let model = schema.model
        let family = model[entity.root].family.compactMap { schema[$0] }.sorted(by: \.number)
        let indexed = family.flatMap { member in
            model[member.entity].element.uniquenessConstraints.map { names in
                names.compactMap { model[member.entity].slotIndex(named: $0) }
            }
        }
        let places = Dictionary(zip(indexed, indexed.indices)) { first, _ in first }
        return schema.constraints(of: entity)
            .sorted { -places[$0, default: 0] }
            .map { slots in
                let columns = slots.compactMap { entity.slots[$0].column }
                return Constraint(
                    columns: columns,
                    placeholders: columns.map { .value(schema.columnType(of: entity.columns[$0])) },
                    indexed: columns.flatMap { table.columns[$0].indexed() })
            }
    }

    // MARK: Text

    /// Returns the statement for one row in a database whose ON CONFLICT holds for every constraint.
    ///
    /// - Parameter answersRow: Whether it returns the key and the entity number of the row that it wrote, the new
    ///   one or the stored one; no row if nothing was written. In SQLite that doubles its cost: a temporary table
    ///   for the row, and a statement journal.
    package func statement(given: ColumnMask, answersRow: Bool) -> RowStatement {
        let insert = saver.insert(table, .single)
        let answer: SQLText = answersRow ? " RETURNING Z_PK, Z_ENT" : ""
        return RowStatement(
            sql: "\(insert.sql) ON CONFLICT \(action(change(given)))\(answer)", names: insert.names,
            cleared: [], columns: insert.columns, entityColumns: insert.entityColumns,
            elements: insert.elements, rowCount: 1)
    }

    private func action(_ change: Change?) -> SQLText {
        guard let change else { return "DO NOTHING" }
        let condition: SQLText = change.condition.map { " WHERE \($0)" } ?? ""
        return "DO UPDATE SET \(change.assignments.joined(separator: ", "))\(condition)"
    }

    /// Returns how the stored row changes; nil if it stays as it is.
    ///
    /// - Parameter given: The columns for which the new row was given values.
    package func change(_ given: ColumnMask) -> Change? {
        let columns = written(given)
        let values = columns.map { table.columns[$0].valueNames }
        guard !values.isEmpty else { return nil }
        let fills = policy == .fillStored
        let assignments =
            fills ? values.flatMap(filled) : values.joined().map { "\($0) = excluded.\($0)" as SQLText }
        let version: SQLText = "Z_OPT = \(stored(NameMangling.version)) + 1"
        return Change(
            columns: ColumnMask(columns), assignments: assignments + [version],
            condition: fills ? values.map(isFillable).joined(separator: " OR ") : nil)
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
    package func written(_ given: ColumnMask) -> [Int] {
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
