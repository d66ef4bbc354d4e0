/// The elements of an array of one dimension, in the server's binary form: a column of many rows.
///
/// Rows come one after the other. The element of the last one can be set again; a row whose element is not set has
/// null. Elements of the common types have functions of their own, which are as fast from other modules.
package struct ArrayElements: Sendable {
    package let type: PostgreSQLType
    private var bytes: [UInt8] = []
    /// The number of elements appended.
    private var count = 0
    /// The place of the last element in `bytes`.
    private var last = 0
    private var hasNull = false

    /// - Parameter rows: The number of rows for which there is to be room, if their values are as long as numbers.
    package init(_ type: PostgreSQLType, rows: Int = 0) {
        self.type = type
        bytes.reserveCapacity(rows * (MemoryLayout<Int32>.size + MemoryLayout<Int64>.size))
    }

    package mutating func set(_ number: Int64, row: Int) {
        begin(row)
        bytes.appendCell(word: UInt64(bitPattern: number))
    }

    package mutating func set(_ number: Double, row: Int) {
        begin(row)
        bytes.appendCell(word: number.bitPattern)
    }

    /// Sets a text, or bytes as they are.
    package mutating func set(_ value: UnsafeRawBufferPointer, row: Int) {
        begin(row)
        bytes.appendCell(value)
    }

    package mutating func set<Value: BinaryValue>(value: Value?, row: Int) {
        guard let value else { return setNull(row: row) }
        begin(row)
        bytes.appendCell(value)
    }

    package mutating func setNull(row: Int) {
        begin(row)
        appendNull()
    }

    /// Begins the element of a row, in the place of one that it has. Rows before it that have none get null.
    private mutating func begin(_ row: Int) {
        if count > row {
            bytes.removeLast(bytes.count - last)
        } else {
            fill(to: row)
            count += 1
        }
        last = bytes.count
    }

    /// Appends nulls until there are as many elements as rows.
    package mutating func fill(to rows: Int) {
        while count < rows {
            last = bytes.count
            count += 1
            appendNull()
        }
    }

    private mutating func appendNull() {
        hasNull = true
        bytes.appendNullCell()
    }

    func write(to bytes: inout [UInt8]) {
        for word: Int32 in count == 0 ? [0, 0] : [1, hasNull ? 1 : 0] { word.write(to: &bytes) }
        Int32(bitPattern: type.rawValue).write(to: &bytes)
        guard count > 0 else { return }
        // The number of elements, and the index of the first.
        Int32(count).write(to: &bytes)
        Int32(1).write(to: &bytes)
        bytes.append(contentsOf: self.bytes)
    }
}
