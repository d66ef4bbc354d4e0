/// Compares what a store has with what the ledger knows, and makes changes of the differences.
///
/// The history says which objects to look at. Hashes say whether something has changed, so that an object
/// that is looked at twice, or was written by an import, gives no change.
struct CaptureReader<Ledger: SyncLedger, Random: RandomNumberGenerator> {
    var ledger: Ledger
    let schema: SyncSchema
    var random: Random
    /// The device's clock before the first portion. Objects that were made later are made by this capture.
    private let start: HybridTime
    /// The IDs that objects have by their identities.
    private var taken: Set<SyncID> = []

    init(ledger: Ledger, schema: SyncSchema, random: Random, start: HybridTime) {
        self.ledger = ledger
        self.schema = schema
        self.random = random
        self.start = start
    }

    /// Reads a capture, or a portion of one. If the others never come, the next capture finds them once more.
    mutating func read(_ capture: Capture) {
        let rows = capture.rows.sorted { $0.local < $1.local }
        load(rows, capture.deleted.keys)
        // An object that was deleted lets go of its identity first.
        if capture.isFirst { delete(capture) }
        for row in rows where ledger.id(of: row.local) == nil { name(row) }
        loadEntries(of: rows)
        // Objects come before what refers to them, in whatever portions they are pushed.
        for row in rows { readExistence(of: row) }
        let values = capture.parts.subtracting(.members)
        if !values.isEmpty { for row in rows { read(row, values) } }
        if capture.parts.contains(.members) { for row in rows { readMembers(of: row) } }
        if capture.isLast { ledger.header.token = capture.token }
    }

    /// Has the ledger read what it has of some objects, before they have names.
    private func load(_ rows: [CapturedRow], _ deleted: some Sequence<LocalKey>) {
        var set = WorkingSet(names: Set(deleted))
        for row in rows { set.add(row) }
        ledger.load(set)
        let unnamed = rows.lazy.filter { ledger.id(of: $0.local) == nil }
        let identities = unnamed.compactMap { $0.identity(schema) }
        let ids = Set(identities + deleted.compactMap { ledger.id(of: $0) })
        ledger.load(WorkingSet(entries: identities.map(ItemKey.object), referrers: ids, pairs: ids))
    }

    /// Has the ledger read what it has of objects that have names now.
    private func loadEntries(of rows: [CapturedRow]) {
        var set = WorkingSet()
        for row in rows {
            guard let id = ledger.id(of: row.local) else { continue }
            set.entries.insert(.object(id))
            if !row.partners.isEmpty { set.pairs.insert(id) }
            if !row.lists.isEmpty { set.referrers.insert(id) }
        }
        ledger.load(set)
        ledger.pending.load(set.entries)
    }

    /// Names an object by its identity. If the store has another object of that identity, which the app has not seen,
    /// the server merges both.
    private mutating func name(_ row: CapturedRow) {
        if let id = row.identity(schema).map({ ledger.resolved($0) }), isFree(id, row.entity) {
            taken.insert(id)
            // What refers to the deleted object that it is again refers to it once more, as on all other devices.
            let referrers = LedgerOrder(ledger: ledger).allReferrers(of: id)
            if !referrers.isEmpty || !ledger.pairs(of: id).isEmpty { ledger.header.kept.insert(id) }
            return ledger.name(row.local, id)
        }
        nameAnew(row.local, row.milliseconds)
    }

    private func isFree(_ id: SyncID, _ entity: String) -> Bool {
        guard !taken.contains(id) else { return false }
        return ledger.entry(.object(id)).map { $0.local == nil && $0.entity == entity } ?? true
    }

    private mutating func nameAnew(_ local: LocalKey, _ milliseconds: UInt64) {
        ledger.name(local, SyncID(milliseconds: milliseconds, random: &random))
    }

    mutating func id(of local: LocalKey, _ milliseconds: UInt64) -> SyncID {
        if ledger.id(of: local) == nil { nameAnew(local, milliseconds) }
        return ledger.id(of: local)!
    }

    // MARK: Deletions

    /// Returns the objects that the ledger knows and a store has not any more, if all of it was captured, and
    /// whether they are so many that the store is rather an older copy.
    static func missing(_ capture: Capture, _ ledger: Ledger) -> (locals: [LocalKey], isTooMany: Bool) {
        guard let present = capture.present else { return ([], false) }
        let known = ledger.keys.compactMap { ledger.entry($0)?.local }
        let missing = known.filter { !present.contains($0) }
        return (missing, missing.count > max(50, known.count / 20))
    }

    private mutating func delete(_ capture: Capture) {
        var deleted = capture.deleted
        let latest = capture.rows.map(\.milliseconds).max() ?? 0
        for local in Self.missing(capture, ledger).locals { deleted[local] = deleted[local] ?? latest }
        var unheard: Set<ItemKey> = []
        for (local, milliseconds) in deleted.sorted(by: { $0.key < $1.key }) {
            guard let id = ledger.id(of: local), var entry = ledger.entry(.object(id)), entry.local == local
            else { continue }
            for key in ledger.pairs(of: id) { hide(key) }
            if !entry.isAlive {
                // Everybody knows that it is deleted.
                entry.local = nil
                ledger.set(entry, for: .object(id))
                continue
            }
            if let made = ledger.pending[.object(id), nil]?.change, made.edit.isCreation, !made.isRelayed,
                entry.sequence == 0
            {
                // Nobody has heard of it, and no other device has made one of its identity.
                unheard.insert(.object(id))
                ledger.set(nil, for: .object(id))
                continue
            }
            let stamp = ledger.tick(milliseconds)
            let base = entry.existence.stamp
            entry.existence = Existence(length: entry.existence.length + 1, stamp: stamp)
            entry.local = nil
            ledger.set(entry, for: .object(id))
            hideReferences(to: id)
            let edit = Change.Edit.existence(entry.existence.length, seen: ledger.header.cursor.complete)
            add(edit, of: .object(id), entry.entity, stamp, base: base, milliseconds)
        }
        ledger.pending.removeAll(of: unheard)
    }

    /// Takes note that references without inverse lead nowhere now. The history names their objects as little
    /// as the store changes them.
    private mutating func hideReferences(to id: SyncID) {
        for referrer in ledger.referrers(of: id) {
            guard var entry = ledger.entry(.object(referrer)) else { continue }
            for reference in schema.entities[entry.entity]?.references ?? []
            where reference.rule.inverse == nil
                && entry.registers[reference.name]?.kept?.reference.map({ ledger.resolved($0) }) == id
            {
                entry.registers[reference.name]?.shown = SyncValue.null.stableHash
            }
            ledger.set(entry, for: .object(referrer))
        }
    }

    private mutating func hide(_ key: ItemKey) {
        guard var entry = ledger.entry(key) else { return }
        entry.isShown = false
        ledger.set(entry, for: key)
    }

    // MARK: Objects

    private mutating func readExistence(of row: CapturedRow) {
        let key = ItemKey.object(id(of: row.local, row.milliseconds))
        guard schema.entities[row.entity] != nil, ledger.entry(key)?.local == nil else { return }
        let stamp = ledger.tick(row.milliseconds)
        let length = (ledger.entry(key)?.existence.length ?? 0) + 1
        let existence = Existence(length: length | 1, stamp: stamp)
        var entry = LedgerEntry(entity: row.entity, existence: existence)
        entry.local = row.local
        ledger.set(entry, for: key)
        let edit = Change.Edit.existence(existence.length, seen: ledger.header.cursor.complete)
        add(edit, of: key, row.entity, stamp, base: nil, row.milliseconds)
    }

    private mutating func read(_ row: CapturedRow, _ parts: Capture.Parts) {
        let key = ItemKey.object(id(of: row.local, row.milliseconds))
        guard let entity = schema.entities[row.entity], var entry = ledger.entry(key) else { return }
        // What an object is made with has the stamp of its making.
        let made = entry.existence.stamp
        let isMade = made.time > start && ledger.pending[key, nil]?.change.stamp == made
        let stamp = isMade ? made : ledger.tick(row.milliseconds)
        for register in entity.values {
            let isReference = if case .reference = register.rule { true } else { false }
            guard parts.contains(isReference ? .references : .attributes) else { continue }
            var value = SyncValue.null
            switch row.values[register.name] {
            case .plain(let plain): value = plain
            case .object(let local): value = .reference(self.id(of: local, row.milliseconds))
            case nil: break
            }
            write(value, register.name, register.rule, &entry, key, stamp, row.milliseconds)
        }
        ledger.set(entry, for: key)
    }

    private mutating func write(
        _ value: SyncValue, _ name: String, _ rule: RegisterRule, _ entry: inout LedgerEntry, _ key: ItemKey,
        _ stamp: Stamp, _ milliseconds: UInt64
    ) {
        let old = entry.registers[name]
        let hash = value.stableHash
        guard hash != old?.shown ?? SyncValue.null.stableHash else { return }
        if value.isNull, let target = old?.kept?.reference,
            ledger.entry(.object(ledger.resolved(target)))?.local == nil
        {
            // The target was deleted, which empties the reference here and everywhere, until it comes back.
            entry.registers[name]?.shown = hash
            return
        }
        var register = LedgerRegister(stamp: stamp, shown: hash)
        var edit = Change.Edit.set(name, value)
        var addition: CounterAddition?
        if rule.merge == .counter {
            var parts = old?.counter?.parts ?? [:]
            guard let difference = Counter.difference(value, old?.counter?.sum ?? .null),
                let total = Counter.sum(parts[stamp.replica]?.total ?? .integer(0), difference)
            else { return }
            addition = CounterAddition(difference, before: parts[stamp.replica])
            parts[stamp.replica] = Counter.Part(total: total, time: stamp.time)
            register.counter = Counter(parts)
            edit = .count(name, total)
        }
        if case .reference = rule { register.kept = value }
        entry.registers[name] = register
        let isUnseen = entry.held[name] != nil
        if isUnseen { repeatHeld(name, of: &entry, key, old) }
        add(edit, of: key, entry.entity, stamp, base: isUnseen ? nil : old?.stamp, milliseconds, addition)
    }

    /// Sends a received value back to the server before an edit that replaces it. The store had refused the value, so no
    /// user has seen it here. The server logs it as lost when the edit arrives; if the server is restored from an older
    /// backup before that, this device alone still has the value.
    private mutating func repeatHeld(
        _ name: String, of entry: inout LedgerEntry, _ key: ItemKey, _ register: LedgerRegister?
    ) {
        let held = entry.held.removeValue(forKey: name)
        guard let value = held, let stamp = register?.stamp, stamp.time > .zero else { return }
        let change = Change(
            number: ledger.header.nextNumber, item: key, entity: entry.entity, edit: .set(name, value),
            stamp: stamp, isRelayed: true)
        ledger.header.nextNumber += 1
        ledger.pending.append(PendingChange(change, milliseconds: stamp.time.milliseconds))
    }

    // MARK: Changes

    /// Writes a register that the ledger keeps the value of.
    mutating func set(
        _ value: SyncValue, _ name: String, _ key: ItemKey, _ stamp: Stamp, _ milliseconds: UInt64
    ) {
        guard var entry = ledger.entry(key) else { return }
        let base = entry.registers[name]?.stamp
        entry.registers[name] = LedgerRegister(stamp: stamp, shown: value.stableHash, kept: value)
        ledger.set(entry, for: key)
        add(.set(name, value), of: key, entry.entity, stamp, base: base, milliseconds)
    }

    /// Adds a change, or folds it into an earlier one of the register that was not sent and that the ledger
    /// still shows. One that an import has overwritten is left alone, since the server has to log its value.
    private mutating func add(
        _ edit: Change.Edit, of key: ItemKey, _ entity: String, _ stamp: Stamp, base: Stamp?,
        _ milliseconds: UInt64, _ addition: CounterAddition? = nil
    ) {
        let change = Change(
            number: ledger.header.nextNumber, item: key, entity: entity, edit: edit, stamp: stamp, base: base)
        if let register = change.register, let base, base.replica == stamp.replica,
            var waiting = ledger.pending[key, register], !waiting.change.isRelayed,
            waiting.change.stamp == base
        {
            waiting.change.edit = edit
            waiting.change.stamp = stamp
            waiting.milliseconds = milliseconds
            if let earlier = waiting.addition, let addition,
                let amount = Counter.sum(earlier.amount, addition.amount)
            {
                waiting.addition = CounterAddition(amount, before: earlier.before)
            }
            ledger.pending[key, register] = waiting
            return
        }
        ledger.header.nextNumber += 1
        ledger.pending.append(PendingChange(change, milliseconds: milliseconds, addition: addition))
    }
}

extension Change.Edit {
    /// Whether this makes an object.
    var isCreation: Bool {
        if case .existence(1, _) = self { true } else { false }
    }
}
