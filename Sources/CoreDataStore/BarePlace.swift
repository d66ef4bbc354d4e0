import CoreDataModelFormat
package import CoreDataPredicates
import CoreDataValues
import Synchronization

/// Where the value of a key lies in the rows of an entity, in one word, which the key remembers for one entity at a
/// time.
@frozen
package struct BarePlace: Sendable {
    @usableFromInline enum Kind: UInt64 { case other, integer, double, date, text }

    @usableFromInline let bits: UInt64

    @inlinable var kind: Kind { Kind(rawValue: bits >> 29 & 7) ?? .other }
    @inlinable var column: Int { Int(truncatingIfNeeded: bits >> 15 & 0x3FFF) }
    @inlinable var offset: Int { Int(truncatingIfNeeded: bits & 0x7FFF) }

    /// What the key remembers; nil unless that is the place in rows of the layout with the ID.
    @inlinable @inline(__always)
    package static func remembered(by key: PropertyKey, for layoutID: UInt32) -> BarePlace? {
        let bits = key.memo.load(ordering: .relaxed)
        return UInt32(truncatingIfNeeded: bits >> 32) == layoutID ? BarePlace(bits: bits) : nil
    }

    package static func of(_ key: PropertyKey, in layout: RowLayout) -> BarePlace {
        remembered(by: key, for: layout.id) ?? BarePlace(bits: find(key, in: layout))
    }

    @usableFromInline
    init(bits: UInt64) {
        self.bits = bits
    }

    private static func find(_ key: PropertyKey, in layout: RowLayout) -> UInt64 {
        var bits = UInt64(layout.id) << 32
        if let column = layout.entity.slot(named: key.name)?.column {
            let place = layout.columns[column]
            let kind: Kind =
                switch place.type {
                case .integer16, .integer32, .integer64, .boolean: .integer
                case .double, .float: .double
                case .date: .date
                case .string: .text
                default: .other
                }
            if column <= 0x3FFF, place.offset <= 0x7FFF {
                bits |= kind.rawValue << 29 | UInt64(column) << 15 | UInt64(place.offset)
            }
        }
        key.memo.store(bits, ordering: .relaxed)
        return bits
    }

    // MARK: Reading rows, by their words

    @inlinable @inline(__always)
    package func value(in words: UnsafeMutablePointer<UInt64>) -> BareValue {
        let kind = self.kind
        if kind == .other { return .other }
        if Snapshot.mask(.null, column, in: words) { return null(in: words) }
        let word = words[offset]
        switch kind {
        case .integer: return .integer(Int64(bitPattern: word))
        case .double: return .double(Double(bitPattern: word))
        case .date: return .date(Double(bitPattern: word))
        case .text: return .text
        case .other: return .other
        }
    }

    package func meets(_ test: TextTest, in words: UnsafeMutablePointer<UInt64>) -> Bool? {
        guard kind == .text else { return nil }
        if Snapshot.mask(.null, column, in: words) {
            guard case .null = null(in: words) else { return nil }
            return test.holdsForNull
        }
        return Snapshot.withText(column, at: offset, in: words) { test.holds(for: $0) }
    }

    /// A null that stands for a value that cannot be read has to be reported.
    @inlinable
    func null(in words: UnsafeMutablePointer<UInt64>) -> BareValue {
        Snapshot.mask(.native, column, in: words) ? .other : .null
    }
}
