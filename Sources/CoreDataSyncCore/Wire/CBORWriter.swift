/// A writer of the deterministic subset of CBOR (RFC 8949 §4.2): shortest lengths, sorted keys, doubles of
/// eight bytes, no tags. Equal trees give equal bytes, so that a repeated message is known by its hash.
package enum CBORWriter {
    package static func bytes(of value: WireValue) -> [UInt8] {
        var bytes: [UInt8] = []
        write(value, to: &bytes)
        return bytes
    }

    private static func write(_ value: WireValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(0xF6)
        case .boolean(let value): bytes.append(value ? 0xF5 : 0xF4)
        case .integer(let value) where value >= 0: head(0, UInt64(value), to: &bytes)
        case .integer(let value): head(1, UInt64(-1 - value), to: &bytes)
        case .double(let bits):
            bytes.append(0xFB)
            withUnsafeBytes(of: bits.bigEndian) { bytes.append(contentsOf: $0) }
        case .bytes(let value):
            head(2, UInt64(value.count), to: &bytes)
            bytes += value
        case .text(let value):
            head(3, UInt64(value.utf8.count), to: &bytes)
            bytes += value.utf8
        case .array(let elements):
            head(4, UInt64(elements.count), to: &bytes)
            for element in elements { write(element, to: &bytes) }
        case .map(let members):
            head(5, UInt64(members.count), to: &bytes)
            for member in members {
                write(.text(member.key), to: &bytes)
                write(member.value, to: &bytes)
            }
        }
    }

    /// Writes the kind of a value and its number or length in as few bytes as it takes.
    private static func head(_ kind: UInt8, _ number: UInt64, to bytes: inout [UInt8]) {
        let (info, count): (UInt8, UInt64) =
            switch number {
            case 0..<24: (UInt8(number), 0)
            case 0...0xFF: (24, 1)
            case 0...0xFFFF: (25, 2)
            case 0...0xFFFF_FFFF: (26, 4)
            default: (27, 8)
            }
        bytes.append(kind << 5 | info)
        for index in 0..<count {
            bytes.append(UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - index))))
        }
    }
}
