import Foundation

/// Appends numbers, texts and data to a file in the making.
struct ByteWriter {
    var bytes = Data()

    /// Seven bits a byte, the lowest first.
    mutating func number(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func count(_ value: Int) { number(UInt64(value)) }

    /// Zigzag: small numbers of either sign are short.
    mutating func signed(_ value: Int64) { number(UInt64(bitPattern: (value << 1) ^ (value >> 63))) }

    /// Eight bytes, the lowest first.
    mutating func fixed(_ value: UInt64) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func data(_ value: Data) {
        count(value.count)
        bytes.append(value)
    }

    mutating func text(_ value: String) {
        count(value.utf8.count)
        bytes.append(contentsOf: value.utf8)
    }
}
