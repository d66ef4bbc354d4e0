import CoreDataModelFormat
package import CoreDataStore
import CoreDataValues

extension SQLBackend {
    /// Makes the indexes that a migration has left, and drops the columns and tables of an older model that it
    /// has put aside, with the external files they name.
    ///
    /// Each is made or dropped in a transaction of its own.
    ///
    /// - Parameter isWhole: Whether to finish all of them; false finishes the next one only.
    /// - Returns: Whether anything is left.
    package func finishMigration(isWhole: Bool) throws(StoreError) -> Bool {
        if dialect.makesIndexesConcurrently, try makeIndexes(isWhole: isWhole), !isWhole { return true }
        return try write { connection throws(SQLError) -> Bool in
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

    /// Makes the indexes of the model that the store lacks, while others write to their tables, and returns
    /// whether there were any.
    ///
    /// An index whose making broke off is there, but invalid. It is dropped and made again.
    private func makeIndexes(isWhole: Bool) throws(StoreError) -> Bool {
        let wanted = try schema.wantedIndexes(dialect)
        var hasMade = false
        var broken: MigrationViolation?
        do throws(SQLError) {
            try pool.writeAlone { connection throws(SQLError) in
                let validity = Dictionary(
                    try dialect.definitions(on: connection).indexes.map { ($0.name, $0.isValid) },
                    uniquingKeysWith: { first, _ in first })
                for index in wanted where validity[index.name] != true {
                    if validity[index.name] == false {
                        try connection.execute("DROP INDEX CONCURRENTLY \(index.name)")
                    }
                    do throws(SQLError) {
                        try connection.execute(index.concurrentStatement)
                    } catch {
                        guard error.kind == .constraint else { throw error }
                        broken = index.violation(in: schema.model)
                        return
                    }
                    hasMade = true
                    if !isWhole { return }
                }
            }
        } catch {
            throw translate(error)
        }
        guard let broken else { return hasMade }
        throw StoreError(broken, path: path)
    }
}

extension StoreSchema {
    /// Returns the indexes that a new store of the model has, whose entities have the numbers of this one.
    func wantedIndexes(_ dialect: any SQLDialect) throws(StoreError) -> [IndexDefinition] {
        let numbers = Dictionary(
            uniqueKeysWithValues: entities.compactMap { $0.map { ($0.entity, $0.number) } })
        return try SchemaCompiler(
            model, subset: Set(numbers.keys), numbers: EntityNumbers(numbers), dialect: dialect
        ).compile().indexes
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
