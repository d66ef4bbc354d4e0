import CoreDataLibpq
import CoreDataSQL

/// The values of many rows, column by column: each column is one parameter.
struct ColumnArrays: ParameterColumns {
    private var columns: [ArrayElements]
    /// The index of the present row.
    private var row = -1

    /// - Parameters:
    ///   - types: The types of the values of one row.
    ///   - rows: The number of rows that are to be set.
    init(_ types: [PostgreSQLType], rows: Int) {
        columns = types.map { ArrayElements($0, rows: rows) }
    }

    /// Begins a row, whose values are null until they are set.
    mutating func beginRow() { row += 1 }

    mutating func set(_ number: Int64, at column: Int) { columns[column].set(number, row: row) }
    mutating func set(_ number: Double, at column: Int) { columns[column].set(number, row: row) }
    mutating func set(_ bytes: UnsafeRawBufferPointer, at column: Int) {
        columns[column].set(bytes, row: row)
    }
    mutating func set<Value: BinaryValue>(value: Value?, at column: Int) {
        columns[column].set(value: value, row: row)
    }

    var parameters: ParameterList {
        var list = ParameterList()
        for var column in columns {
            column.fill(to: row + 1)
            list.append(column)
        }
        return list
    }
}

extension ParameterList {
    /// Makes the parameters of a statement that takes rows as arrays.
    ///
    /// - Parameters:
    ///   - types: The types of the values of one row.
    ///   - bind: Binds the values of a row.
    init<Rows: Collection>(
        arraysOf rows: Rows, _ types: [PostgreSQLType],
        _ bind: (Rows.Element, any SQLParameters) throws(SQLError) -> Void
    ) throws(SQLError) {
        let parameters = RowParameters(types, ColumnArrays(types, rows: rows.count))
        for row in rows {
            parameters.columns.beginRow()
            try bind(row, parameters)
        }
        self = parameters.columns.parameters
    }
}

extension Array<PostgreSQLType> {
    /// The types of the values that stand at placeholders.
    init(_ placeholders: [SQLPlaceholder]) { self = placeholders.map { $0.type ?? .bytea } }
}

extension SQLText {
    /// Rows that come as arrays, one a column, as a source of FROM.
    static func arrays(_ width: Int) -> SQLText {
        "unnest(\(repeatElement("?" as SQLText, count: width).joined(separator: ", ")))"
    }
}
