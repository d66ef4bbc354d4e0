package import Foundation

/// A value that the server reads and writes in its binary form.
package protocol BinaryValue: Sendable {
    /// The server's type for the value as a parameter.
    static var type: PostgreSQLType { get }

    func write(to bytes: inout [UInt8])

    /// Reads a cell; nil if its bytes are not those of such a value.
    ///
    /// The caller knows the type of the cell from its statement.
    init?(binary bytes: UnsafeRawBufferPointer)
}

extension BinaryValue where Self: FixedWidthInteger {
    package func write(to bytes: inout [UInt8]) {
        withUnsafeBytes(of: bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Reads an integer of any width whose value fits.
    package init?(binary bytes: UnsafeRawBufferPointer) {
        switch bytes.count {
        case 8: self.init(exactly: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
        case 4: self.init(exactly: Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case 2: self.init(exactly: Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case 1: self.init(exactly: bytes[0])
        default: return nil
        }
    }
}

extension Int16: BinaryValue {
    package static var type: PostgreSQLType { .int2 }
}

extension Int32: BinaryValue {
    package static var type: PostgreSQLType { .int4 }
}

extension Int64: BinaryValue {
    package static var type: PostgreSQLType { .int8 }
}

extension Bool: BinaryValue {
    package static var type: PostgreSQLType { .bool }

    package func write(to bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }

    package init?(binary bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 1 else { return nil }
        self = bytes[0] != 0
    }
}

extension Double: BinaryValue {
    package static var type: PostgreSQLType { .float8 }

    package func write(to bytes: inout [UInt8]) {
        withUnsafeBytes(of: bitPattern.bigEndian) { bytes.append(contentsOf: $0) }
    }

    package init?(binary bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 8 else { return nil }
        self.init(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    }
}

extension String: BinaryValue {
    package static var type: PostgreSQLType { .text }

    package func write(to bytes: inout [UInt8]) { bytes.append(contentsOf: utf8) }

    package init?(binary bytes: UnsafeRawBufferPointer) {
        self.init(decoding: bytes, as: UTF8.self)
    }
}

extension Data: BinaryValue {
    package static var type: PostgreSQLType { .bytea }

    package func write(to bytes: inout [UInt8]) { bytes.append(contentsOf: self) }

    package init?(binary bytes: UnsafeRawBufferPointer) { self.init(bytes) }
}

extension UUID: BinaryValue {
    package static var type: PostgreSQLType { .uuid }

    package func write(to bytes: inout [UInt8]) {
        withUnsafeBytes(of: uuid) { bytes.append(contentsOf: $0) }
    }

    package init?(binary bytes: UnsafeRawBufferPointer) {
        guard bytes.count == MemoryLayout<uuid_t>.size else { return nil }
        self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
}
