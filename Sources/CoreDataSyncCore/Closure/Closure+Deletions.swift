/// What the deletion of an object does to those around it.
extension ZoneTransaction {
    mutating func settleDeleted(_ id: SyncID, _ entity: SyncEntity) throws {
        for referrer in try livingReferrers(of: id) {
            guard let rule = try rule(of: referrer), try isAlive(referrer.object) else { continue }
            if rule.onDelete == .deny { return try turn(id, .denied) }
            if rule.buriesReferrer { try bury(referrer.object, with: id) }
            if try isAlive(id) { return }
        }
        guard let state = try state(id) else { return }
        for reference in entity.references {
            let (name, rule) = (reference.name, reference.rule)
            guard let raw = state[name].reference else { continue }
            let target = try resolved(raw)
            guard try isAlive(target), target != id else { continue }
            if rule.deleteRule == .deny { return try turn(id, .denied) }
            if rule.deleteRule == .cascade { try bury(target, with: id) }
            if try isAlive(id) { return }
        }
        for key in try pairs(of: id) {
            guard case .pair(let name, let first, let second) = key, let rule = schema.pairs[name],
                try storage.row(key)?.state.isPresent ?? false
            else { continue }
            let partner = first == id ? second : first
            let deleteRule = first == id ? rule.first.deleteRule : rule.second.deleteRule
            guard try isAlive(partner) else { continue }
            if deleteRule == .deny { return try turn(id, .denied) }
            if deleteRule == .cascade { try bury(partner, with: id) }
            if try isAlive(id) { return }
        }
    }

    /// Deletes a living object whose target is deleted, if it cannot be without. Returns whether it still
    /// lives.
    mutating func keepTargets(_ id: SyncID, _ state: ItemState, _ entity: SyncEntity) throws -> Bool {
        for reference in entity.references {
            let (name, rule) = (reference.name, reference.rule)
            guard let raw = state[name].reference else { continue }
            let target = try resolved(raw)
            guard try !isAlive(target) else { continue }
            guard try self.state(target) != nil else {
                // Objects are pushed before what refers to them, so this one was forgotten long ago.
                if rule.buriesReferrer { try turn(id, .orphan) }
                if try !isAlive(id) { return false }
                continue
            }
            if rule.onDelete == .deny {
                try turn(target, .denied)
            } else if rule.buriesReferrer {
                try bury(id, with: target)
                if try !isAlive(id) { return false }
            }
        }
        return true
    }

    /// Deletes an object because another one is deleted, or brings that one back if this one must stay.
    mutating func bury(_ id: SyncID, with owner: SyncID) throws {
        var seen: Set<SyncID> = []
        if try mustStay(id, &seen) {
            try turn(owner, revived.isEmpty ? .denied : .revived)
        } else {
            try turn(id, .orphan)
        }
    }

    /// Whether a rule keeps an object: one refers to it that denies its deletion, a concurrent edit has
    /// brought it back, or it is the owner of such an object.
    private func mustStay(_ id: SyncID, _ seen: inout Set<SyncID>) throws -> Bool {
        guard seen.insert(id).inserted else { return false }
        if revived.contains(id) { return true }
        for referrer in try livingReferrers(of: id) {
            guard let rule = try rule(of: referrer) else { continue }
            if rule.onDelete == .deny { return true }
            if rule.buriesReferrer, try mustStay(referrer.object, &seen) { return true }
        }
        return false
    }
}

extension ReferenceRule {
    /// Whether an object goes when the target is deleted: it belongs to it, or cannot be without it.
    var buriesReferrer: Bool { onDelete == .cascade || onDelete == .nullify && !isOptional }
}
