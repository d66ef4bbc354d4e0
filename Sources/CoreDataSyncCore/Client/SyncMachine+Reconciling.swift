/// Comparing all that a device has with all that the server has: after a long time away, after the server was
/// restored, and where digests differ.
extension SyncMachine {
    /// Asks for the items in those buckets that differ, from one on.
    mutating func compare(from bucket: Int, _ now: Moment, _ ledger: Ledger) -> [SyncEffect] {
        let request = ReconcileRequest(
            epoch: ledger.header.epoch, buckets: ledger.digest.buckets, from: bucket,
            limit: settings.pageLimit)
        return send(.reconcile(request), now)
    }

    mutating func reconcile(
        _ answer: ReconcileAnswer, _ now: Moment, _ ledger: inout Ledger
    ) -> [SyncEffect] {
        var comparison = self.comparison ?? Comparison(answer, ledger.keys)
        self.comparison = nil
        // The server was restored between two portions.
        guard comparison.first.epoch == answer.epoch else { return compare(from: 0, now, ledger) }
        // No server answers so that nothing is compared.
        guard answer.next ?? .max > comparison.bucket else { return retry(now) }
        compare(answer, &comparison, &ledger)
        guard answer.next == nil else {
            self.comparison = comparison
            return compare(from: comparison.bucket, now, ledger)
        }
        hasReconciled = true
        finish(comparison, now, &ledger)
        return comparison.issues.map(SyncEffect.report) + proceed(now, &ledger)
    }

    /// Compares the items of some buckets.
    private mutating func compare(
        _ answer: ReconcileAnswer, _ comparison: inout Comparison, _ ledger: inout Ledger
    ) {
        let server = Dictionary(answer.updates.map { ($0.item, $0.state) }, uniquingKeysWith: { $1 })
        let (head, keptUntil) = (comparison.first.head, comparison.first.keptUntil ?? 0)
        let isRestored = answer.epoch != ledger.header.epoch
        let keys = comparison.takeKeys(answer, isWhole: isRestored)
        ledger.load(WorkingSet(entries: keys))
        for key in keys {
            guard let entry = ledger.entry(key) else { continue }
            // Whether the server has had more of it than its backup has.
            let wasLost = isRestored && entry.sequence > keptUntil
            let canReturn = wasLost && !comparison.hasForgotten
            // Digests do not know of deletions, and another device may bring back what was deleted since the backup.
            guard
                comparison.differing.contains(ZoneDigest.bucket(of: key))
                    || canReturn && !entry.counts(as: key)
            else { continue }
            if isRestored, entry.alias != nil, ledger.unanswered(key, nil) == nil {
                // The way to the object that it was merged into is never forgotten.
                comparison.relays += repeatUnion(key, entry, server[key])
            } else if isRestored, server[key] != nil || canReturn && entry.alias == nil {
                comparison.relays += relay(key, entry, server[key], ledger, head: head, wasLost: wasLost)
            } else if let state = server[key] {
                comparison.relays += complete(key, entry, state, ledger, head: head)
            } else {
                // Deletions and merged objects are forgotten, or nothing is known of them.
                if entry.counts(as: key) || entry.local != nil {
                    comparison.received[key] = InboxItem(
                        state: entry.stateWithoutValues(), isWhole: true, isDropped: true)
                    if isRestored {
                        comparison.issues += values(of: key, entry, ledger).map(SyncIssue.gone)
                    }
                }
            }
        }
        for update in answer.updates {
            ledger.receive(update.state.stamp)
            let item = InboxItem(state: update.state, isWhole: true)
            if ledger.entry(update.item)?.has(item, as: update.item) ?? false {
                comparison.equal.insert(update.item)
            } else {
                comparison.received[update.item] = item
            }
        }
    }

    /// Brings what the comparison has found into the ledger.
    private mutating func finish(_ comparison: Comparison, _ now: Moment, _ ledger: inout Ledger) {
        let first = comparison.first
        var relays = comparison.relays
        ledger.inbox.removeAll()
        for (key, item) in comparison.received { ledger.inbox[key] = item }
        if first.epoch != ledger.header.epoch {
            relays += takeUnread(lostAfter: first.keptUntil ?? 0, &ledger)
            renumber(comparison, &ledger)
            beginEpoch(first, now, &ledger)
        }
        ledger.relay(relays)
        ledger.header.needsReconcile = false
        ledger.header.snapshot = nil
        ledger.header.cursor = Cursor(complete: first.head)
        scan = [:]
    }

    /// Forgets numbers that the server has given since its backup: it gives them again.
    private func renumber(_ comparison: Comparison, _ ledger: inout Ledger) {
        let first = comparison.first
        for key in ledger.keys {
            guard var entry = ledger.entry(key) else { continue }
            let isEqual =
                !comparison.differing.contains(ZoneDigest.bucket(of: key)) || comparison.equal.contains(key)
            entry.sequence = isEqual ? first.head : min(entry.sequence, first.keptUntil ?? 0)
            ledger.set(entry, for: key)
        }
    }

    /// Starts again with the restored server, as a new replica: the old one's receipts mean nothing to it. So
    /// they do not tell it either if another device has the old one's ID, and edits that it has not taken get
    /// the new one.
    private mutating func beginEpoch(_ answer: ReconcileAnswer, _ now: Moment, _ ledger: inout Ledger) {
        ledger.header.epoch = answer.epoch
        ledger.header.isOutdated = false
        ledger.header.receipt = []
        var generator = MachineRandom(random)
        let replica = SyncID(milliseconds: ledger.header.received.milliseconds, random: &generator)
        random = generator.generator
        restamp(now, &ledger) { ledger in
            ledger.restampAhead(now: now.wall)
            ledger.keepTotals()
            ledger.rename(to: replica)
        }
        ledger.renumberExistence(head: answer.head)
    }

    /// Returns the changes that bring an item back to the server, as far as it has less than the device.
    private func relay(
        _ key: ItemKey, _ entry: LedgerEntry, _ state: ItemState?, _ ledger: Ledger, head: UInt64,
        wasLost: Bool
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
            add(.existence(entry.existence.length, seen: head), entry.existence.stamp)
        }
        guard entry.isAlive || key.object == nil && entry.existence.length > 0 else { return changes }
        for (name, register) in entry.registers.sorted(by: { $0.key.isBefore($1.key) }) {
            if let counter = register.counter {
                // What waits to be pushed gets to the server on its own, from another replica.
                let waiting = (ledger.header.frozen + ledger.pending.changes(of: key)).first {
                    $0.change.item == key && $0.change.register == name && !$0.change.isRelayed
                }
                for (replica, part) in counter.parts.sorted(by: { $0.key < $1.key }) {
                    let isWaiting = waiting?.change.stamp.replica == replica
                    guard let part = isWaiting ? waiting?.addition?.before : part,
                        part.time <= ledger.header.received
                    else { continue }
                    add(.count(name, part.total), Stamp(time: part.time, replica: replica))
                }
                continue
            }
            let present = state?.registers[name]?.stamp
            // A write that the server has lost and that loses now has to get into the log.
            guard present.map({ register.stamp > $0 || (wasLost && register.stamp != $0) }) ?? true,
                register.stamp.time > .zero,
                register.stamp.time <= ledger.header.received,
                ledger.unanswered(key, name)?.change.stamp != register.stamp,
                let value = value(of: name, register, key, entry)
            else { continue }
            add(.set(name, value), register.stamp)
        }
        return changes
    }

    /// Returns the change that tells the server of a merged object; none if it knows.
    private func repeatUnion(_ key: ItemKey, _ entry: LedgerEntry, _ state: ItemState?) -> [PendingChange] {
        guard let alias = entry.alias, state?.alias == nil else { return [] }
        let stamp = entry.existence.stamp
        let change = Change(
            number: 0, item: key, entity: entry.entity, edit: .merged(into: alias), stamp: stamp,
            isRelayed: true)
        return [PendingChange(change, milliseconds: stamp.time.milliseconds)]
    }

    /// Takes the changes that the server had answered before it was restored from an older backup. Nobody may
    /// have read them, so they are sent again.
    private func takeUnread(lostAfter sequence: UInt64, _ ledger: inout Ledger) -> [PendingChange] {
        let lost = ledger.header.unread.filter { $0.sequence > sequence }
        ledger.header.unread.removeAll { $0.sequence > sequence }
        return lost.map { answered in
            var waiting = answered.change
            waiting.change.isRelayed = true
            return waiting
        }
    }

    /// Returns the changes that give the server the mandatory references of a living object that it lacks: the
    /// device that pushed the object in portions may not have come to the end.
    private func complete(
        _ key: ItemKey, _ entry: LedgerEntry, _ state: ItemState, _ ledger: Ledger, head: UInt64
    ) -> [PendingChange] {
        guard entry.isAlive, state.isAlive, let entity = schema.entities[state.entity] else { return [] }
        let missing = Set(entity.references.filter { !$0.rule.isOptional }.map(\.name))
            .subtracting(state.registers.keys)
        return relay(key, entry, state, ledger, head: head, wasLost: false).filter {
            $0.change.register.map { missing.contains($0) } ?? false
        }
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

extension SyncLedger {
    /// Puts changes that the server lacks before those that wait, which may depend on them.
    fileprivate mutating func relay(_ relays: [PendingChange]) {
        guard !relays.isEmpty else { return }
        // Objects come before what refers to them.
        func isUnion(_ change: PendingChange) -> Bool {
            if case .merged = change.change.edit { true } else { false }
        }
        let objects = relays.filter { $0.change.register == nil }
        var changes = objects.filter { !isUnion($0) } + objects.filter(isUnion)
        changes += relays.filter { $0.change.register != nil } + pending.changes
        for index in changes.indices {
            changes[index].change.number = header.nextNumber
            header.nextNumber += 1
        }
        pending = PendingChanges(changes)
    }

    /// Replaces numbers of the old epoch. Deletions that wait have seen nothing of the new one, but nothing is
    /// forgotten up to its head that an object could come back from.
    fileprivate mutating func renumberExistence(head: UInt64) {
        var changes = pending.changes
        for index in changes.indices {
            if case .existence(let length, _) = changes[index].change.edit {
                changes[index].change.edit = .existence(length, seen: length % 2 == 1 ? head : 0)
            }
        }
        pending = PendingChanges(changes)
    }
}
