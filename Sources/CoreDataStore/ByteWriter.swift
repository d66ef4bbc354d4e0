import CoreDataValues
package import Foundation

/// A writer that appends numbers, texts and data to a sequence of bytes.
package struct ByteWriter {
    package var bytes = Data()

    package init() {}

    /// Appends a variable-length number (LEB128): seven bits a byte, the lowest first.
    package mutating func number(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    package mutating func count(_ value: Int) { number(UInt64(value)) }

    /// Appends a signed number in zigzag encoding, in which small numbers of either sign are short.
    package mutating func signed(_ value: Int64) {
        number(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }

    /// Appends eight bytes, the lowest first.
    package mutating func fixed(_ value: UInt64) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func data(_ value: Data) {
        count(value.count)
        bytes.append(value)
    }

    package mutating func text(_ value: String) {
        count(value.utf8.count)
        bytes.append(contentsOf: value.utf8)
    }

    package mutating func uuid(_ value: UUID) {
        withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
    }

    package mutating func decimal(_ value: Decimal) {
        signed(Int64(value.exponent))
        bytes.append(value.sign == .minus ? 1 : 0)
        let words = value.mantissaWords
        count(words.count)
        for word in words { number(UInt64(word)) }
    }
}
