/// A ledger with entries that are to be changed, so that a large one is neither copied nor written for a plan.
struct LedgerDraft<Ledger: LedgerReading>: LedgerReading {
    private let ledger: Ledger
    /// The entries that differ; nil for items that are gone.
    private(set) var entries: [ItemKey: LedgerEntry?] = [:]
    private var referrers: [SyncID: Set<SyncID>] = [:]
    private var pairs: [SyncID: Set<ItemKey>] = [:]

    init(of ledger: Ledger) {
        self.ledger = ledger
    }

    func entry(_ key: ItemKey) -> LedgerEntry? { entries[key] ?? ledger.entry(key) }

    mutating func set(_ entry: LedgerEntry?, for key: ItemKey) {
        if case .some(.some(let old)) = entries[key] { index(key, old, false) }
        if let entry { index(key, entry, true) }
        entries[key] = .some(entry)
    }

    func referrers(of target: SyncID) -> [SyncID] {
        let old = ledger.referrers(of: target).filter { entries[.object($0)] == nil }
        guard let new = referrers[target], !new.isEmpty else { return old }
        return (old + new).sorted()
    }

    func pairs(of object: SyncID) -> [ItemKey] {
        let old = ledger.pairs(of: object).filter { entries[$0] == nil }
        guard let new = pairs[object], !new.isEmpty else { return old }
        return (old + new).sorted()
    }

    private mutating func index(_ key: ItemKey, _ entry: LedgerEntry, _ isIn: Bool) {
        switch key {
        case .pair(_, let first, let second):
            pairs[first, default: []].set(key, isIn)
            pairs[second, default: []].set(key, isIn)
        case .object(let id): for target in entry.targets { referrers[target, default: []].set(id, isIn) }
        }
    }
}
