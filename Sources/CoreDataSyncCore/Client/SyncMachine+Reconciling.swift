/// Comparing all that a device has with all that the server has: after a long time away, after the server was
/// restored, and where digests differ.
extension SyncMachine {
    mutating func reconcile(
        _ answer: ReconcileAnswer, _ now: Moment, _ ledger: inout Ledger
    ) -> [SyncIssue] {
        var issues: [SyncIssue] = []
        let server = Dictionary(answer.updates.map { ($0.item, $0.state) }, uniquingKeysWith: { $1 })
        let differing = Set(answer.buckets)
        let isRestored = answer.epoch != ledger.header.epoch
        var relays: [PendingChange] = []
        ledger.inbox = [:]
        for key in ledger.keys where differing.contains(ZoneDigest.bucket(of: key)) {
            guard let entry = ledger.entry(key) else { continue }
            let isLost = isRestored && !answer.hasForgotten && entry.sequence > answer.keptUntil ?? 0
            if isLost || (isRestored && server[key] != nil) {
                relays += relay(key, entry, server[key], ledger, isLost: isLost)
            } else if server[key] == nil {
                // Deletions and merged objects are forgotten, or nothing is known of them.
                if entry.stateForDigest().counts(as: key) || entry.local != nil {
                    ledger.inbox[key] = InboxItem(
                        state: entry.stateForDigest(), isWhole: true, isDropped: true)
                    if isRestored { issues += values(of: key, entry, ledger).map(SyncIssue.gone) }
                }
            }
        }
        for update in answer.updates {
            ledger.receive(update.state.stamp)
            ledger.inbox[update.item] = InboxItem(state: update.state, isWhole: true)
        }
        if isRestored { beginEpoch(answer.epoch, relays, now, &ledger) }
        ledger.header.needsReconcile = false
        ledger.header.snapshot = nil
        ledger.header.cursor = Cursor(complete: answer.head)
        scan = [:]
        return issues
    }

    /// Starts again with the restored server, as a new replica: the old one's receipts mean nothing to it.
    private mutating func beginEpoch(
        _ epoch: UInt64, _ relays: [PendingChange], _ now: Moment, _ ledger: inout Ledger
    ) {
        ledger.header.epoch = epoch
        ledger.header.isOutdated = false
        // Objects come before what refers to them.
        let latest = ledger.corrected(now.wall)
        for index in ledger.header.frozen.indices { ledger.header.frozen[index].markCreation(until: latest) }
        let objects = relays.filter { $0.change.register == nil }
        ledger.pending =
            objects + relays.filter { $0.change.register != nil } + ledger.header.frozen + ledger.pending
        ledger.header.frozen = []
        ledger.header.receipt = []
        for index in ledger.pending.indices {
            ledger.pending[index].change.number = ledger.header.nextNumber
            ledger.header.nextNumber += 1
            if case .existence(let length, _) = ledger.pending[index].change.edit {
                // Numbers of the old epoch say nothing about what a deletion has seen.
                ledger.pending[index].change.edit = .existence(length, seen: 0)
            }
        }
        var generator = MachineRandom(random)
        ledger.header.replica = SyncID(
            milliseconds: ledger.header.received.milliseconds, random: &generator)
        random = generator.generator
    }

    /// Returns the changes that bring an item back to the server, as far as it has less than the device.
    private func relay(
        _ key: ItemKey, _ entry: LedgerEntry, _ state: ItemState?, _ ledger: Ledger, isLost: Bool
    ) -> [PendingChange] {
        var changes: [PendingChange] = []
        func add(_ edit: Change.Edit, _ stamp: Stamp) {
            changes.append(
                PendingChange(
                    Change(
                        number: 0, item: key, entity: entry.entity, edit: edit, stamp: stamp,
                        isRelayed: true),
                    milliseconds: stamp.time.milliseconds))
        }
        if key.object != nil, entry.existence.length > state?.existence.length ?? 0,
            ledger.unanswered(key, nil) == nil
        {
            add(.existence(entry.existence.length, seen: 0), entry.existence.stamp)
        }
        guard entry.isAlive || key.object == nil else { return changes }
        for (name, register) in entry.registers.sorted(by: { $0.key.isBefore($1.key) }) {
            if let counter = register.counter {
                for (replica, part) in counter.parts.sorted(by: { $0.key < $1.key })
                where part.time <= ledger.header.received {
                    add(.count(name, part.total), Stamp(time: part.time, replica: replica))
                }
                continue
            }
            let present = state?.registers[name]?.stamp
            // A write of this device that loses has to get into the log once more.
            let isOwn = isLost && register.stamp.replica == ledger.header.replica && register.stamp != present
            guard present.map({ register.stamp > $0 || isOwn }) ?? true, register.stamp.time > .zero,
                register.stamp.time <= ledger.header.received,
                ledger.unanswered(key, name)?.change.stamp != register.stamp,
                let value = value(of: name, register, key, entry)
            else { continue }
            add(.set(name, value), register.stamp)
        }
        return changes
    }

    /// Returns the value of a register, if the store still shows what the ledger knows.
    private func value(
        of name: String, _ register: LedgerRegister, _ key: ItemKey, _ entry: LedgerEntry
    ) -> SyncValue? {
        if let value = register.kept ?? entry.held[name] { return value }
        guard let id = key.object, let row = scan[id] else { return nil }
        switch row.values[name] {
        case .plain(let value): return value.stableHash == register.shown ? value : nil
        case .object: return nil
        case nil: return SyncValue.null.stableHash == register.shown ? .null : nil
        }
    }

    /// Returns what a device has of an item, as changes.
    private func values(of key: ItemKey, _ entry: LedgerEntry, _ ledger: Ledger) -> [Change] {
        entry.registers.sorted { $0.key.isBefore($1.key) }.compactMap { name, register in
            guard let value = value(of: name, register, key, entry) else { return nil }
            return Change(
                number: 0, item: key, entity: entry.entity, edit: .set(name, value), stamp: register.stamp)
        }
    }
}
