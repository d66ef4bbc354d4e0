/// Rows in the binary form in which a `COPY` takes them.
///
/// The cells of a row are set in the order of the columns; one that is not set has null. Bytes are those of the
/// column's own type: the server converts nothing.
package struct CopiedRows: Sendable {
    /// The types of the table's columns.
    private let types: [PostgreSQLType]
    /// The rows, with the head of the form before the first one, until they are taken.
    private var bytes: [UInt8]
    /// The column after the last one that was set.
    private var next: Int
    /// Whether a number did not fit its column.
    private var hasOverflow = false

    package init(_ types: [PostgreSQLType]) {
        self.types = types
        next = types.count
        // A signature, flags, and the length of more that may follow.
        bytes = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
    }

    /// Whether the rows are to be sent before others are added.
    package var isFull: Bool { bytes.count >= Self.capacity }

    /// The bytes of which the network and the processor's caches make the most.
    private static let capacity = 1 << 16

    /// What comes after rows that were added.
    package enum Progress {
        case more
        case complete
        /// Neither more rows nor those that were added before.
        case abandoned
    }

    /// Begins a row, after the nulls that the one before it ends with.
    package mutating func beginRow() {
        skip(to: types.count)
        next = 0
        Int16(truncatingIfNeeded: types.count).write(to: &bytes)
    }

    package mutating func set(_ number: Int64, at column: Int) {
        begin(column)
        guard types[column] == .int2 else { return bytes.appendCell(word: UInt64(bitPattern: number)) }
        hasOverflow = hasOverflow || Int16(exactly: number) == nil
        bytes.appendCell(Int16(truncatingIfNeeded: number))
    }

    package mutating func set(_ number: Double, at column: Int) {
        begin(column)
        bytes.appendCell(word: number.bitPattern)
    }

    /// Sets a text, or bytes as they are.
    package mutating func set(_ value: UnsafeRawBufferPointer, at column: Int) {
        begin(column)
        bytes.appendCell(value)
    }

    package mutating func set<Value: BinaryValue>(value: Value?, at column: Int) {
        guard let value else { return skip(to: column + 1) }
        if let number = value as? Int64 { return set(number, at: column) }
        begin(column)
        bytes.appendCell(value)
    }

    /// Passes the bytes to a closure and forgets them.
    mutating func take<Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        var failure: Failure?
        bytes.withUnsafeBytes { bytes in
            do throws(Failure) { try body(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
        bytes.removeAll(keepingCapacity: true)
    }

    /// Ends the last row, and all rows.
    ///
    /// - Throws: `outOfRange` if a number did not fit its column.
    mutating func end() throws(PostgreSQLError) {
        guard !hasOverflow else {
            throw PostgreSQLError(kind: .outOfRange, message: "a number is out of its column's range")
        }
        skip(to: types.count)
        Int16(-1).write(to: &bytes)
    }

    private mutating func begin(_ column: Int) {
        precondition(column >= next, "the cells of a copied row are set in the order of the columns")
        skip(to: column)
        next = column + 1
    }

    /// Appends nulls up to a column.
    private mutating func skip(to column: Int) {
        while next < column {
            bytes.appendNullCell()
            next += 1
        }
    }
}
