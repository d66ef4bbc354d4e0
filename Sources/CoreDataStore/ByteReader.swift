import CoreDataStore
import Foundation

/// Reads what `ByteWriter` wrote, and never beyond the end.
struct ByteReader {
    private let bytes: Data
    private var position: Int

    init(_ bytes: Data) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var remaining: Int { bytes.endIndex - position }

    mutating func byte() throws(StoreError) -> UInt8 {
        guard remaining > 0 else { throw BinaryStoreFormat.corrupt("it ends too soon") }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func number() throws(StoreError) -> UInt64 {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while true {
            let byte = try byte()
            guard shift < 63 || byte < 2 else { throw BinaryStoreFormat.corrupt("a number is too large") }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
            guard shift < 70 else { throw BinaryStoreFormat.corrupt("a number is too long") }
        }
    }

    /// A number of things of at least one byte each, so that there cannot be more than there are bytes.
    mutating func count() throws(StoreError) -> Int {
        let value = try number()
        guard value <= UInt64(remaining) else { throw BinaryStoreFormat.corrupt("it ends too soon") }
        return Int(value)
    }

    mutating func signed() throws(StoreError) -> Int64 {
        let value = try number()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    mutating func fixed() throws(StoreError) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<8 { value |= UInt64(try byte()) << UInt64(8 * index) }
        return value
    }

    mutating func data() throws(StoreError) -> Data {
        let count = try count()
        defer { position += count }
        return Data(bytes[position..<position + count])
    }

    mutating func text() throws(StoreError) -> String {
        guard let text = String(validating: try data(), as: UTF8.self) else {
            throw BinaryStoreFormat.corrupt("a text is no UTF-8")
        }
        return text
    }
}
