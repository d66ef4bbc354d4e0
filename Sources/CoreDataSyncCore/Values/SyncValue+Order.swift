/// A total order of all values: null, then by kind, then by size. Which kind comes first has no meaning, but
/// has to be the same everywhere.
extension SyncValue: Comparable {
    package static func < (first: SyncValue, second: SyncValue) -> Bool {
        switch (first, second) {
        case (.integer(let a), .integer(let b)): a < b
        case (.double(let a), .double(let b)), (.date(let a), .date(let b)): sortable(a) < sortable(b)
        case (.decimal(let a), .decimal(let b)): a < b
        case (.string(let a), .string(let b)), (.uri(let a), .uri(let b)): a.isBefore(b)
        default: bytes(of: first).lexicographicallyPrecedes(bytes(of: second))
        }
    }

    /// Returns bits whose order as numbers is that of the doubles, with NaN first.
    private static func sortable(_ bits: UInt64) -> UInt64 {
        if Double(bitPattern: bits).isNaN { return 0 }
        return bits >> 63 == 1 ? ~bits : bits | 1 << 63
    }

    private static func bytes(of value: SyncValue) -> [UInt8] {
        var bytes = CanonicalBytes()
        bytes.append(value)
        return bytes.bytes
    }
}
