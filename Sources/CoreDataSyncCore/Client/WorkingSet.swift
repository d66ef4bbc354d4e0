/// What a step is about to ask of a ledger, so that one that is on disk reads it at once and not one by one. What is
/// missing here is read when it is asked for.
package struct WorkingSet: Sendable {
    /// Names of objects in the store, whose IDs are asked for, and their entries.
    package var names: Set<LocalKey> = []
    package var entries: Set<ItemKey> = []
    /// Objects whose referrers are asked for, with their entries.
    package var referrers: Set<SyncID> = []
    /// Objects whose pairs are asked for, with their entries.
    package var pairs: Set<SyncID> = []

    package init(
        names: Set<LocalKey> = [], entries: some Sequence<ItemKey> = [], referrers: Set<SyncID> = [],
        pairs: Set<SyncID> = []
    ) {
        self.names = names
        self.entries = Set(entries)
        self.referrers = referrers
        self.pairs = pairs
    }

    /// Adds an object of the store, and what it leads to.
    mutating func add(_ row: CapturedRow) {
        names.insert(row.local)
        for case .object(let target) in row.values.values { names.insert(target) }
        for members in row.lists.values { names.formUnion(members) }
        for partners in row.partners.values { names.formUnion(partners) }
    }

    /// Adds a received item, and what it leads to.
    mutating func add(_ key: ItemKey, _ state: ItemState) {
        entries.insert(key)
        switch key {
        case .pair(_, let first, let second): entries.formUnion([.object(first), .object(second)])
        case .object:
            for register in state.registers.values {
                if let target = register.value.reference { entries.insert(.object(target)) }
            }
            if let alias = state.alias { entries.insert(.object(alias)) }
        }
    }
}
