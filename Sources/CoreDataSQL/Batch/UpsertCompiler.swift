import CoreDataModelFormat
import CoreDataStore

/// Writes inserts that settle taken unique values by themselves:
///
///     INSERT INTO ZAUTHOR (Z_PK, …) VALUES (?, …) ON CONFLICT DO UPDATE SET ZAGE = excluded.ZAGE,
///     Z_OPT = Z_OPT + 1 RETURNING Z_PK, Z_ENT
///
/// The row that is answered is the new one or the one that had the values; none where nothing was written.
struct UpsertCompiler {
    let schema: StoreSchema
    let entity: CompiledEntity
    let table: EntityTable

    func statement(_ policy: TakenValuePolicy, given: ColumnMask) -> RowStatement {
        let insert = SaveCompiler(schema: schema).insert(table, single: true)
        let sql = "\(insert.sql) ON CONFLICT \(resolution(policy, given)) RETURNING Z_PK, Z_ENT"
        return RowStatement(
            sql: sql, columns: insert.columns, entityColumns: insert.entityColumns,
            elements: insert.elements, rowCount: 1)
    }

    private func resolution(_ policy: TakenValuePolicy, _ given: ColumnMask) -> String {
        let columns = written(policy, given).flatMap { table.columns[$0].valueNames }
        guard !columns.isEmpty else { return "DO NOTHING" }
        switch policy {
        case .fail, .keepStored: return "DO NOTHING"
        case .updateStored, .replaceStored:
            return update(columns.map { "\($0) = excluded.\($0)" })
        case .fillStored:
            let missing = columns.map { "\($0) IS NULL AND excluded.\($0) IS NOT NULL" }
            return update(columns.map { "\($0) = COALESCE(\($0), excluded.\($0))" })
                + " WHERE \(missing.joined(separator: " OR "))"
        }
    }

    private func update(_ assignments: [String]) -> String {
        "DO UPDATE SET \((assignments + ["Z_OPT = Z_OPT + 1"]).joined(separator: ", "))"
    }

    /// Columns of the row in the store that the new one may write: attributes that are not the store's to derive.
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
