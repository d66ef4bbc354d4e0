/// The rules of the model that merging alone cannot keep: what refers to deleted objects, unique values,
/// cycles, numbers of members. One place decides them, the server inside a push, and devices take what it
/// decides.
extension ZoneTransaction {
    /// Applies the rules to all touched objects, in the order of their IDs, until none has to change.
    ///
    /// - Throws: `Refusal.tooManySteps` if that takes more than so many looks at an object.
    mutating func close(steps: Int) throws {
        var pending = takeTouched()
        try expect(pending)
        var step = 0
        while let id = pending.min() {
            pending.remove(id)
            step += 1
            guard step <= steps else {
                throw Refusal.tooManySteps("the rules of \(try state(id)?.entity ?? "an entity")")
            }
            try settle(id)
            let touched = takeTouched()
            try expect(touched)
            pending.formUnion(touched)
        }
    }

    private mutating func settle(_ id: SyncID) throws {
        guard let state = try state(id), state.alias == nil, let entity = schema.entities[state.entity] else {
            return
        }
        guard state.isAlive else { return try settleDeleted(id, entity) }
        try fillDefaults(id, state, entity)
        guard try keepTargets(id, state, entity) else { return }
        for reference in entity.references {
            let (name, rule) = (reference.name, reference.rule)
            if rule.isExclusive { try keepExclusive(id, name, rule) }
            if rule.isAcyclic { try breakCycle(id, name) }
        }
        for rule in entity.unique { try keepUnique(id, rule) }
        if let rule = entity.identityRule { try keepIdentity(id, rule) }
        for (_, rule) in entity.collections.sorted(by: { $0.key.isBefore($1.key) }) {
            try keepCount(id, rule)
            if rule.isOrdered { try shortenKeys(id, rule) }
        }
        for (name, rule) in schema.pairs.sorted(by: { $0.key.isBefore($1.key) }) {
            try keepCount(of: rule.first, isFirst: true, name, id)
            try keepCount(of: rule.second, isFirst: false, name, id)
            try shortenKeys(of: rule.first, isFirst: true, name, id)
            try shortenKeys(of: rule.second, isFirst: false, name, id)
        }
    }

    /// Gives mandatory attributes that were never written their defaults. Whatever else is written wins
    /// over it, since the rest of an object may come with a later push.
    private mutating func fillDefaults(_ id: SyncID, _ state: ItemState, _ entity: SyncEntity) throws {
        for value in entity.values {
            let name = value.name
            guard case .attribute(let attribute) = value.rule, !attribute.isOptional, state[name].isNull,
                !attribute.standard.isNull, attribute.merge != .counter
            else { continue }
            if state.registers[name] == nil {
                try write(.value(attribute.standard, .never), as: name, of: .object(id))
            } else {
                try set(attribute.standard, as: name, of: id)
            }
        }
    }

    /// Returns the value that a register had before the push, if it was another one.
    func valueBefore(_ id: SyncID, _ register: String) throws -> SyncValue? {
        guard let row = before[.object(id)] ?? nil, let present = try state(id) else { return nil }
        let value = row.state[register]
        return value == present[register] ? nil : value
    }

    /// Returns the living objects that refer to one, under its own ID or that of one merged into it.
    func livingReferrers(of id: SyncID) throws -> [Referrer] {
        var result: [Referrer] = []
        let referrers = try storage.referrers(of: id)
        try expect(states: referrers.map(\.object))
        for referrer in referrers {
            if referrer.register == Referrer.alias {
                result += try livingReferrers(of: referrer.object)
            } else if try isAlive(referrer.object) {
                result.append(referrer)
            }
        }
        return result
    }

    func rule(of referrer: Referrer) throws -> ReferenceRule? {
        guard let state = try state(referrer.object),
            case .reference(let rule) = schema.entities[state.entity]?.registers[referrer.register]
        else { return nil }
        return rule
    }
}
