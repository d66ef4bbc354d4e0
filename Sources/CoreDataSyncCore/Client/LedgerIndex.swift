/// The entries of a ledger by the objects that they name.
struct LedgerIndex: Hashable, Sendable {
    private var referrers: [SyncID: Set<SyncID>] = [:]
    private var pairs: [SyncID: Set<ItemKey>] = [:]

    mutating func insert(_ entry: LedgerEntry, for key: ItemKey) { set(entry, key, true) }

    mutating func remove(_ entry: LedgerEntry, for key: ItemKey) { set(entry, key, false) }

    private mutating func set(_ entry: LedgerEntry, _ key: ItemKey, _ isIn: Bool) {
        switch key {
        case .pair(_, let first, let second):
            pairs.set(key, isIn, of: first)
            pairs.set(key, isIn, of: second)
        case .object(let id): for target in entry.targets { referrers.set(id, isIn, of: target) }
        }
    }

    func referrers(of target: SyncID) -> Set<SyncID> { referrers[target] ?? [] }
    func pairs(of object: SyncID) -> Set<ItemKey> { pairs[object] ?? [] }
}
