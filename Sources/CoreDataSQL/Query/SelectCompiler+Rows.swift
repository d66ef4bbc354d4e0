import CoreDataModelFormat
package import CoreDataStore
package import CoreDataValues

/// Reads of known rows. None depends on a predicate, so each is compiled once per entity.
extension SelectCompiler {
    /// Selects one row by its key, the only value to bind:
    /// `SELECT t0.Z_PK, … FROM ZPERSON t0 WHERE t0.Z_PK = ?`.
    package func row(of entity: EntityIndex) throws(StoreError) -> CompiledQuery {
        try rows(of: entity) { columns, table in
            "SELECT \(columns) FROM \(table) t0 WHERE t0.Z_PK = \(placeholder: .integer)"
        }
    }

    /// Selects any number of rows of one table by a list of keys, `keys(_:)`, the only value to bind.
    package func rows(of entity: EntityIndex) throws(StoreError) -> CompiledQuery {
        try rows(of: entity) { columns, table in
            let keys = SQLFragment(SQLText(.integers))
            let rows = KeyedRows(table: table, column: NameMangling.key, keys: .list(keys))
            return "SELECT \(columns)\(dialect.source(rows).sql)"
        }
    }

    private func rows(
        of entity: EntityIndex,
        _ text: (_ columns: SQLText, _ table: SQLIdentifier) -> SQLText
    ) throws(StoreError) -> CompiledQuery {
        let table = try schema.table(of: entity)
        let row = rowShapes.shape(of: entity, includesSubentities: true)
        let sql = SQLFragment(text(row.selection, table.tableName))
        return CompiledQuery(select: sql, plan: row.plan, cells: nil)
    }

    /// Returns the keys as `rows(of:)` binds them, in ascending order, so that a page of the table is found
    /// and read once.
    package static func keys(_ references: some Sequence<ObjectReference>) -> SQLValue {
        .integers(references.map(\.key).sorted())
    }
}
