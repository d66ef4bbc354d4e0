import CoreDataLibpq
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Foundation

/// The values of many rows, column by column: the parameters of a statement that writes all of the rows.
final class ColumnArrays: SQLParameters {
    private let types: [PostgreSQLType]
    private var columns: [ArrayElements]
    /// The index of the present row.
    private var row = -1

    /// - Parameters:
    ///   - placeholders: The placeholders of one row.
    ///   - rows: The number of rows that are to be bound.
    init(_ placeholders: [SQLPlaceholder], rows: Int) {
        types = placeholders.map { $0.type ?? .bytea }
        columns = types.map { ArrayElements($0, rows: rows) }
    }

    /// Begins a row, whose values are null until they are bound.
    func beginRow() { row += 1 }

    func bind(_ value: SQLValue, at index: Int) throws(SQLError) {
        try value.requireForm(of: types[index - 1])
        columns[index - 1].set(value, row: row)
    }

    func bind(_ number: Int64, at index: Int) throws(SQLError) {
        guard types[index - 1] == .int8 else { return try bind(.integer(number), at: index) }
        columns[index - 1].set(number, row: row)
    }

    func bind(_ row: Snapshot, columns: [Int], from first: Int) throws(SQLError) {
        try row.forEach(columns, from: first) { column, index throws(SQLError) in
            if try !bindPacked(row, column, at: index) {
                try bind(stored: SQLValue(stored: column, of: row), at: index)
            }
        }
    }

    /// Binds a column of a packed row without unpacking it; returns false if its form is not the array's.
    private func bindPacked(_ values: Snapshot, _ column: Int, at index: Int) throws(SQLError) -> Bool {
        let (words, layout) = (values.words, values.columnLayouts + column)
        guard !Snapshot.mask(.null, column, in: words) else { return false }
        let value = words + layout.pointee.offset
        switch (layout.pointee.storage, types[index - 1]) {
        case (.integer, .int8): columns[index - 1].set(Int64(bitPattern: value.pointee), row: row)
        case (.reference, .int8): columns[index - 1].set(Int64(bitPattern: value[1]), row: row)
        case (.double, .float8):
            let number = Double(bitPattern: value.pointee)
            if number.isNaN { return false }
            columns[index - 1].set(number, row: row)
        case (.text, .text):
            let bytes = Snapshot.bytes(column, layout, in: words)
            try SQLValue.requireText(bytes)
            columns[index - 1].set(bytes, row: row)
        case (.uuid, .uuid):
            let bytes = UnsafeRawBufferPointer(start: value, count: MemoryLayout<uuid_t>.size)
            columns[index - 1].set(bytes, row: row)
        case (.bytes, .bytea): columns[index - 1].set(Snapshot.bytes(column, layout, in: words), row: row)
        default: return false
        }
        return true
    }

    /// The parameters: an array for each column.
    var parameters: ParameterList {
        var list = ParameterList()
        for var column in columns {
            column.fill(to: row + 1)
            list.append(column)
        }
        return list
    }

    /// The placeholders of the arrays, to stand in `unnest`.
    var placeholders: SQLText { repeatElement("?" as SQLText, count: columns.count).joined(separator: ", ") }
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
}

extension ArrayElements {
    /// Sets a value that has the form of the type.
    fileprivate mutating func set(_ value: SQLValue, row: Int) {
        switch type {
        case .int8: set(value: value.integer, row: row)
        case .float8: set(value: value.double, row: row)
        case .numeric: set(value: value.decimal, row: row)
        case .text: set(value: value.text, row: row)
        case .uuid: set(value: value.uuid, row: row)
        default: set(value: value.data, row: row)
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
