/// A ledger with entries that are to be changed, so that a large one is neither copied nor written for a plan.
package struct LedgerDraft<Ledger: LedgerReading>: LedgerReading {
    private let ledger: Ledger
    /// The entries that differ; nil for items that are gone.
    package private(set) var entries: [ItemKey: LedgerEntry?] = [:]
    private var index = LedgerIndex()

    package init(of ledger: Ledger) {
        self.ledger = ledger
    }

    package func load(_ set: WorkingSet) { ledger.load(set) }

    package func entry(_ key: ItemKey) -> LedgerEntry? { entries[key] ?? ledger.entry(key) }

    package mutating func set(_ entry: LedgerEntry?, for key: ItemKey) {
        if case .some(.some(let old)) = entries[key] { index.remove(old, for: key) }
        if let entry { index.insert(entry, for: key) }
        entries[key] = .some(entry)
    }

    /// Forgets what differs, since the ledger has it now.
    package mutating func removeAll() {
        entries = [:]
        index = LedgerIndex()
    }

    package func referrers(of target: SyncID) -> [SyncID] {
        let old = ledger.referrers(of: target).filter { entries[.object($0)] == nil }
        let new = index.referrers(of: target)
        return new.isEmpty ? old : (old + new).sorted()
    }

    package func pairs(of object: SyncID) -> [ItemKey] {
        let old = ledger.pairs(of: object).filter { entries[$0] == nil }
        let new = index.pairs(of: object)
        return new.isEmpty ? old : (old + new).sorted()
    }
}

extension LedgerDraft: Sendable where Ledger: Sendable {}
