/// What waits with objects of which the store takes nothing.
extension ImportPlanner {
    /// Returns the received items that hang together with some objects: all that can change what the store
    /// shows of them. The way to them leads through objects that are shown as they are no further.
    func receivedItems(around objects: Set<SyncID>) -> Set<ItemKey> {
        guard !objects.isEmpty else { return [] }
        let links = receivedLinks()
        var found = objects
        var open = objects
        while let id = open.popFirst() {
            for neighbour in links[id, default: []].union(knownLinks(of: id))
            where isUnsettled(neighbour) && found.insert(neighbour).inserted {
                open.insert(neighbour)
            }
        }
        return Set(
            ledger.inbox.items.keys.filter { key in
                switch key {
                case .object(let id): found.contains(id)
                case .pair(_, let first, let second): found.contains(first) || found.contains(second)
                }
            })
    }

    /// Whether an import may change whether the store shows an object, or what it shows of it.
    private func isUnsettled(_ id: SyncID) -> Bool {
        let entry = ledger.entry(.object(id))
        return ledger.inbox[.object(id)] != nil || entry?.isAlive ?? false != (entry?.local != nil)
    }

    /// Returns the objects that each one refers to, is referred to by, or is paired with by what was received.
    private func receivedLinks() -> [SyncID: Set<SyncID>] {
        var links: [SyncID: Set<SyncID>] = [:]
        func link(_ first: SyncID, _ second: SyncID) {
            links[first, default: []].insert(second)
            links[second, default: []].insert(first)
        }
        for (key, item) in ledger.inbox.items {
            switch key {
            case .pair(_, let first, let second): link(first, second)
            case .object(let id):
                for target in item.state.registers.values.compactMap(\.value.reference) { link(id, target) }
                if let alias = item.state.alias { link(id, alias) }
            }
        }
        return links
    }

    /// Returns such objects by what the ledger knows.
    private func knownLinks(of id: SyncID) -> Set<SyncID> {
        var result = Set(ledger.referrers(of: id)).union(ledger.entry(.object(id))?.targets ?? [])
        for case .pair(_, let first, let second) in ledger.pairs(of: id) {
            result.insert(first == id ? second : first)
        }
        return result
    }
}
