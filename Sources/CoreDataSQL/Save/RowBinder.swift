import CoreDataModelFormat
package import CoreDataStore
package import CoreDataValues

extension SQLError {
    /// Returns the error with the name of the property whose value cannot be stored.
    ///
    /// - Parameter path: The names that lead to an element of a composite attribute.
    package func naming(_ row: Snapshot, _ column: Int, _ path: [String] = []) -> SQLError {
        guard kind == .invalidValue else { return self }
        let entity = row.layout.entity
        let name = ([entity.name, entity.columns[column].name] + path).joined(separator: ".")
        return SQLError(kind: kind, code: code, message: "\(name): \(message)", sql: nil)
    }
}

/// The binding of packed rows to the parameters of a `RowStatement`, with permanent keys in place of
/// temporary ones.
package struct RowBinder {
    private let compiler: SaveCompiler
    private let permanent: ReferenceMap

    package init(_ compiler: SaveCompiler, _ permanent: ReferenceMap = [:]) {
        self.compiler = compiler
        self.permanent = permanent
    }

    /// Binds the rows of an insert, one behind the other.
    ///
    /// - Parameter rows: The rows; their references may be temporary.
    package func bindInserts(
        _ rows: InsertedRows, _ indices: Range<Int>, _ text: RowStatement, _ table: EntityTable,
        to parameters: any SQLParameters
    ) throws(SQLError) {
        var position = 1
        try rows.forEach(indices) { row, reference throws(SQLError) in
            let key = permanent.current(reference).key
            position = try bindInsert(row, key, text, table, from: position, to: parameters)
        }
    }

    /// Binds one row of an insert, with version 0 for a new row; returns the next free position.
    @discardableResult
    package func bindInsert(
        _ row: Snapshot,
        _ key: Int64,
        _ text: RowStatement,
        _ table: EntityTable,
        from first: Int = 1,
        to parameters: any SQLParameters
    ) throws(SQLError) -> Int {
        try parameters.bind(key, at: first)
        try parameters.bind(table.number, at: first + 1)
        try parameters.bind(row.version &+ 1, at: first + 2)
        return try bind(row, text, from: first + RowStatement.insertPrefix, to: parameters)
    }

    /// Binds one row of an update.
    ///
    /// - Parameter version: The version that the row is expected to have.
    package func bindUpdate(
        _ row: Snapshot, _ key: Int64, _ version: Int64, _ text: RowStatement,
        to parameters: any SQLParameters
    ) throws(SQLError) {
        let next = try bind(row, text, from: 1, to: parameters)
        try parameters.bind(version &+ 1, at: next)
        try parameters.bind(key, at: next + 1)
        try parameters.bind(version, at: next + 2)
    }

    /// Binds the row's columns, the entity numbers of its to-ones, and the elements of composites; returns the
    /// next free position.
    private func bind(
        _ row: Snapshot, _ text: RowStatement, from first: Int, to parameters: any SQLParameters
    ) throws(SQLError) -> Int {
        try parameters.bind(row, columns: text.columns, from: first)
        if row.hasReferences, !permanent.isEmpty {
            for (offset, column) in text.columns.enumerated()
            where row.columnLayouts[column].storage == .reference {
                guard let reference = row.toOne(column), reference.isTemporary else { continue }
                let key = permanent[reference].map { SQLValue.integer($0.key) } ?? .null
                try parameters.bind(key, at: first + offset)
            }
        }
        var position = first + text.columns.count
        for column in text.entityColumns {
            let reference = row.toOne(column).map { permanent[$0] ?? $0 }
            let number = reference.flatMap { compiler.schema[$0.entity]?.number }
            try parameters.bind(number.map(SQLValue.integer) ?? .null, at: position)
            position += 1
        }
        var composite: (column: Int, value: AttributeValue)?
        for element in text.elements {
            let known = composite.flatMap { $0.column == element.column ? $0.value : nil }
            let value = known ?? row.value(element.column)
            composite = (element.column, value)
            do throws(SQLError) {
                let value = SQLValue(value.element(at: element.stored.path)) ?? .null
                try parameters.bind(stored: value, at: position)
            } catch {
                throw error.naming(row, element.column, element.stored.path)
            }
            position += 1
        }
        return position
    }
}
