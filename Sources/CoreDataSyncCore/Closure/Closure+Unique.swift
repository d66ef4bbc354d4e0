import CoreDataValues

/// Unique values, and identities.
extension ZoneTransaction {
    mutating func keepUnique(_ id: SyncID, _ rule: UniqueRule) throws {
        guard let state = try state(id), state.isAlive, let value = state.value(of: rule) else { return }
        for other in try storage.holders(of: value) where other != id {
            guard let otherState = try self.state(other), otherState.isAlive else { continue }
            let isMade = state.isMade(with: rule)
            let otherIsMade = otherState.isMade(with: rule)
            if isMade, otherIsMade {
                let stays = (state.created, id) < (otherState.created, other) ? id : other
                try unite(stays == id ? other : id, into: stays)
            } else {
                // Of two edits the later one is taken back, of an edit and an object made with the value
                // the edit.
                let isLater = state.stamp(of: rule) > otherState.stamp(of: rule)
                try takeBack(isMade != otherIsMade ? (isMade ? other : id) : isLater ? id : other, rule)
            }
            return
        }
    }

    /// Merges objects of one identity that were made with it. A store has two if its app has made one while the other
    /// was on its way there; the one that has the ID of the identity stays. Edits that make values equal merge nothing.
    mutating func keepIdentity(_ id: SyncID, _ rule: UniqueRule) throws {
        guard let state = try state(id), state.isAlive, let value = state.value(of: rule) else { return }
        let known = SyncID(entity: state.entity, identity: rule.attributes.map { state[$0] })
        guard id == known || state.isMade(with: rule) else { return }
        for other in try storage.holders(of: value) where other != id {
            guard let otherState = try self.state(other), otherState.isAlive,
                other == known || otherState.isMade(with: rule)
            else { continue }
            let isEarlier = (state.created, id) < (otherState.created, other)
            let stays = id == known || other != known && isEarlier ? id : other
            return try unite(stays == id ? other : id, into: stays)
        }
    }

    /// Merges an object into another one. Its ID stays as an alias, since a device that was away may refer
    /// to it.
    private mutating func unite(_ id: SyncID, into survivor: SyncID) throws {
        guard var row = try storage.row(.object(id)), let present = try state(survivor) else { return }
        for (name, own) in row.state.registers.sorted(by: { $0.key.isBefore($1.key) }) {
            let register = own.inherited(from: id)
            let rule = schema.mergeRule(name, of: present.entity)
            let old = present.registers[name]
            // Equal values stay as they are, so that the object is still one that was made with them.
            if let old, old.value == register.value, rule.losesEdits { continue }
            var merged = old?.merged(with: register, rule) ?? register
            // The server has decided both in one push. Now they are writes of one register, and need two stamps.
            if let old, merged != old, merged.stamp == old.stamp, rule.losesEdits {
                merged = .value(merged.value, stamp())
            }
            if let old, rule.losesEdits {
                let loser = merged == old ? register : old
                try log(
                    LostValue(
                        item: .object(merged == old ? id : survivor), entity: present.entity, register: name,
                        value: loser.value, stamp: loser.stamp, winner: merged.stamp, reason: .merged))
            }
            if merged != old { try write(merged, as: name, of: .object(survivor)) }
        }
        row.state.alias = survivor
        try write(row, for: .object(id))
        touch(survivor)
        try touchReferrers(of: id)
        try movePairs(of: id, to: survivor)
    }

    /// Puts the pairs of a merged object under the keys of the object that it was merged into.
    private mutating func movePairs(of id: SyncID, to survivor: SyncID) throws {
        for key in try pairs(of: id) {
            guard let pair = try storage.row(key) else { continue }
            let united = key.mapped { $0 == id ? survivor : $0 }
            var state = pair.state
            if let present = try storage.row(united) {
                state = state.merged(with: present.state) { _ in .latest }
            }
            try write(
                ZoneRow(state: state, sequences: state.registers.mapValues { _ in sequence }), for: united)
            try forget(key)
        }
    }

    /// Merges an object into another one again, since a restored server has lost that it had.
    mutating func repeatUnion(_ change: Change, into other: SyncID) throws -> Outcome {
        guard change.isRelayed, let id = change.item.object else {
            return .rejected("objects are merged by their unique values")
        }
        let survivor = try resolved(other)
        guard let present = try state(survivor) else { return .gone }
        guard let state = try state(id) else {
            let existence = Existence(length: 1, stamp: change.stamp)
            let merged = ItemState(entity: change.entity, existence: existence, alias: survivor)
            try write(ZoneRow(state: merged), for: .object(id))
            try touchReferrers(of: id)
            try movePairs(of: id, to: survivor)
            return .applied
        }
        // Somebody has decided otherwise since.
        guard state.isAlive, present.isAlive, id != survivor else { return .superseded }
        try unite(id, into: survivor)
        return .applied
    }

    /// Puts the values of a unique rule back to what they were before the push; if they are not free, to
    /// nil, or adds a number to a mandatory text, or deletes the object.
    private mutating func takeBack(_ id: SyncID, _ rule: UniqueRule) throws {
        guard let state = try state(id), let entity = schema.entities[state.entity] else { return }
        var earlier = state
        for name in rule.attributes {
            guard let value = try valueBefore(id, name) else { continue }
            earlier.registers[name] = .value(value, stamp())
        }
        if earlier != state, try isFree(earlier.value(of: rule), for: id) {
            for name in rule.attributes where earlier[name] != state[name] {
                try replace(name, of: id, by: earlier[name], .unique)
            }
            return
        }
        for name in rule.attributes.reversed() {
            guard case .attribute(let attribute) = entity.registers[name] else { continue }
            if attribute.isOptional { return try replace(name, of: id, by: .null, .unique) }
            guard case .string(let text) = state[name] else { continue }
            for number in 2... {
                var numbered = state
                numbered.registers[name] = .value(.string("\(text) \(number)"), stamp())
                guard try isFree(numbered.value(of: rule), for: id) else { continue }
                return try replace(name, of: id, by: numbered[name], .unique)
            }
        }
        try turn(id, .unique)
    }

    private func isFree(_ value: UniqueValue?, for id: SyncID) throws -> Bool {
        guard let value else { return true }
        return try storage.holders(of: value).allSatisfy { try $0 == id || !isAlive($0) }
    }
}

extension ItemState {
    /// Whether the object was made with its values of a rule, and they were not edited since.
    fileprivate func isMade(with rule: UniqueRule) -> Bool {
        rule.attributes.allSatisfy { registers[$0]?.stamp == created }
    }

    fileprivate func stamp(of rule: UniqueRule) -> Stamp {
        rule.attributes.compactMap { registers[$0]?.stamp }.max() ?? created
    }
}
