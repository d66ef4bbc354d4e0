import CoreDataLibpq
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Foundation

/// The values of many rows, column by column: the parameters of a statement that writes all of the rows.
final class ColumnArrays: SQLParameters {
    private let types: [PostgreSQLType]
    private var columns: [[SQLValue]]
    private(set) var rowCount = 0

    /// - Parameter placeholders: The placeholders of one row.
    init(_ placeholders: [SQLPlaceholder]) {
        types = placeholders.map { $0.type ?? .bytea }
        columns = Array(repeating: [], count: types.count)
    }

    /// Begins a row, whose values are null until they are bound.
    func beginRow() {
        rowCount += 1
        for index in columns.indices { columns[index].append(.null) }
    }

    func bind(_ value: SQLValue, at index: Int) throws(SQLError) {
        try value.requireForm(of: types[index - 1])
        columns[index - 1][rowCount - 1] = value
    }

    func bind(_ number: Int64, at index: Int) throws(SQLError) { try bind(.integer(number), at: index) }

    func bind(_ row: Snapshot, columns: [Int], from first: Int) throws(SQLError) {
        try bindEach(row, columns: columns, from: first)
    }

    /// The parameters: an array for each column.
    var parameters: ParameterList {
        var list = ParameterList()
        for (type, values) in zip(types, columns) { list.append(values, as: type) }
        return list
    }

    /// The placeholders of the arrays, to stand in `unnest`.
    var placeholders: SQLText { repeatElement("?" as SQLText, count: columns.count).joined(separator: ", ") }
}

extension SQLValue {
    /// Reads a column of a packed row in the form that is stored.
    init(stored column: Int, of row: Snapshot) {
        if let unreadable = row.unreadableValue(column) {
            self = .blob(unreadable.stored)
        } else {
            self = SQLValue(row.value(column)) ?? .null
        }
    }
}

extension ParameterList {
    /// Appends an array of values, each in the form of the type, which all of them have.
    fileprivate mutating func append(_ values: [SQLValue], as type: PostgreSQLType) {
        switch type {
        case PostgreSQLType.int8: append(array: values.map(\.integer))
        case PostgreSQLType.float8: append(array: values.map(\.double))
        case PostgreSQLType.numeric: append(array: values.map(\.decimal))
        case PostgreSQLType.text: append(array: values.map(\.text))
        case PostgreSQLType.uuid: append(array: values.map(\.uuid))
        default: append(array: values.map(\.data))
        }
    }
}

extension SQLValue {
    fileprivate var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// The number; nil for NaN, which every store has as null.
    fileprivate var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number) where !number.isNaN: number
        default: nil
        }
    }

    fileprivate var decimal: Decimal? {
        switch self {
        case .integer(let number): Decimal(number)
        case .double(let number) where number.isFinite: Decimal(written: number)
        case .text(let digits): Decimal(string: digits)
        default: nil
        }
    }

    fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }

    fileprivate var uuid: UUID? { data.flatMap { data in data.withUnsafeBytes { UUID(binary: $0) } } }

    fileprivate var data: Data? { if case .blob(let data) = self { data } else { nil } }
}
