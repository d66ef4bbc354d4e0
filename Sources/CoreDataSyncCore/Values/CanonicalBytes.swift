/// What takes the bytes of values: equal for equal values, different for different ones, alike on all systems.
protocol CanonicalSink {
    mutating func append(byte: UInt8)
    mutating func append(bytes: some Collection<UInt8>)
}

/// The bytes themselves, for what has to be ordered or hashed cryptographically.
struct CanonicalBytes: CanonicalSink {
    private(set) var bytes: [UInt8] = []

    mutating func append(byte: UInt8) { bytes.append(byte) }
    mutating func append(bytes more: some Collection<UInt8>) { bytes += more }
}

/// A 64-bit hash of the bytes (FNV-1a with a last mixing), the same on all systems and in all versions.
struct CanonicalHash: CanonicalSink {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func append(byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    mutating func append(bytes: some Collection<UInt8>) { for byte in bytes { append(byte: byte) } }

    var value: UInt64 {
        var hash = state
        hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
        return hash ^ hash >> 31
    }
}

extension CanonicalSink {
    mutating func append(_ value: SyncValue) {
        switch value {
        case .null: append(byte: 0)
        case .boolean(let value):
            append(byte: 1)
            append(byte: value ? 1 : 0)
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
            append(byte: UInt8(truncatingIfNeeded: word >> UInt64(shift)))
        }
    }

    mutating func append(_ stamp: Stamp) {
        append(stamp.time.word)
        append(stamp.replica.high)
        append(stamp.replica.low)
    }

    mutating func append(_ kind: UInt8, _ text: String) {
        append(kind, UInt64(text.utf8.count))
        append(bytes: text.utf8)
    }

    private mutating func append(_ kind: UInt8, _ word: UInt64) {
        append(byte: kind)
        append(word)
    }

    private mutating func append(_ kind: UInt8, _ id: SyncID) {
        append(kind, id.high)
        append(id.low)
    }

    private mutating func append(_ kind: UInt8, _ data: [UInt8]) {
        append(kind, UInt64(data.count))
        append(bytes: data)
    }
}

extension SyncValue {
    /// A hash that is the same on all systems, by which a replica knows values that it has seen.
    package var stableHash: UInt64 {
        var hash = CanonicalHash()
        hash.append(self)
        return hash.value
    }
}
