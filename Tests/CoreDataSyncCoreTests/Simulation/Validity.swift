import CoreDataSyncCore

/// The rules of the model, checked one by one on rows of a server, without the code that keeps them.
struct Validity {
    let schema: SyncSchema
    let storage: DictionaryStorage

    /// Checks objects and those that refer to them, which is all whose validity a change of them can end.
    func check(_ keys: some Sequence<ItemKey>) throws {
        var objects: Set<SyncID> = []
        for id in keys.lazy.compactMap(\.object) {
            objects.insert(id)
            for referrer in livingReferrers(of: id) { objects.insert(referrer.object) }
        }
        for id in objects { if let state = state(id), state.isAlive { try check(id, state) } }
    }

    private func check(_ id: SyncID, _ state: ItemState) throws {
        guard let entity = schema.entities[state.entity] else { throw failure("no entity \(state.entity)") }
        for reference in entity.references {
            guard let raw = state[reference.name].reference else { continue }
            try check(reference, of: state.entity, to: resolved(raw))
            if reference.rule.isAcyclic { try checkAcyclic(id, reference.name) }
        }
        for rule in entity.unique {
            guard let value = state.value(of: rule) else { continue }
            let holders = storage.holders(of: value).filter { self.state($0)?.isAlive ?? false }
            guard holders == [id] else {
                throw failure("\(holders.count) objects have one \(rule.attributes)")
            }
        }
        if let rule = entity.identityRule, let value = state.value(of: rule) {
            let known = SyncID(entity: state.entity, identity: rule.attributes.map { state[$0] })
            let equals = storage.holders(of: value).filter { holder in
                guard let other = self.state(holder), other.isAlive else { return false }
                return holder == known
                    || rule.attributes.allSatisfy { other.registers[$0]?.stamp == other.created }
            }
            guard equals.count <= 1 else { throw failure("\(equals.count) objects have one identity") }
        }
        for (name, rule) in entity.registers {
            guard case .attribute(let attribute) = rule, !attribute.isOptional else { continue }
            if state[name].isNull { throw failure("\(state.entity).\(name) has no value") }
        }
    }

    private func check(
        _ reference: SyncEntity.Named<ReferenceRule>, of entity: String, to target: SyncID
    ) throws {
        let (name, rule) = (reference.name, reference.rule)
        guard let owner = state(target) else { return }
        guard owner.isAlive else {
            let isBound = rule.onDelete == .cascade || rule.onDelete == .deny || !rule.isOptional
            if isBound { throw failure("\(entity).\(name) leads to a deleted object") }
            return
        }
        let count = livingReferrers(of: target).count { $0.register == name }
        if rule.isExclusive, count > 1 { throw failure("two objects have one \(name)") }
        let maximum = rule.inverse.flatMap { schema.entities[owner.entity]?.collections[$0]?.maximum } ?? 0
        if maximum > 0, count > maximum { throw failure("\(count) objects have one \(name)") }
    }

    private func checkAcyclic(_ id: SyncID, _ name: String) throws {
        var current = id
        for _ in 0...storage.rows.count {
            guard let state = state(current), state.isAlive, let next = state[name].reference else { return }
            current = resolved(next)
        }
        throw failure("\(name) runs in a circle")
    }

    /// Checks that the indexes, by which rows are found here as well, are those of the rows.
    func checkIndexes() throws {
        var referrers: [SyncID: Set<Referrer>] = [:]
        var holders: [UniqueValue: Set<SyncID>] = [:]
        var pairs: [SyncID: Set<ItemKey>] = [:]
        for (key, row) in storage.rows {
            switch key {
            case .pair(_, let first, let second):
                for id in [first, second] { pairs[id, default: []].insert(key) }
            case .object(let id):
                for (name, register) in row.state.registers {
                    guard let target = register.value.reference else { continue }
                    referrers[target, default: []].insert(Referrer(object: id, register: name))
                }
                if let alias = row.state.alias {
                    referrers[alias, default: []].insert(Referrer(object: id, register: Referrer.alias))
                }
                for rule in schema.entities[row.state.entity]?.unique ?? [] where row.state.isAlive {
                    if let value = row.state.value(of: rule) { holders[value, default: []].insert(id) }
                }
            }
        }
        let known = Set(storage.rows.keys.compactMap(\.object)).union(referrers.keys)
        guard known.allSatisfy({ Set(storage.referrers(of: $0)) == referrers[$0] ?? [] }),
            known.union(pairs.keys).allSatisfy({ Set(storage.pairs(of: $0)) == pairs[$0] ?? [] }),
            holders.allSatisfy({ Set(storage.holders(of: $0.key)) == $0.value })
        else { throw failure("the indexes are not those of the rows") }
        let all = storage.rows(behind: 0, nil, limit: .max).map(\.key)
        guard Set(all) == Set(storage.rows.keys), all.count == storage.rows.count,
            storage.rows(after: nil, limit: .max).map(\.key) == storage.rows.keys.sorted()
        else { throw failure("the orders are not those of the rows") }
    }

    private func state(_ id: SyncID) -> ItemState? { storage.row(.object(id))?.state }
    private func resolved(_ id: SyncID) -> SyncID { state(id)?.alias.map { resolved($0) } ?? id }

    /// Returns the living objects that refer to one, under its own ID or that of one merged into it.
    private func livingReferrers(of id: SyncID) -> [Referrer] {
        storage.referrers(of: id).flatMap { referrer in
            referrer.register == Referrer.alias
                ? livingReferrers(of: referrer.object)
                : state(referrer.object)?.isAlive ?? false ? [referrer] : []
        }
    }

    private func failure(_ text: String) -> Simulation.Failure { Simulation.Failure(description: text) }
}
