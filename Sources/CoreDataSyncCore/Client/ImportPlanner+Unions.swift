/// Objects that the server has merged into others, and edits of them that it has not heard of.
extension ImportPlanner {
    /// Shows what waits to be pushed of merged objects in those that they were merged into, as the server will once it
    /// has it: no edit disappears meanwhile.
    mutating func passOn(_ ids: [SyncID]) {
        guard !ids.isEmpty else { return }
        let waiting = Dictionary(grouping: ledger.unanswered.map(\.change)) { $0.item }
        for id in ids {
            for change in waiting[.object(id)] ?? [] { passOn(change, of: id) }
            for key in merged.pairs(of: id) {
                for change in waiting[key] ?? [] { passOn(change, ofPair: key) }
            }
        }
    }

    private mutating func passOn(_ change: Change, ofPair key: ItemKey) {
        guard let pair = merged.entry(key), let name = change.register,
            case .value(let value, let stamp)? = change.written
        else { return }
        let other = key.mapped { merged.resolved($0) }
        var united = merged.entry(other) ?? LedgerEntry(entity: pair.entity, existence: pair.existence)
        guard united.registers[name].map({ $0.stamp < stamp }) ?? true else { return }
        united.registers[name] = LedgerRegister(stamp: stamp, shown: SyncValue.null.stableHash, kept: value)
        set(united, other)
    }

    private mutating func passOn(_ change: Change, of id: SyncID) {
        let survivor = merged.resolved(id)
        guard let name = change.register, let written = change.written?.inherited(from: id), survivor != id,
            var entry = merged.entry(.object(survivor)), entry.isAlive
        else { return }
        let null = SyncValue.null.stableHash
        switch written {
        case .counter(let counter):
            var register = entry.registers[name] ?? LedgerRegister(stamp: written.stamp, shown: null)
            register.counter = counter.merged(with: register.counter ?? Counter())
            register.stamp = max(register.stamp, written.stamp)
            entry.registers[name] = register
        case .value(let value, let stamp):
            guard schema.mergeRule(name, of: entry.entity) == .latest,
                entry.registers[name].map({ $0.stamp < stamp }) ?? true
            else { return }
            let shown = entry.registers[name]?.shown ?? null
            var register = LedgerRegister(stamp: stamp, shown: shown)
            if isKept(name, of: entry.entity) { register.kept = value }
            entry.registers[name] = register
            fresh[survivor, default: [:]][name] = value
        }
        set(entry, .object(survivor))
    }

    /// Forgets the pairs of a merged object, which the server has as pairs of the object that it was merged into. Those
    /// that wait to be pushed stay until it has answered.
    mutating func forgetPairs(of id: SyncID) {
        for key in merged.pairs(of: id) where ledger.unanswered(key, ItemState.presence) == nil {
            guard var pair = merged.entry(key) else { continue }
            pair.existence = Existence(length: 0, stamp: pair.existence.stamp)
            set(pair, key)
        }
    }
}
