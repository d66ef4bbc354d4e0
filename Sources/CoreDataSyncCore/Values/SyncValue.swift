/// The value of a register, in the one form in which it is compared, hashed and sent.
///
/// Numbers with two spellings have one here: `canonical` makes it. Strings are equal if their bytes are.
package enum SyncValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(UInt64)
    case decimal(CanonicalDecimal)
    case string(String)
    /// Seconds since 2001, as the bits of a double.
    case date(UInt64)
    case data([UInt8])
    case uuid(SyncID)
    case uri(String)
    /// Another object.
    case reference(SyncID)
    /// Bytes that are stored apart, by their SHA-256 and size.
    case blob(hash: [UInt8], size: UInt64)
    /// The place of a member among those of the owner that it was made for.
    case position(owner: SyncID, key: OrderKey)
    /// The elements of a composite attribute or of a group, sorted by name.
    case composite([Element])

    package struct Element: Hashable, Sendable {
        package let name: String
        package let value: SyncValue

        package init(_ name: String, _ value: SyncValue) {
            self.name = name
            self.value = value
        }
    }

    package static func real(_ value: Double) -> SyncValue { .double(Self.bits(of: value)) }
    package static func date(seconds: Double) -> SyncValue { .date(Self.bits(of: seconds)) }

    /// Makes a composite of elements in any order. Of elements with equal names the last counts.
    package static func group(_ elements: [String: SyncValue]) -> SyncValue {
        .composite(elements.map { Element($0.key, $0.value) }.sorted { $0.name.isBefore($1.name) })
    }

    /// Returns the bits of a number, with one NaN and no negative zero.
    package static func bits(of value: Double) -> UInt64 {
        value.isNaN ? Double.nan.bitPattern : value == 0 ? 0 : value.bitPattern
    }

    package var isNull: Bool { self == .null }

    package var reference: SyncID? {
        if case .reference(let id) = self { id } else { nil }
    }

    package static func == (first: SyncValue, second: SyncValue) -> Bool {
        switch (first, second) {
        case (.null, .null): true
        case (.boolean(let a), .boolean(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.double(let a), .double(let b)), (.date(let a), .date(let b)): a == b
        case (.decimal(let a), .decimal(let b)): a == b
        case (.string(let a), .string(let b)), (.uri(let a), .uri(let b)): a.hasSameBytes(as: b)
        case (.data(let a), .data(let b)): a == b
        case (.uuid(let a), .uuid(let b)), (.reference(let a), .reference(let b)): a == b
        case (.blob(let a, let n), .blob(let b, let m)): a == b && n == m
        case (.position(let a, let k), .position(let b, let l)): a == b && k == l
        case (.composite(let a), .composite(let b)): a == b
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(stableHash)
    }
}

extension String {
    /// Compares bytes. Swift's own comparison takes strings for equal that differ in normalization, and the
    /// order must be the same on all systems.
    func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
    package func isBefore(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
