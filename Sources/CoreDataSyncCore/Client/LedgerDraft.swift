/// A ledger with entries that are to be changed, so that a large one is neither copied nor written for a plan.
struct LedgerDraft<Ledger: LedgerReading>: LedgerReading {
    private let ledger: Ledger
    /// The entries that differ; nil for items that are gone.
    private(set) var entries: [ItemKey: LedgerEntry?] = [:]
    private var index = LedgerIndex()

    init(of ledger: Ledger) {
        self.ledger = ledger
    }

    func entry(_ key: ItemKey) -> LedgerEntry? { entries[key] ?? ledger.entry(key) }

    mutating func set(_ entry: LedgerEntry?, for key: ItemKey) {
        if case .some(.some(let old)) = entries[key] { index.remove(old, for: key) }
        if let entry { index.insert(entry, for: key) }
        entries[key] = .some(entry)
    }

    func referrers(of target: SyncID) -> [SyncID] {
        let old = ledger.referrers(of: target).filter { entries[.object($0)] == nil }
        let new = index.referrers(of: target)
        return new.isEmpty ? old : (old + new).sorted()
    }

    func pairs(of object: SyncID) -> [ItemKey] {
        let old = ledger.pairs(of: object).filter { entries[$0] == nil }
        let new = index.pairs(of: object)
        return new.isEmpty ? old : (old + new).sorted()
    }
}
