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
        loadMembers(of: owners)
        for owner in owners.sorted() where isShown(owner) {
            guard let entry = merged.entry(.object(owner)) else { continue }
            let earlier = earlierID(entry)
            let collections = schema.entities[entry.entity]?.collections ?? [:]
            for (name, rule) in collections.sorted(by: { $0.key.isBefore($1.key) }) where rule.isOrdered {
                let before = earlier.map { LedgerOrder(ledger: ledger).members(of: $0, rule).map(\.id) } ?? []
                let after = LedgerOrder(ledger: merged).members(of: owner, rule) { id, _ in isShown(id) }
                    .map(\.id)
                planList(owner, name, before, after)
            }
        }
    }

    /// Has the ledger read the members of owners whose order it has to know.
    private func loadMembers(of owners: Set<SyncID>) {
        ledger.load(WorkingSet(entries: owners.lazy.map(ItemKey.object)))
        let ordered = owners.filter { id in
            let entity = merged.entry(.object(id)).flatMap { schema.entities[$0.entity] }
            return entity?.collections.values.contains(where: \.isOrdered) ?? false
        }
        ledger.load(WorkingSet(referrers: ordered))
    }

    /// Returns the ID of the object that an object of the store has stood for until now.
    private func earlierID(_ entry: LedgerEntry) -> SyncID? { entry.local.flatMap { ledger.id(of: $0) } }

    private mutating func planList(
        _ owner: SyncID, _ relationship: String, _ before: [SyncID], _ after: [SyncID]
    ) {
        guard before != after else { return }
        plan.lists.append(
            ImportPlan.List(owner: owner, relationship: relationship, expected: before, members: after))
    }

    mutating func planPairs(_ affected: [SyncID]) {
        var owners = Set(affected)
        var keys = Set(merged.entries.keys.filter { $0.object == nil })
        ledger.load(WorkingSet(pairs: owners))
        for id in affected { keys.formUnion(merged.pairs(of: id)) }
        loadEnds(of: keys)
        for key in keys { keys.formUnion(rivals(of: key)) }
        for key in keys.sorted() {
            guard case .pair(_, let first, let second) = key, var entry = merged.entry(key) else { continue }
            let isPresent = isWanted(key, entry) && !isReplaced(key, entry)
            if isPresent != entry.isShown {
                plan.pairs.append(ImportPlan.Pair(key: key, isPresent: isPresent))
                entry.isShown = isPresent
                set(entry, key)
            }
            owners.formUnion([first, second])
        }
        for owner in owners.sorted() where isShown(owner) { planPartners(of: owner) }
    }

    /// Has the ledger read the objects of pairs, and the other pairs of those that may have one only.
    private func loadEnds(of keys: Set<ItemKey>) {
        var set = WorkingSet()
        for case .pair(let name, let first, let second) in keys {
            set.entries.formUnion([.object(first), .object(second)])
            guard let rule = schema.pairs[name], rule.first.isSingle || rule.second.isSingle else { continue }
            set.pairs.formUnion([first, second])
        }
        ledger.load(set)
    }

    private func isWanted(_ key: ItemKey, _ entry: LedgerEntry) -> Bool {
        guard case .pair(_, let first, let second) = key else { return false }
        return entry.isPresent && isShown(first) && isShown(second)
    }

    /// Returns the other pairs of objects of a pair that have one partner at most.
    private func rivals(of key: ItemKey) -> [ItemKey] {
        guard case .pair(let name, let first, let second) = key, let rule = schema.pairs[name] else {
            return []
        }
        return [(rule.first, first, true), (rule.second, second, false)].flatMap { side, id, isFirst in
            guard side.isSingle else { return [ItemKey]() }
            let side = PairSide(name: name, isFirst: isFirst)
            return merged.pairs(of: id).filter { $0 != key && $0.partner(of: id, side) != nil }
        }
    }

    /// Whether an object of a pair has a later partner, and may have one only. The server decides the same once
    /// it has heard of both.
    private func isReplaced(_ key: ItemKey, _ entry: LedgerEntry) -> Bool {
        func time(_ key: ItemKey, _ entry: LedgerEntry) -> (Stamp, ItemKey) {
            (entry.registers[ItemState.presence]?.stamp ?? .never, key)
        }
        return rivals(of: key).contains { rival in
            guard let other = merged.entry(rival), isWanted(rival, other) else { return false }
            return time(key, entry) < time(rival, other)
        }
    }

    /// Plans the order of partners once it is known which pairs are shown.
    private mutating func planPartners(of owner: SyncID) {
        guard let entry = merged.entry(.object(owner)) else { return }
        for (name, rule) in schema.pairs.sorted(by: { $0.key.isBefore($1.key) }) {
            for (side, isFirst) in [(rule.first, true), (rule.second, false)] {
                guard side.isOrdered, isFirst || !rule.isMirrored, let relationship = side.relationship,
                    schema.isKind(entry.entity, of: side.entity)
                else { continue }
                let pairSide = PairSide(name: name, isFirst: isFirst)
                let before = earlierID(entry).map { LedgerOrder(ledger: ledger).partners(of: $0, pairSide) }
                let after = LedgerOrder(ledger: merged).partners(of: owner, pairSide)
                planList(owner, relationship, before?.map(\.id) ?? [], after.map(\.id))
            }
        }
    }
}
