import CoreDataModelFormat
package import CoreDataPredicates
import CoreDataValues
import Synchronization

/// Where the value of a key lies in the rows of an entity, in one word, which the key remembers for one entity at a
/// time.
package struct BarePlace: Sendable {
    private enum Kind: UInt64 { case other, integer, double, date, text }

    private let bits: UInt64

    private var layoutID: UInt32 { UInt32(truncatingIfNeeded: bits >> 32) }
    private var kind: Kind { Kind(rawValue: bits >> 29 & 7) ?? .other }
    private var column: Int { Int(truncatingIfNeeded: bits >> 15 & 0x3FFF) }
    private var offset: Int { Int(truncatingIfNeeded: bits & 0x7FFF) }

    /// The place in rows of a layout whose ID is known.
    @inline(__always)
    package init(of key: PropertyKey, in layout: @autoclosure () -> RowLayout, id layoutID: UInt32) {
        let memo = key.memo.load(ordering: .relaxed)
        if UInt32(truncatingIfNeeded: memo >> 32) == layoutID {
            bits = memo
        } else {
            bits = Self.find(key, in: layout())
        }
    }

    package init(of key: PropertyKey, in layout: RowLayout) {
        self.init(of: key, in: layout, id: layout.id)
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
    private func null(in words: UnsafeMutablePointer<UInt64>) -> BareValue {
        Snapshot.mask(.native, column, in: words) ? .other : .null
    }
}
