/// References that exclude each other.
extension ZoneTransaction {
    /// Keeps one referrer of a one-to-one relationship, the latest.
    mutating func keepExclusive(_ id: SyncID, _ name: String, _ rule: ReferenceRule) throws {
        guard let raw = try state(id)?[name].reference else { return }
        let rivals = try livingReferrers(of: try resolved(raw)).filter {
            try $0.register == name && self.rule(of: $0) == rule
        }
        guard rivals.count > 1 else { return }
        let stamps = try rivals.map { (try state($0.object)?.registers[name]?.stamp, $0.object) }
        let winner = stamps.compactMap { stamp, object in stamp.map { ($0, object) } }.max { $0 < $1 }?.1
        for rival in rivals where rival.object != winner {
            if rule.isOptional {
                try replace(name, of: rival.object, by: .null, .exclusive)
            } else {
                try turn(rival.object, .exclusive)
            }
        }
    }

    /// Puts the latest reference of a cycle back to what it was, or to nil.
    mutating func breakCycle(_ id: SyncID, _ name: String) throws {
        guard let cycle = try path(from: id, name), cycle.last == id else { return }
        let stamps = try cycle.map { (try state($0)?.registers[name]?.stamp, $0) }
        let latest = stamps.compactMap { stamp, object in stamp.map { ($0, object) } }.max { $0 < $1 }
        guard let object = latest?.1 else { return }
        var value = SyncValue.null
        if let earlier = try valueBefore(object, name)?.reference, try isAlive(resolved(earlier)),
            try path(from: resolved(earlier), name)?.contains(object) != true, try resolved(earlier) != object
        {
            value = .reference(earlier)
        }
        try replace(name, of: object, by: value, .cycle)
    }

    /// Returns the objects that a reference leads to one after the other, up to the first one that is met
    /// again.
    private func path(from id: SyncID, _ name: String) throws -> [SyncID]? {
        var path: [SyncID] = []
        var current = id
        while let state = try state(current), state.isAlive, let raw = state[name].reference {
            current = try resolved(raw)
            path.append(current)
            if current == id || path.dropLast().contains(current) { return path }
        }
        return path
    }
}
