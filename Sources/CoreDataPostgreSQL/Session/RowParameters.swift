import CoreDataLibpq
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Foundation

/// The values of rows in the server's binary form: those of one row, arrays of many, or rows that are copied.
protocol ParameterColumns {
    mutating func set(_ number: Int64, at column: Int)
    mutating func set(_ number: Double, at column: Int)
    /// Sets a text, or bytes as they are.
    mutating func set(_ bytes: UnsafeRawBufferPointer, at column: Int)
    mutating func set<Value: BinaryValue>(value: Value?, at column: Int)
}

extension ParameterList: ParameterColumns {}
extension CopiedRows: ParameterColumns {}

/// The parameters of a statement that writes rows, each in the type of its column.
final class RowParameters<Columns: ParameterColumns>: SQLParameters {
    private let types: [PostgreSQLType]
    var columns: Columns

    /// - Parameter types: The types of the values of one row.
    init(_ types: [PostgreSQLType], _ columns: Columns) {
        self.types = types
        self.columns = columns
    }

    func bind(_ value: SQLValue, at index: Int) throws(SQLError) {
        let column = index - 1
        let type = types[column]
        try value.requireForm(of: type)
        switch type {
        case .int8: columns.set(value: value.integer, at: column)
        case .float8: columns.set(value: value.double, at: column)
        case .numeric: columns.set(value: value.decimal, at: column)
        case .text: columns.set(value: value.text, at: column)
        case .uuid: columns.set(value: value.uuid, at: column)
        default: columns.set(value: value.data, at: column)
        }
    }

    func bind(_ number: Int64, at index: Int) throws(SQLError) {
        guard types[index - 1] == .int8 else { return try bind(.integer(number), at: index) }
        columns.set(number, at: index - 1)
    }

    func bind(_ row: Snapshot, columns: [Int], from first: Int) throws(SQLError) {
        try row.forEach(columns, from: first) { column, index throws(SQLError) in
            if try !bindPacked(row, column, at: index) {
                try bind(stored: SQLValue(stored: column, of: row), at: index)
            }
        }
    }

    /// Binds a column of a packed row without unpacking it; returns false if its form is not the parameter's.
    private func bindPacked(_ row: Snapshot, _ column: Int, at index: Int) throws(SQLError) -> Bool {
        let (words, layout) = (row.words, row.columnLayouts + column)
        guard !Snapshot.mask(.null, column, in: words) else { return false }
        let value = words + layout.pointee.offset
        switch (layout.pointee.storage, types[index - 1]) {
        case (.integer, .int8): columns.set(Int64(bitPattern: value.pointee), at: index - 1)
        case (.reference, .int8): columns.set(Int64(bitPattern: value[1]), at: index - 1)
        case (.double, .float8):
            let number = Double(bitPattern: value.pointee)
            if number.isNaN { return false }
            columns.set(number, at: index - 1)
        case (.text, .text):
            let bytes = Snapshot.bytes(column, layout, in: words)
            try SQLValue.requireText(bytes)
            columns.set(bytes, at: index - 1)
        case (.uuid, .uuid):
            columns.set(
                UnsafeRawBufferPointer(start: value, count: MemoryLayout<uuid_t>.size), at: index - 1)
        case (.bytes, .bytea): columns.set(Snapshot.bytes(column, layout, in: words), at: index - 1)
        default: return false
        }
        return true
    }
}

extension Snapshot {
    /// Passes columns to a closure, each with the position of its parameter. The error of a value that cannot be
    /// stored names the property.
    func forEach(
        _ columns: [Int], from first: Int, _ bind: (_ column: Int, _ index: Int) throws(SQLError) -> Void
    ) throws(SQLError) {
        for (offset, column) in columns.enumerated() {
            do throws(SQLError) {
                try bind(column, first + offset)
            } catch {
                throw error.naming(self, column)
            }
        }
    }
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
