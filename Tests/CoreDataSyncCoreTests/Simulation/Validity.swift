import CoreDataSyncCore

/// The rules of the model, checked one by one on all rows of a server, without the code that keeps them.
struct Validity {
    let schema: SyncSchema
    let storage: DictionaryStorage

    func check() throws {
        let living = storage.rows.filter { $0.key.object != nil && $0.value.state.isAlive }
        var claims: [Claim: SyncID] = [:]
        var exclusive: [Membership: SyncID] = [:]
        var counts: [Membership: Int] = [:]
        for (key, row) in living {
            let (state, id) = (row.state, key.object!)
            guard let entity = schema.entities[state.entity] else {
                throw failure("no entity \(state.entity)")
            }
            for reference in entity.references {
                let (name, rule) = (reference.name, reference.rule)
                guard let raw = state[name].reference else { continue }
                let target = resolved(raw)
                if let other = storage.rows[.object(target)]?.state, !other.isAlive {
                    let isBound = rule.onDelete == .cascade || rule.onDelete == .deny || (!rule.isOptional)
                    if isBound { throw failure("\(state.entity).\(name) leads to a deleted object") }
                }
                if rule.isExclusive, storage.rows[.object(target)]?.state.isAlive ?? false {
                    if exclusive.updateValue(id, forKey: Membership(owner: target, name: name)) != nil {
                        throw failure("two objects have one \(name)")
                    }
                }
                if rule.isAcyclic { try checkAcyclic(id, name) }
                if let inverse = rule.inverse {
                    counts[Membership(owner: target, name: inverse), default: 0] += 1
                }
            }
            for rule in entity.unique {
                let values = rule.attributes.map { state[$0] }
                guard !values.contains(.null) else { continue }
                let claim = Claim(rule: rule, values: values)
                if claims.updateValue(id, forKey: claim) != nil {
                    throw failure("two objects have one \(rule.attributes)")
                }
            }
            for (name, rule) in entity.registers {
                guard case .attribute(let attribute) = rule, !attribute.isOptional else { continue }
                if state[name].isNull { throw failure("\(state.entity).\(name) has no value") }
            }
        }
        for (membership, count) in counts {
            guard let state = storage.rows[.object(membership.owner)]?.state, state.isAlive,
                let maximum = schema.entities[state.entity]?.collections[membership.name]?.maximum
            else { continue }
            if maximum > 0, count > maximum {
                throw failure("\(state.entity).\(membership.name) has \(count) members")
            }
        }
    }

    private struct Claim: Hashable {
        let rule: UniqueRule
        let values: [SyncValue]
    }

    /// A relationship of an owner.
    private struct Membership: Hashable {
        let owner: SyncID
        let name: String
    }

    private func checkAcyclic(_ id: SyncID, _ name: String) throws {
        var current = id
        for _ in 0...storage.rows.count {
            guard let state = storage.rows[.object(current)]?.state, state.isAlive,
                let next = state[name].reference
            else { return }
            current = resolved(next)
        }
        throw failure("\(name) runs in a circle")
    }

    private func resolved(_ id: SyncID) -> SyncID {
        storage.rows[.object(id)]?.state.alias.map { resolved($0) } ?? id
    }

    private func failure(_ text: String) -> Simulation.Failure { Simulation.Failure(description: text) }
}
