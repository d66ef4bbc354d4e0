import CoreDataModelFormat
package import CoreDataPredicates
import CoreDataValues
import Synchronization

extension BareCondition {
    /// Returns whether a row meets the condition; nil if only the general evaluation can tell.
    /// - Parameters:
    ///   - words: The words of a row that stays alive and is not written during the call.
    ///   - layout: Returns the row's layout. It is called only when a key is read in that layout for the
    ///     first time.
    package func holds(
        in words: UnsafeMutablePointer<UInt64>, of layoutID: UInt32, _ layout: () -> RowLayout
    ) -> Bool? {
        holds { key in
            let cached = BareColumn(bits: key.memo.load(ordering: .relaxed))
            return (cached.layoutID == layoutID ? cached : BareColumn.find(key, in: layout())).value(
                in: words)
        }
    }
}

/// The column that a key reads in the rows of one entity, packed into one word. Each key caches it for the
/// entity that was read last.
private struct BareColumn {
    enum Kind: UInt64 { case other, integer, double, date, text }

    let bits: UInt64

    var layoutID: UInt32 { UInt32(truncatingIfNeeded: bits >> 32) }
    var kind: UInt64 { bits >> 29 & 7 }
    var column: Int { Int(truncatingIfNeeded: bits >> 15 & 0x3FFF) }
    var offset: Int { Int(truncatingIfNeeded: bits & 0x7FFF) }

    @inline(never)
    static func find(_ key: borrowing BareKey, in layout: RowLayout) -> BareColumn {
        var bits = UInt64(layout.id) << 32
        if let column = layout.entity.slot(named: key.name)?.column {
            let found = layout.columns[column]
            let kind: Kind =
                switch found.type {
                case .integer16, .integer32, .integer64, .boolean: .integer
                case .double, .float: .double
                case .date: .date
                case .string: .text
                default: .other
                }
            if column <= 0x3FFF, found.offset <= 0x7FFF {
                bits |= kind.rawValue << 29 | UInt64(column) << 15 | UInt64(found.offset)
            }
        }
        key.memo.store(bits, ordering: .relaxed)
        return BareColumn(bits: bits)
    }

    @inline(__always)
    func value(in words: UnsafeMutablePointer<UInt64>) -> BareValue {
        let kind = self.kind
        if kind == Kind.other.rawValue { return .other }
        if Snapshot.mask(.null, column, in: words) {
            // If the null stands for a value that cannot be read, the general evaluation reports it.
            return Snapshot.mask(.native, column, in: words) ? .other : .null
        }
        if kind == Kind.integer.rawValue { return .integer(Int64(bitPattern: words[offset])) }
        if kind == Kind.double.rawValue { return .double(Double(bitPattern: words[offset])) }
        if kind == Kind.date.rawValue { return .date(Double(bitPattern: words[offset])) }
        return .text(Snapshot.text(column, at: offset, in: words))
    }
}
