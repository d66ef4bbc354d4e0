/// What references became, most of them temporary ones of a save.
///
/// Every row of a save is looked up several times, which `Dictionary` makes dear by hashing against attackers; who
/// chooses these keys is the framework. Open addressing with linear probing; nothing is ever taken out.
package struct ReferenceMap: Sendable, ExpressibleByDictionaryLiteral {
    /// Vacant if `former` is of no entity.
    private struct Entry {
        var former: ObjectReference
        var current: ObjectReference

        static let vacant = Entry(
            former: ObjectReference(entity: -1, key: 0), current: ObjectReference(entity: -1, key: 0))
    }

    /// A power of two of them, or none.
    private var entries: ContiguousArray<Entry> = []
    package private(set) var count = 0

    package init(minimumCapacity: Int = 0) {
        if minimumCapacity > 0 { resize(for: minimumCapacity) }
    }

    package init(dictionaryLiteral elements: (ObjectReference, ObjectReference)...) {
        for (former, current) in elements { self[former] = current }
    }

    package var isEmpty: Bool { count == 0 }

    package subscript(former: ObjectReference) -> ObjectReference? {
        get {
            guard count > 0 else { return nil }
            let entry = entries[position(former)]
            return entry.former.entity < 0 ? nil : entry.current
        }
        set {
            guard let newValue else { preconditionFailure("what a reference became is not forgotten") }
            if (count + 1) * 2 > entries.count { resize(for: count + 1) }
            let position = position(former)
            if entries[position].former.entity < 0 { count += 1 }
            entries[position] = Entry(former: former, current: newValue)
        }
    }

    package func forEach(_ body: (_ former: ObjectReference, _ current: ObjectReference) -> Void) {
        for entry in entries where entry.former.entity >= 0 { body(entry.former, entry.current) }
    }

    /// Where a reference is, or would be: there is always a vacant entry.
    private func position(_ reference: ObjectReference) -> Int {
        let mask = entries.count - 1
        // Keys are handed out and asked for one after the other: neighbours lie together, and multiplying spreads those
        // that are not evenly.
        let bits = UInt64(bitPattern: reference.key)
        let spread = ((bits >> 3) &* 0x9E37_79B9_7F4A_7C15) >> 32
        var position = Int(truncatingIfNeeded: spread << 3 | bits & 7) & mask
        while entries[position].former != reference, entries[position].former.entity >= 0 {
            position = (position + 1) & mask
        }
        return position
    }

    private mutating func resize(for count: Int) {
        var capacity = 16
        while capacity < count * 2 { capacity *= 2 }
        let former = entries
        entries = ContiguousArray(repeating: .vacant, count: capacity)
        for entry in former where entry.former.entity >= 0 { entries[position(entry.former)] = entry }
    }
}
