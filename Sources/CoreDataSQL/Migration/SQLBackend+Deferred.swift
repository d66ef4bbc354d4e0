package import CoreDataStore

extension SQLBackend {
    /// Drops what a migration has put aside: columns and tables of an older model, with what they name outside of the
    /// database. Each piece is a transaction of its own.
    ///
    /// - Parameter isWhole: false for the next piece only.
    /// - Returns: Whether anything is left.
    package func finishMigration(isWhole: Bool) throws(StoreError) -> Bool {
        try write { connection throws(SQLError) -> Bool in
            var pieces = try DeferredPiece.all(connection)
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

/// A column or a table that nothing uses any more.
struct DeferredPiece {
    /// What such names begin with. No table or column of a store begins like this.
    static let prefix = "Z__OLD_"

    let table: String
    /// Nil for the whole table.
    let column: String?

    static func all(_ connection: any SQLConnection) throws(SQLError) -> [DeferredPiece] {
        var result: [DeferredPiece] = []
        let query: SQLFragment = """
            SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' \
            AND m.sql NOT LIKE 'CREATE VIRTUAL%' AND c.name GLOB 'Z__OLD_*' AND m.name NOT GLOB 'Z__OLD_*' \
            UNION ALL SELECT name, NULL FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z__OLD_*'
            """
        try connection.forEachRow(of: query) { row throws(SQLError) in
            guard case .text(let table) = row.value(at: 0) else { return }
            if case .text(let column) = row.value(at: 1) {
                result.append(DeferredPiece(table: table, column: column))
            } else {
                result.append(DeferredPiece(table: table, column: nil))
            }
        }
        return result
    }

    func drop(_ connection: any SQLConnection) throws(SQLError) {
        var columns: [String] = []
        if let column { columns = [column] } else { columns = try self.columns(connection) }
        for column in columns {
            let name = quoted(column)
            // Marked as naming a file (sqlite-store §6).
            try connection.releaseExternals([
                SQLFragment(
                    """
                    SELECT \(name) FROM \(quoted(table)) WHERE typeof(\(name)) = 'blob' \
                    AND length(\(name)) = 38 AND substr(\(name), 1, 1) = x'02'
                    """)
            ])
        }
        let table = quoted(table)
        if let column {
            try connection.run(
                SQLFragment("ALTER TABLE \(table) DROP COLUMN \(quoted(column))"))
        } else {
            try connection.run(SQLFragment("DROP TABLE \(table)"))
        }
    }

    private func columns(_ connection: any SQLConnection) throws(SQLError) -> [String] {
        var result: [String] = []
        let query: SQLFragment =
            "SELECT name FROM pragma_table_info(\(bind: .text(table))) WHERE type = 'BLOB'"
        try connection.forEachRow(of: query) { row throws(SQLError) in
            if case .text(let name) = row.value(at: 0) { result.append(name) }
        }
        return result
    }
}
