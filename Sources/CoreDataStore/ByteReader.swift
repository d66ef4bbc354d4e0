import CoreDataValues
package import Foundation

/// A reader of the bytes that `ByteWriter` wrote. It never reads beyond their end.
package struct ByteReader {
    private let bytes: Data
    private var position: Int
    /// The beginning of every error message, such as `the file is no binary store`.
    private let complaint: String

    package init(_ bytes: Data, complaint: String) {
        self.bytes = bytes
        self.complaint = complaint
        position = bytes.startIndex
    }

    package var remaining: Int { bytes.endIndex - position }

    package func corrupt(_ reason: String) -> StoreError { StoreError(.corrupt, "\(complaint): \(reason)") }

    package mutating func byte() throws(StoreError) -> UInt8 {
        guard remaining > 0 else { throw corrupt("it ends too soon") }
        defer { position += 1 }
        return bytes[position]
    }

    package mutating func number() throws(StoreError) -> UInt64 {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while true {
            let byte = try byte()
            guard shift < 63 || byte < 2 else { throw corrupt("a number is too large") }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
            guard shift < 70 else { throw corrupt("a number is too long") }
        }
    }

    /// Reads the number of items that follow. Each takes at least one byte, so a number above that of the
    /// remaining bytes is an error.
    package mutating func count() throws(StoreError) -> Int {
        let value = try number()
        guard value <= UInt64(remaining) else { throw corrupt("it ends too soon") }
        return Int(value)
    }

    package mutating func signed() throws(StoreError) -> Int64 {
        let value = try number()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    package mutating func fixed() throws(StoreError) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<8 { value |= UInt64(try byte()) << UInt64(8 * index) }
        return value
    }

    package mutating func data() throws(StoreError) -> Data {
        let count = try count()
        defer { position += count }
        return Data(bytes[position..<position + count])
    }

    package mutating func text() throws(StoreError) -> String {
        guard let text = String(validating: try data(), as: UTF8.self) else {
            throw corrupt("a text is no UTF-8")
        }
        return text
    }

    package mutating func uuid() throws(StoreError) -> UUID {
        var uuid = UUID().uuid
        for index in 0..<16 {
            let byte = try byte()
            withUnsafeMutableBytes(of: &uuid) { $0[index] = byte }
        }
        return UUID(uuid: uuid)
    }

    package mutating func decimal() throws(StoreError) -> Decimal {
        let exponent = Int(truncatingIfNeeded: try signed())
        let isNegative = try byte() != 0
        var words: [UInt16] = []
        for _ in 0..<(try count()) { words.append(UInt16(truncatingIfNeeded: try number())) }
        guard let value = Decimal(mantissaWords: words, exponent: exponent, isNegative: isNegative) else {
            throw corrupt("a decimal number is malformed")
        }
        return value
    }
}
