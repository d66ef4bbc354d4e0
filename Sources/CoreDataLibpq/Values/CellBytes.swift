/// Values in the server's binary form, each after its length in bytes: elements of arrays, and cells of copied rows.
extension [UInt8] {
    /// Appends a number of eight bytes, the length and the value at once.
    mutating func appendCell(word: UInt64) {
        let (high, low) = (UInt32(truncatingIfNeeded: word >> 32), UInt32(truncatingIfNeeded: word))
        Swift.withUnsafeBytes(of: (UInt32(8).bigEndian, high.bigEndian, low.bigEndian)) {
            append(contentsOf: $0)
        }
    }

    /// Appends a text, or bytes as they are.
    mutating func appendCell(_ value: UnsafeRawBufferPointer) {
        Int32(truncatingIfNeeded: value.count).write(to: &self)
        append(contentsOf: value)
    }

    mutating func appendCell<Value: BinaryValue>(_ value: Value) {
        let place = count
        Int32(0).write(to: &self)
        value.write(to: &self)
        let length = Int32(count - place - MemoryLayout<Int32>.size).bigEndian
        withUnsafeMutableBytes { $0.storeBytes(of: length, toByteOffset: place, as: Int32.self) }
    }

    mutating func appendNullCell() { Int32(-1).write(to: &self) }
}
