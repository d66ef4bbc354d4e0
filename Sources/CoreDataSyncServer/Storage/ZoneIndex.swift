/// The index rows that a transaction knows: those that it has read, with what it has changed since.
struct ZoneIndex {
    /// What the database does not have yet.
    struct Difference {
        private(set) var added: Set<ZoneIndexRow> = []
        private(set) var removed: Set<ZoneIndexRow> = []

        mutating func change(_ row: ZoneIndexRow, isThere: Bool) {
            if isThere {
                if removed.remove(row) == nil { added.insert(row) }
            } else {
                if added.remove(row) == nil { removed.insert(row) }
            }
        }
    }

    /// The rows that answer a question, of those that were read.
    private var known: [ZoneLookup: Set<ZoneIndexRow>] = [:]
    private(set) var difference = Difference()
    /// The same by the questions, which may be read later.
    private var differences: [ZoneLookup: Difference] = [:]

    /// Returns the rows that answer a question; nil if they were not read.
    func rows(_ lookup: ZoneLookup) -> Set<ZoneIndexRow>? { known[lookup] }

    /// Notes what the database has.
    mutating func note(_ rows: Set<ZoneIndexRow>, for lookup: ZoneLookup) {
        let difference = differences[lookup] ?? Difference()
        known[lookup] = rows.subtracting(difference.removed).union(difference.added)
    }

    /// Replaces the rows of an item.
    mutating func replace(_ old: Set<ZoneIndexRow>, by new: Set<ZoneIndexRow>) {
        for row in old.subtracting(new) { change(row, isThere: false) }
        for row in new.subtracting(old) { change(row, isThere: true) }
    }

    private mutating func change(_ row: ZoneIndexRow, isThere: Bool) {
        difference.change(row, isThere: isThere)
        guard let lookup = row.lookup else { return }
        differences[lookup, default: Difference()].change(row, isThere: isThere)
        if isThere { known[lookup]?.insert(row) } else { known[lookup]?.remove(row) }
    }

    /// Notes that the database has what was changed.
    mutating func settle() { (difference, differences) = (Difference(), [:]) }
}
