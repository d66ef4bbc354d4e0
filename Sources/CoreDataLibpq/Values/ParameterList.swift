import CLibpq

/// The parameters of one statement, packed in the server's binary form.
package struct ParameterList: Sendable, Hashable {
    package private(set) var types: [PostgreSQLType] = []
    private var bytes: [UInt8] = []
    /// The place of each value in `bytes`; nil for null.
    private var ranges: [Range<Int>?] = []

    /// The greatest number of parameters that the protocol allows.
    static let limit = Int(UInt16.max)

    package init() {}

    /// Makes parameters that are null until they are set.
    package init(_ types: [PostgreSQLType]) {
        self.types = types
        ranges = Array(repeating: nil, count: types.count)
        bytes.reserveCapacity(types.count * 2 * MemoryLayout<Int64>.size)
    }

    package init(_ values: any BinaryValue...) {
        for value in values { append(value) }
    }

    package var count: Int { types.count }

    package mutating func append<Value: BinaryValue>(_ value: Value?) {
        append(as: Value.type) { bytes in
            guard let value else { return false }
            value.write(to: &bytes)
            return true
        }
    }

    /// Appends null of a type; nil lets the server infer it.
    package mutating func appendNull(as type: PostgreSQLType?) {
        append(as: type ?? PostgreSQLType(rawValue: 0)) { _ in false }
    }

    /// Appends an array of one dimension.
    package mutating func append<Value: BinaryValue>(array values: [Value?]) {
        var elements = ArrayElements(Value.type)
        for (row, value) in values.enumerated() { elements.set(value: value, row: row) }
        append(elements)
    }

    package mutating func append(_ array: ArrayElements) {
        append(as: array.type.array) { bytes in
            array.write(to: &bytes)
            return true
        }
    }

    private mutating func append(as type: PostgreSQLType, _ write: (inout [UInt8]) -> Bool) {
        let start = bytes.count
        types.append(type)
        ranges.append(write(&bytes) ? start..<bytes.count : nil)
    }

    // MARK: Values that replace others

    package mutating func set(_ number: Int64, at index: Int) {
        set(index) { bytes in number.write(to: &bytes) }
    }

    package mutating func set(_ number: Double, at index: Int) {
        set(index) { bytes in number.write(to: &bytes) }
    }

    /// Sets a text, or bytes as they are.
    package mutating func set(_ value: UnsafeRawBufferPointer, at index: Int) {
        set(index) { bytes in bytes.append(contentsOf: value) }
    }

    package mutating func set<Value: BinaryValue>(value: Value?, at index: Int) {
        guard let value else {
            ranges[index] = nil
            return
        }
        set(index) { bytes in value.write(to: &bytes) }
    }

    private mutating func set(_ index: Int, _ write: (inout [UInt8]) -> Void) {
        let start = bytes.count
        write(&bytes)
        ranges[index] = start..<bytes.count
    }

    /// Calls a function of libpq with the parameters in the form that it takes.
    func withPointers<Result>(
        _ body: (
            _ count: Int32, _ values: UnsafePointer<UnsafePointer<CChar>?>, _ lengths: UnsafePointer<Int32>,
            _ formats: UnsafePointer<Int32>
        ) -> Result
    ) -> Result {
        let lengths = ranges.map { Int32($0?.count ?? 0) }
        let formats = ranges.map { _ in ResultFormat.binary }
        // A value without bytes needs an address, too. Without an address it would be null.
        return (bytes.isEmpty ? [0] : bytes).withUnsafeBytes { bytes in
            let start = bytes.baseAddress!.assumingMemoryBound(to: CChar.self)
            let values = ranges.map { range in range.map { start + $0.lowerBound } }
            return body(Int32(ranges.count), values, lengths, formats)
        }
    }
}

/// The numbers by which libpq names the forms of values.
enum ResultFormat {
    static let text: Int32 = 0
    static let binary: Int32 = 1
}
