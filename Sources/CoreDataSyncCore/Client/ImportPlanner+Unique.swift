/// Unique values that the store may have only once, also until the server has united their objects.
extension ImportPlanner {
    /// The values of a rule, as hashes.
    private struct Claim: Hashable {
        var entity: String
        var rule: UniqueRule
        var hashes: [UInt64]
    }

    /// Lets received objects stand for objects of the store that have their unique values and that the server
    /// has not heard of. It will unite them; until then the one that was made here is an alias.
    mutating func adopt(_ received: [SyncID]) {
        let unheard = unheardClaims()
        guard !unheard.isEmpty else { return }
        for id in received {
            guard let entry = merged.entry(.object(id)), entry.local == nil else { continue }
            let made = claims(of: entry.entity) { name in
                (fresh[id]?[name] ?? entry.held[name])?.stableHash
            }.compactMap { unheard[$0] }.first
            guard let made, made != id, var other = merged.entry(.object(made)), other.alias == nil else {
                continue
            }
            other.alias = id
            set(other, .object(made))
            rebind(made)
        }
    }

    /// Returns the objects that wait to be made on the server, by what the store shows of their unique values.
    private func unheardClaims() -> [Claim: SyncID] {
        var result: [Claim: SyncID] = [:]
        // Many may wait.
        guard schema.entities.values.contains(where: { !$0.unique.isEmpty }) else { return result }
        let creations = ledger.pending.changes.lazy.map(\.change).filter(\.edit.isCreation)
        ledger.load(WorkingSet(entries: creations.map(\.item)))
        for change in creations {
            guard let id = change.item.object, let entry = merged.entry(change.item), entry.local != nil
            else {
                continue
            }
            for claim in claims(of: entry.entity, { entry.registers[$0]?.shown }) { result[claim] = id }
        }
        return result
    }

    /// Returns the claims of an object by the hashes of its values. Null is equal to nothing.
    private func claims(of entity: String, _ hash: (String) -> UInt64?) -> [Claim] {
        let null = SyncValue.null.stableHash
        return (schema.entities[entity]?.unique ?? []).compactMap { rule in
            let hashes = rule.attributes.map { hash($0) ?? null }
            return hashes.contains(null) ? nil : Claim(entity: entity, rule: rule, hashes: hashes)
        }
    }
}
