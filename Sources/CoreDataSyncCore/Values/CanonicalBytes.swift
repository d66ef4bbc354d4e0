/// The bytes of values, by which they are hashed and ordered: equal for equal values, different for
/// different ones, alike on all systems.
struct CanonicalBytes {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ value: SyncValue) {
        switch value {
        case .null: bytes.append(0)
        case .boolean(let value): bytes += [1, value ? 1 : 0]
        case .integer(let value): append(2, UInt64(bitPattern: value))
        case .double(let bits): append(3, bits)
        case .decimal(let value): append(4, value.text)
        case .string(let value): append(5, value)
        case .date(let bits): append(6, bits)
        case .data(let value): append(7, value)
        case .uuid(let id): append(8, id)
        case .uri(let text): append(9, text)
        case .reference(let id): append(10, id)
        case .blob(let hash, let size):
            append(11, hash)
            append(size)
        case .position(let owner, let key):
            append(12, owner)
            append(12, key.bytes)
        case .composite(let elements):
            append(13, UInt64(elements.count))
            for element in elements {
                append(13, element.name)
                append(element.value)
            }
        }
    }

    mutating func append(_ word: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
        }
    }

    mutating func append(_ stamp: Stamp) {
        append(stamp.time.word)
        append(stamp.replica.high)
        append(stamp.replica.low)
    }

    private mutating func append(_ kind: UInt8, _ word: UInt64) {
        bytes.append(kind)
        append(word)
    }

    private mutating func append(_ kind: UInt8, _ id: SyncID) {
        append(kind, id.high)
        append(id.low)
    }

    mutating func append(_ kind: UInt8, _ text: String) {
        append(kind, UInt64(text.utf8.count))
        bytes += text.utf8
    }

    private mutating func append(_ kind: UInt8, _ data: [UInt8]) {
        append(kind, UInt64(data.count))
        bytes += data
    }

    /// A 64-bit hash (FNV-1a with a last mixing), the same on all systems and in all versions.
    var hash: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
        return hash ^ hash >> 31
    }
}

extension SyncValue {
    /// A hash that is the same on all systems, by which a replica knows values that it has seen.
    package var stableHash: UInt64 {
        var bytes = CanonicalBytes()
        bytes.append(self)
        return bytes.hash
    }
}
