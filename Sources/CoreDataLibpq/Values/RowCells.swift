import CLibpq
package import CoreDataSQL
import CoreDataValues
import Foundation

/// The cells of one row of a result, in libpq's memory. They are valid until the next row is read.
package struct RowCells {
    private let cells: UnsafePointer<opencoredata_cell>
    package let count: Int

    init(_ cells: UnsafePointer<opencoredata_cell>, count: Int) {
        self.cells = cells
        self.count = count
    }

    package func isNull(_ column: Int) -> Bool { cells[column].start == nil }

    /// Returns the bytes of a cell, without copying them; none for null.
    package func bytes(_ column: Int) -> UnsafeRawBufferPointer {
        let cell = cells[column]
        return UnsafeRawBufferPointer(start: cell.start, count: Int(cell.length))
    }

    /// Returns a value; nil for null, and for bytes that are no value of the type.
    package func value<Value: BinaryValue>(_ column: Int, as type: Value.Type = Value.self) -> Value? {
        isNull(column) ? nil : Value(binary: bytes(column))
    }

    /// Returns an integer of any width; 0 for null.
    package func integer(_ column: Int) -> Int64 { value(column) ?? 0 }

    /// Returns the elements of an array of one dimension; nil for null and for other arrays.
    package func array<Value: BinaryValue>(_ column: Int, of type: Value.Type = Value.self) -> [Value?]? {
        let bytes = bytes(column)
        func word(_ offset: Int) -> Int {
            Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)))
        }
        let header = 12
        guard bytes.count >= header else { return nil }
        if word(0) == 0 { return [] }
        guard word(0) == 1, bytes.count >= header + 8 else { return nil }
        var offset = header + 8
        var result: [Value?] = []
        result.reserveCapacity(word(header))
        for _ in 0..<word(header) {
            let length = word(offset)
            offset += 4
            guard length >= 0 else {
                result.append(nil)
                continue
            }
            result.append(Value(binary: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])))
            offset += length
        }
        return result
    }
}

extension SQLValue {
    /// Makes the value of a cell: a `numeric` as text where a double would lose digits, and all that is neither
    /// a number nor a text as its bytes.
    package init(_ cells: RowCells, _ column: Int, as type: PostgreSQLType) {
        let value: SQLValue? =
            switch type {
            case .bool, .int2, .int4, .int8: cells.value(column).map(SQLValue.integer)
            // NaN, which infinite numbers may add up to, is null, as in every store.
            case .float8: cells.value(column).flatMap { $0.isNaN ? nil : SQLValue.double($0) }
            case .text: cells.value(column).map(SQLValue.text)
            case .numeric: cells.value(column).map { SQLValue(numeric: $0) }
            default: cells.value(column).map(SQLValue.blob)
            }
        self = value ?? .null
    }

    private init(numeric number: Decimal) {
        self = number.nearestDouble.map(SQLValue.double) ?? .text(number.description)
    }
}
