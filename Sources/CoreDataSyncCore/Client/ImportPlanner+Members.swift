/// Ordered members and pairs of what is shown.
extension ImportPlanner {
    mutating func planLists(_ affected: [SyncID]) {
        var owners: Set<SyncID> = []
        for id in affected {
            owners.insert(id)
            for entry in [ledger.entry(.object(id)), merged.entry(.object(id))] {
                for register in entry?.registers.values.map(\.self) ?? [] {
                    if let target = register.kept?.reference { owners.insert(merged.resolved(target)) }
                }
            }
        }
        for owner in owners.sorted() where isShown(owner) {
            guard let entry = merged.entry(.object(owner)) else { continue }
            let collections = schema.entities[entry.entity]?.collections ?? [:]
            for (name, rule) in collections.sorted(by: { $0.key.isBefore($1.key) }) where rule.isOrdered {
                // The object of the store may have stood for another one until now.
                let earlier = entry.local.flatMap { ledger.id(of: $0) }
                let before = earlier.map { LedgerOrder(ledger: ledger).members(of: $0, rule).map(\.id) } ?? []
                let after = LedgerOrder(ledger: merged).members(of: owner, rule) { id, _ in isShown(id) }
                    .map(\.id)
                if before != after {
                    plan.lists.append(
                        ImportPlan.List(owner: owner, relationship: name, expected: before, members: after))
                }
            }
        }
    }

    mutating func planPairs(_ affected: [SyncID]) {
        var keys = Set(merged.entries.keys.filter { $0.object == nil })
        for id in affected { keys.formUnion(merged.pairs(of: id)) }
        for key in keys.sorted() {
            guard case .pair(_, let first, let second) = key, var entry = merged.entry(key) else { continue }
            let isPresent = entry.isPresent && isShown(first) && isShown(second)
            if isPresent != entry.isShown {
                plan.pairs.append(ImportPlan.Pair(key: key, isPresent: isPresent))
            }
            entry.isShown = isPresent
            set(entry, key)
        }
    }
}
