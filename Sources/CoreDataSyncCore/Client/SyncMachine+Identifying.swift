/// Finding out what the objects of a store are that the ledger does not know: the store is an older copy, or
/// came from another device.
///
/// Nothing is captured then until all that the server has was read, since what the store has would be taken
/// for new. The server's values win; objects that it does not have are the app's to decide about.
extension SyncMachine {
    /// Returns what shows that a capture is of another store than the ledger's.
    func replacement(_ capture: Capture, _ ledger: Ledger) -> SyncIssue? {
        guard !ledger.header.isForeign, let token = ledger.header.token else { return nil }
        let missing = CaptureReader<Ledger, MachineRandom>.missing(capture, ledger)
        return capture.token < token || missing.isTooMany ? .missingObjects(missing.locals.count) : nil
    }

    /// Makes the ledger know the objects of a store that are the server's. Returns the values that the
    /// server's replace; nil if it is not known what to do with the other objects.
    mutating func identify(_ capture: Capture, _ ledger: inout Ledger) -> [SyncIssue]? {
        let items = ledger.inbox.items.mapValues(\.state)
        let matching = StoreMatching(rows: capture.rows, items: items, schema: schema)
        let unknown = capture.rows.count - matching.ids.count
        guard unknown == 0 || ledger.header.decision != nil else {
            ledger.header.unknown = unknown
            return nil
        }
        let isDropping = ledger.header.decision == .drop
        var generator = MachineRandom(random)
        var taken = Set(matching.ids.values)
        for row in capture.rows {
            // Of objects with one identity the first has it.
            let identity = row.identity(schema).flatMap { id in
                items[.object(id)]?.alias == nil && taken.insert(id).inserted ? id : nil
            }
            let id =
                matching.ids[row.local] ?? identity
                ?? SyncID(milliseconds: row.milliseconds, random: &generator)
            ledger.name(row.local, id)
        }
        random = generator.generator
        var known = IdentifiedStore(ledger: ledger, schema: schema)
        for row in capture.rows {
            if matching.ids[row.local] != nil {
                known.read(row, length: 1)
            } else if isDropping, let id = ledger.id(of: row.local) {
                known.read(row, length: 0)
                ledger.header.kept.insert(id)
            }
        }
        for row in capture.rows { known.readOrder(row) }
        for (key, entry) in known.entries { ledger.set(entry, for: key) }
        ledger.header.isForeign = false
        ledger.header.decision = nil
        ledger.header.unknown = 0
        return capture.rows.flatMap { row -> [SyncIssue] in
            guard let id = matching.ids[row.local] ?? (isDropping ? ledger.id(of: row.local) : nil) else {
                return []
            }
            return replaced(row, id, items)
        }
    }

    /// Returns the attributes of an object that have another value on the server, or none there.
    private func replaced(
        _ row: CapturedRow, _ id: SyncID, _ items: [ItemKey: ItemState]
    ) -> [SyncIssue] {
        let (mine, theirs) = (row.state.registers, items[.object(id)]?.registers ?? [:])
        return mine.sorted { $0.key.isBefore($1.key) }.compactMap { name, register in
            guard register.value != theirs[name]?.value ?? .null else { return nil }
            return .lost(
                LostValue(
                    item: .object(id), entity: row.entity, register: name, value: register.value,
                    stamp: register.stamp, winner: theirs[name]?.stamp ?? .never, reason: .replaced))
        }
    }
}

/// What a ledger has to know of the objects of a store that it has never seen, so that what the store shows
/// is no edit and every write of the server's is later.
private struct IdentifiedStore<Ledger: SyncLedger> {
    let ledger: Ledger
    let schema: SyncSchema
    private(set) var entries: [ItemKey: LedgerEntry] = [:]

    init(ledger: Ledger, schema: SyncSchema) {
        self.ledger = ledger
        self.schema = schema
    }

    /// - Parameter length: The causal length, 0 for an object that goes.
    mutating func read(_ row: CapturedRow, length: UInt32) {
        guard let id = ledger.id(of: row.local), let entity = schema.entities[row.entity] else { return }
        var entry = LedgerEntry(
            entity: row.entity, existence: Existence(length: length, stamp: .never))
        entry.local = row.local
        for register in entity.values {
            var value = SyncValue.null
            switch row.values[register.name] {
            case .plain(let plain): value = plain
            case .object(let local): value = ledger.id(of: local).map(SyncValue.reference) ?? .null
            case nil: continue
            }
            var known = LedgerRegister(stamp: .never, shown: value.stableHash)
            if case .reference = register.rule { known.kept = value }
            entry.registers[register.name] = known
        }
        entries[.object(id)] = entry
        for (side, partners) in row.partners {
            for partner in partners.compactMap({ ledger.id(of: $0) }) {
                let key = ItemKey.pair(side, id, partner)
                var pair = LedgerEntry(
                    entity: side.name, existence: Existence(length: 1, stamp: .never))
                pair.isShown = true
                entries[key] = entries[key] ?? pair
            }
        }
    }

    mutating func readOrder(_ row: CapturedRow) {
        guard let id = ledger.id(of: row.local), entries[.object(id)] != nil else { return }
        for (name, rule) in schema.entities[row.entity]?.collections ?? [:] where rule.isOrdered {
            place(row.lists[name] ?? [], of: id, SchemaCompiler.position(rule.reference)) { .object($0) }
        }
        for side in row.partners.keys {
            guard let rule = schema.rule(of: side), rule.isOrdered, let name = rule.relationship else {
                continue
            }
            place(row.lists[name] ?? [], of: id, side.place) { .pair(side, id, $0) }
        }
    }

    private mutating func place(
        _ members: [LocalKey], of owner: SyncID, _ register: String, _ key: (SyncID) -> ItemKey
    ) {
        let ids = members.compactMap { ledger.id(of: $0) }
        let keys = OrderKey.keys(ids.count, after: nil, before: nil, by: ledger.header.replica)
        for (member, place) in zip(ids, keys) {
            let value = SyncValue.position(owner: owner, key: place)
            entries[key(member)]?.registers[register] = LedgerRegister(
                stamp: .never, shown: value.stableHash, kept: value)
        }
    }
}

extension SyncLedger {
    /// Has all that the server has read once more: with a new version of the model, it has values that were
    /// left out until now.
    package mutating func readAgain() { header.snapshot = SnapshotProgress() }

    /// Forgets the objects of the store, which is another one now, and what was read from the server. Edits
    /// that wait are still pushed.
    package mutating func forgetStore() {
        for key in keys { set(nil, for: key) }
        inbox.removeAll()
        header.token = nil
        header.cursor = Cursor(complete: 0)
        header.snapshot = SnapshotProgress()
        header.intent = nil
        header.kept = []
        header.parked = []
        header.unread = []
        header.needsReconcile = false
        header.isForeign = true
    }
}
