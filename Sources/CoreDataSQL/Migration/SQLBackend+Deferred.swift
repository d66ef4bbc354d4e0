package import CoreDataStore

extension SQLBackend {
    /// Drops what a migration has put aside: columns and tables of an older model, with the external files
    /// they name.
    ///
    /// Each piece is a transaction of its own.
    ///
    /// - Parameter isWhole: False for the next piece only.
    /// - Returns: Whether anything is left.
    package func finishMigration(isWhole: Bool) throws(StoreError) -> Bool {
        try write { connection throws(SQLError) -> Bool in
            var pieces = try DeferredPiece.all(connection).filter { !schema.uses($0) }
            while let piece = pieces.popLast() {
                try connection.begin(.immediate)
                try piece.drop(connection)
                try connection.commit()
                if !isWhole { break }
            }
            return !pieces.isEmpty
        }
    }
}

extension StoreSchema {
    /// Returns whether an entity or attribute of the model happens to have such a name.
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

/// A column or a table that nothing uses any more.
struct DeferredPiece {
    /// The beginning of such names, which hardly any table or column of a store has.
    static let prefix = "Z__OLD_"

    let table: SQLIdentifier
    /// The column; nil for the whole table.
    let column: SQLIdentifier?

    static func all(_ connection: any SQLConnection) throws(SQLError) -> [DeferredPiece] {
        var result: [DeferredPiece] = []
        let query: SQLFragment = """
            SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c \
            WHERE \(PlainTable.condition("m")) AND c.name GLOB 'Z__OLD_*' AND m.name NOT GLOB 'Z__OLD_*' \
            UNION ALL SELECT name, NULL FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z__OLD_*'
            """
        try connection.forEachRow(of: query) { row throws(SQLError) in
            guard case .text(let table) = row.value(at: 0) else { return }
            let column: SQLIdentifier? =
                if case .text(let name) = row.value(at: 1) { SQLIdentifier(name) } else { nil }
            result.append(DeferredPiece(table: SQLIdentifier(table), column: column))
        }
        return result
    }

    func drop(_ connection: any SQLConnection) throws(SQLError) {
        let columns = if let column { [column] } else { try columns(connection) }
        for name in columns {
            // Marked as naming a file (sqlite-store §6).
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

    private func columns(_ connection: any SQLConnection) throws(SQLError) -> [SQLIdentifier] {
        var result: [SQLIdentifier] = []
        let query: SQLFragment =
            "SELECT name FROM pragma_table_info(\(bind: .text(table.name))) WHERE type = 'BLOB'"
        try connection.forEachRow(of: query) { row throws(SQLError) in
            if case .text(let name) = row.value(at: 0) { result.append(SQLIdentifier(name)) }
        }
        return result
    }
}
