package import CoreDataStore
import CoreDataValues

extension SQLBackend {
    /// Drops the columns and tables of an older model that a migration has put aside, with the external files
    /// they name.
    ///
    /// Each column or table is dropped in a transaction of its own.
    ///
    /// - Parameter isWhole: Whether to drop all of them; false drops the next one only.
    /// - Returns: Whether anything is left.
    package func finishMigration(isWhole: Bool) throws(StoreError) -> Bool {
        try write { connection throws(SQLError) -> Bool in
            let catalog = try dialect.catalog(on: connection)
            var pieces = DeferredPiece.all(in: catalog).filter { !schema.uses($0) }
            while let piece = pieces.popLast() {
                try connection.begin(.immediate)
                try piece.drop(connection, catalog, dialect)
                try connection.commit()
                if !isWhole { break }
            }
            return !pieces.isEmpty
        }
    }
}

extension StoreSchema {
    /// Returns whether the table or column belongs to the model, whose name for it happens to have the
    /// prefix.
    fileprivate func uses(_ piece: DeferredPiece) -> Bool {
        guard let column = piece.column else {
            return entities.contains { $0?.tableName == piece.table }
        }
        return entities.contains { table in
            guard let table, table.tableName == piece.table else { return false }
            return table.columns.contains { stored in
                stored.valueNames.contains(column) || stored.entityColumn == column
            }
        }
    }
}

/// A column or a table that a migration has put aside.
struct DeferredPiece {
    /// The beginning of the names of pieces, which hardly any other table or column has.
    static let prefix = "Z__OLD_"

    let table: SQLIdentifier
    /// The column; nil for the whole table.
    let column: SQLIdentifier?

    /// Returns the pieces of a store, the tables last.
    static func all(in catalog: StoreCatalog) -> [DeferredPiece] {
        let (deferred, others) = (
            catalog.tables.keys.filter { $0.name.hasPrefix(prefix) }.sorted(),
            catalog.tables.keys.filter { !$0.name.hasPrefix(prefix) }.sorted()
        )
        let columns = others.flatMap { table in
            (catalog.tables[table] ?? [:]).keys.filter { $0.name.hasPrefix(prefix) }.sorted()
                .map { DeferredPiece(table: table, column: $0) }
        }
        return columns + deferred.map { DeferredPiece(table: $0, column: nil) }
    }

    func drop(
        _ connection: any SQLConnection, _ catalog: StoreCatalog, _ dialect: any SchemaDialect
    ) throws(SQLError) {
        for name in dialect.keepsExternalFiles ? columns(in: catalog, dialect) : [] {
            // The marker x'02' and 37 more bytes are the name of a file (sqlite-store §6).
            try connection.releaseExternals([
                """
                SELECT \(name) FROM \(table) WHERE typeof(\(name)) = 'blob' \
                AND length(\(name)) = 38 AND substr(\(name), 1, 1) = x'02'
                """
            ])
        }
        if let column {
            try connection.run("ALTER TABLE \(table) DROP COLUMN \(column)")
        } else {
            try connection.run("DROP TABLE \(table)")
        }
    }

    /// Returns the columns to drop that may name files.
    private func columns(in catalog: StoreCatalog, _ dialect: any SchemaDialect) -> [SQLIdentifier] {
        if let column { return [column] }
        let bytes = dialect.type(of: .attribute(.binary)).string
        return (catalog.tables[table] ?? [:]).filter { $0.value == bytes }.keys.sorted()
    }
}
