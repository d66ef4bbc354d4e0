// Reading a row by its words, for who has those at hand and not the row. They have to be those of a row that lives.
extension Snapshot {
    /// The masks that a row has of each 64 columns, in order.
    @frozen
    package enum Mask: Int {
        case null, tail, native
    }

    @inlinable @inline(__always)
    package static func mask(_ mask: Mask, _ column: Int, in words: UnsafeMutablePointer<UInt64>) -> Bool {
        words[3 * (column >> 6) + mask.rawValue] & (1 << UInt64(truncatingIfNeeded: column & 63)) != 0
    }

    /// The bytes of a text or blob where they lie; nil if they are native.
    /// - Parameter offset: The first word of the column.
    @inline(__always)
    package static func packedBytes(
        _ column: Int, at offset: Int, in words: UnsafeMutablePointer<UInt64>
    ) -> UnsafeRawBufferPointer? {
        let slot = UnsafeRawPointer(words + offset)
        if mask(.tail, column, in: words) {
            let start = Int(slot.load(as: UInt32.self))
            let count = Int(slot.load(fromByteOffset: 4, as: UInt32.self))
            return UnsafeRawBufferPointer(start: UnsafeRawPointer(words) + start, count: count)
        }
        if mask(.native, column, in: words), !mask(.null, column, in: words) { return nil }
        return UnsafeRawBufferPointer(
            start: slot, count: Int(slot.load(fromByteOffset: inlineCapacity, as: UInt8.self)))
    }

    package static func string(
        _ column: Int, at offset: Int, in words: UnsafeMutablePointer<UInt64>
    ) -> String {
        if let bytes = packedBytes(column, at: offset, in: words) {
            return String(decoding: bytes.assumingMemoryBound(to: UInt8.self), as: UTF8.self)
        }
        return UnsafeRawPointer(words + offset).load(as: String.self)
    }

    package static func withText<Result>(
        _ column: Int, at offset: Int, in words: UnsafeMutablePointer<UInt64>,
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        if let bytes = packedBytes(column, at: offset, in: words) {
            return body(bytes.assumingMemoryBound(to: UInt8.self))
        }
        var text = UnsafeRawPointer(words + offset).load(as: String.self)
        return text.withUTF8(body)
    }
}
