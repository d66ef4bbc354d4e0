/// Merges what was received with what the ledger knows, and finds out what the store has to show.
///
/// An object is shown if it lives and the objects are shown that it cannot be without. A reference to
/// an object that is not shown reads as nil; the ledger keeps where it leads, for the day when it is.
struct ImportPlanner<Ledger: SyncLedger> {
    let ledger: Ledger
    let schema: SyncSchema
    /// The ledger with what was received.
    var merged: LedgerDraft<Ledger>
    var plan = ImportPlan()
    /// Deleted objects that the store still shows.
    var kept: Set<SyncID> = []
    var fresh: [SyncID: [String: SyncValue]] = [:]
    /// Whether the store will show an object, where that may be another answer than before.
    var shows: [SyncID: Bool] = [:]
    private let sequence: UInt64
    /// Objects of which the store has said that it does not take what was received.
    let rejected: Set<SyncID>
    /// Those of which it takes nothing, not even without the values that wait.
    private let refused: Set<SyncID>
    /// Rejected objects that wait.
    private(set) var parked: Set<SyncID> = []
    /// The received items that wait in the inbox.
    private(set) var waiting: Set<ItemKey> = []

    init(
        ledger: Ledger, schema: SyncSchema, sequence: UInt64, rejected: Set<SyncID>, refused: Set<SyncID>
    ) {
        self.rejected = rejected
        self.refused = refused
        self.ledger = ledger
        self.schema = schema
        self.sequence = sequence
        merged = LedgerDraft(of: ledger)
    }

    /// The entries that are changed; nil for items that are gone.
    var entries: [ItemKey: LedgerEntry?] { merged.entries }

    mutating func run() {
        let waiting = receivedItems(around: refused)
        self.waiting = waiting
        let inbox = ledger.inbox.items.lazy.filter { !waiting.contains($0.key) }.sorted { $0.key < $1.key }
        load(inbox.lazy.map { ($0.key, $0.value.state) })
        for (key, item) in inbox { merge(item, key) }
        let united = inbox.compactMap { $0.value.state.alias == nil ? nil : $0.key.object }
        passOn(united)
        for id in united {
            rebind(id)
            forgetPairs(of: id)
        }
        adopt(inbox.compactMap { $0.value.state.isAlive ? $0.key.object : nil })
        let affected = affectedObjects()
        parked = rejected.intersection(affected)
        for id in affected { planRow(id) }
        planLists(affected)
        planPairs(affected)
        // An item that the server does not have goes, unless the store still has to show it.
        for key in merged.entries.keys where merged.entry(key)?.existence.length == 0 {
            if key.object.map({ !kept.contains($0) }) ?? true { merged.set(nil, for: key) }
        }
    }

    /// Has the ledger read what it has of received items and of what they lead to.
    private func load(_ items: some Sequence<(ItemKey, ItemState)>) {
        var set = WorkingSet()
        for (key, state) in items { set.add(key, state) }
        set.entries.formUnion(ledger.header.kept.union(ledger.header.parked).map(ItemKey.object))
        ledger.load(set)
        // Their references may lead elsewhere in the ledger than in what was received.
        let targets = set.entries.lazy.compactMap { ledger.entry($0) }.flatMap(\.targets)
        ledger.load(WorkingSet(entries: targets.map(ItemKey.object)))
    }

    mutating func set(_ entry: LedgerEntry, _ key: ItemKey) {
        merged.set(entry, for: key)
    }

    // MARK: Merging

    /// Whether nothing waits that would make the item on the server.
    private func isDroppable(_ key: ItemKey) -> Bool {
        let isObject = key.object != nil
        guard let waiting = ledger.unanswered(key, isObject ? nil : ItemState.presence) else { return true }
        return isObject && !waiting.change.edit.isCreation && !waiting.change.isRelayed
    }

    private mutating func merge(_ item: InboxItem, _ key: ItemKey) {
        var entry =
            ledger.entry(key) ?? LedgerEntry(entity: item.state.entity, existence: item.state.existence)
        if item.isDropped {
            guard isDroppable(key) else { return }
            entry.existence = Existence(length: 0, stamp: entry.existence.stamp)
            entry.alias = nil
            entry.registers[ItemState.presence] = nil
            return set(entry, key)
        }
        let state = item.state
        // The server sends all registers of an object that comes back. What it has forgotten begins again without any.
        let isWhole = item.isWhole || !entry.isAlive
        entry.existence =
            ledger.unanswered(key, nil) == nil
            ? state.existence : entry.existence.merged(with: state.existence)
        entry.created = state.created
        entry.alias = state.alias
        entry.sequence = max(entry.sequence, sequence)
        for (name, register) in state.registers.sorted(by: { $0.key.isBefore($1.key) }) {
            merge(register, name, &entry, key)
        }
        if isWhole, state.isAlive {
            for name in entry.registers.keys where state.registers[name] == nil { clear(name, &entry, key) }
        }
        set(entry, key)
    }

    /// Takes note that the server does not have a register.
    private mutating func clear(_ name: String, _ entry: inout LedgerEntry, _ key: ItemKey) {
        guard let register = entry.registers[name], ledger.unanswered(key, name) == nil else { return }
        // Another device may have pushed the object in portions, and the rest may be on its way.
        if case .reference(let rule) = schema.entities[entry.entity]?.registers[name], !rule.isOptional,
            register.stamp.time > .zero
        {
            return
        }
        entry.registers[name] = nil
        // A place is no value that the store shows.
        if case .position = register.kept { return }
        guard let id = key.object, entry.local != nil, register.shown != SyncValue.null.stableHash else {
            return
        }
        // The register is removed once the store shows no value.
        fresh[id, default: [:]][name] = .null
        entry.registers[name] = LedgerRegister(stamp: .absent, shown: register.shown)
    }

    private mutating func merge(
        _ incoming: Register, _ name: String, _ entry: inout LedgerEntry, _ key: ItemKey
    ) {
        var incoming = incoming
        let present = entry.registers[name]
        if let waiting = ledger.unanswered(key, name), let present {
            if case .counter(let counter) = incoming {
                incoming = .counter(counter.merged(with: present.counter ?? Counter()))
            } else if present.stamp == waiting.change.stamp {
                let local = Register.value(waiting.change.value, present.stamp)
                if local.merged(with: incoming, schema.mergeRule(name, of: entry.entity)) == local { return }
            }
        }
        var register = LedgerRegister(
            stamp: incoming.stamp, shown: present?.shown ?? SyncValue.null.stableHash)
        switch incoming {
        case .counter(let counter): register.counter = counter
        case .value(let value, _):
            if isKept(name, of: entry.entity) { register.kept = value }
        }
        entry.registers[name] = register
        if let id = key.object { fresh[id, default: [:]][name] = incoming.value }
    }

    /// Whether the ledger has to keep the value of a register, which the store cannot tell.
    func isKept(_ name: String, of entity: String) -> Bool {
        switch schema.entities[entity]?.registers[name] {
        case .attribute, .group: false
        case .reference, .position, nil: true
        }
    }

    /// Lets the object of the store that stood for a merged object stand for the one that it was merged
    /// into, if that has none yet.
    mutating func rebind(_ id: SyncID) {
        guard var old = merged.entry(.object(id)), let local = old.local, let alias = old.alias else {
            return
        }
        let survivor = merged.resolved(alias)
        guard var new = merged.entry(.object(survivor)), new.local == nil, new.isAlive else { return }
        old.local = nil
        new.local = local
        for name in Set(old.registers.keys).union(new.registers.keys) {
            let shown = old.registers[name]?.shown ?? SyncValue.null.stableHash
            if new.registers[name] != nil {
                new.registers[name]?.shown = shown
            } else if shown != SyncValue.null.stableHash {
                fresh[survivor, default: [:]][name] = .null
                new.registers[name] = LedgerRegister(stamp: .absent, shown: shown)
            }
        }
        set(old, .object(id))
        set(new, .object(survivor))
        for key in merged.pairs(of: id) {
            guard var pair = merged.entry(key), pair.isShown else { continue }
            pair.isShown = false
            set(pair, key)
            let other = key.mapped { $0 == id ? survivor : $0 }
            var united =
                merged.entry(other) ?? LedgerEntry(entity: pair.entity, existence: pair.existence)
            united.isShown = true
            set(united, other)
        }
    }

    // MARK: Rows

    private mutating func planRow(_ id: SyncID) {
        guard var entry = merged.entry(.object(id)) else { return }
        var row = ImportPlan.Row(id: id, entity: entry.entity, local: entry.local)
        let names = schema.entities[entry.entity]?.values.map(\.name) ?? []
        defer { set(entry, .object(id)) }
        guard isShown(id) else {
            if entry.isAlive { entry.held.merge(fresh[id] ?? [:]) { $1 } } else { entry.held = [:] }
            guard entry.local != nil else { return }
            row.isDeleted = true
            for name in names {
                let shown = entry.registers[name]?.shown ?? SyncValue.null.stableHash
                row.values[name] = ImportPlan.Value(expected: shown, value: .null)
            }
            entry.local = nil
            plan.rows.append(row)
            return
        }
        var held: [String: SyncValue] = [:]
        for name in names {
            guard let register = entry.registers[name], let value = look(of: register, name, id, entry) else {
                continue
            }
            let hash = value.stableHash
            let shown = entry.local == nil ? SyncValue.null.stableHash : register.shown
            if parked.contains(id), register.kept == nil, register.counter == nil {
                if hash != shown { held[name] = value }
                continue
            }
            entry.registers[name]?.shown = hash
            if hash != shown { row.values[name] = ImportPlan.Value(expected: shown, value: value) }
            if register.stamp == .absent, value.isNull { entry.registers[name] = nil }
        }
        entry.held = held
        // An object that has taken over another one's place in the store is named in any case.
        let isBound = row.local != nil && row.local == ledger.entry(.object(id))?.local
        if !isBound || !row.values.isEmpty { plan.rows.append(row) }
    }

    /// Returns what the store has to show of a register; nil if that is what it shows.
    private func look(
        of register: LedgerRegister, _ name: String, _ id: SyncID, _ entry: LedgerEntry
    ) -> SyncValue? {
        if let counter = register.counter { return counter.sum }
        if let kept = register.kept {
            guard let raw = kept.reference else { return kept }
            let target = merged.resolved(raw)
            return isShown(target) ? .reference(target) : .null
        }
        return fresh[id]?[name] ?? entry.held[name]
    }
}
