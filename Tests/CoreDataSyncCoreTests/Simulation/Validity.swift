import CoreDataSyncCore

/// The rules of the model, checked one by one on all rows of a server, without the code that keeps them.
struct Validity {
    let schema: SyncSchema
    let storage: DictionaryStorage

    func check() throws {
        let living = storage.rows.filter { $0.key.object != nil && $0.value.state.isAlive }
        var claims: [[String]: SyncID] = [:]
        var exclusive: [String: SyncID] = [:]
        for (key, row) in living {
            let (state, id) = (row.state, key.object!)
            guard let entity = schema.entities[state.entity] else {
                throw failure("no entity \(state.entity)")
            }
            for (name, rule) in entity.references {
                guard let raw = state[name].reference else { continue }
                let target = resolved(raw)
                if let other = storage.rows[.object(target)]?.state, !other.isAlive {
                    let isBound = rule.onDelete == .cascade || rule.onDelete == .deny || (!rule.isOptional)
                    if isBound { throw failure("\(state.entity).\(name) leads to a deleted object") }
                }
                if rule.isExclusive, storage.rows[.object(target)]?.state.isAlive ?? false {
                    if exclusive.updateValue(id, forKey: "\(name) \(target)") != nil {
                        throw failure("two objects have one \(name)")
                    }
                }
                if rule.isAcyclic { try checkAcyclic(id, name) }
            }
            for rule in entity.unique {
                let values = rule.attributes.map { state[$0] }
                guard !values.contains(.null) else { continue }
                let claim = [rule.entity] + rule.attributes + values.map { "\($0)" }
                if claims.updateValue(id, forKey: claim) != nil {
                    throw failure("two objects have one \(rule.attributes)")
                }
            }
            for (name, rule) in entity.registers {
                guard case .attribute(let attribute) = rule, !attribute.isOptional else { continue }
                if state[name].isNull { throw failure("\(state.entity).\(name) has no value") }
            }
            for (name, rule) in entity.collections where rule.maximum > 0 {
                let count = living.values.count { other in
                    other.state[rule.reference].reference.map { resolved($0) } == id
                        && schema.isKind(other.state.entity, of: rule.target)
                }
                if count > rule.maximum { throw failure("\(state.entity).\(name) has \(count) members") }
            }
        }
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
