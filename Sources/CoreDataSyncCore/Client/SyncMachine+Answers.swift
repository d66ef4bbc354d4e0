/// What the answers of the server do to the ledger.
extension SyncMachine {
    /// By how many milliseconds a clock may be off without anything being stamped again. The way of an answer takes as long.
    private static var clockTolerance: UInt64 { 1000 }

    mutating func read(
        _ response: SyncResponse, _ now: Moment, _ ledger: inout Ledger
    ) -> [SyncEffect] {
        ledger.header.offset = Int64(clamping: response.milliseconds) - Int64(clamping: now.wall)
        switch response.answer {
        case .push(let answer): return read(answer, now, &ledger)
        case .pull(let page): return read(page, now, &ledger)
        case .snapshot(let page): return read(page, now, &ledger)
        case .reconcile(let answer): return reconcile(answer, now, &ledger)
        case .refused(let refusal): return read(refusal, now, &ledger)
        // The machine asks for none, so what it waits for is still to come.
        case .task: return []
        }
    }

    private mutating func read(
        _ answer: PushAnswer, _ now: Moment, _ ledger: inout Ledger
    ) -> [SyncEffect] {
        var effects: [SyncEffect] = []
        ledger.load(WorkingSet(entries: ledger.header.frozen.lazy.map(\.change.item)))
        for (waiting, outcome) in zip(ledger.header.frozen, answer.outcomes) {
            let change = waiting.change
            if isHidden(change, outcome, ledger) {
                ledger.header.unread.append(AnsweredChange(waiting, sequence: answer.sequence))
            }
            switch outcome {
            case .superseded: ledger.receive(change.stamp)
            case .applied, .alias:
                ledger.receive(change.stamp)
                if outcome == .applied {
                    let rule = change.register.map { schema.mergeRule($0, of: change.entity) }
                    ledger.inbox[change.item]?.add(change, rule ?? .latest)
                }
                guard var entry = ledger.entry(change.item) else { break }
                entry.sequence = answer.sequence
                let isMoved = outcome != .applied && change.item.object == nil
                // The server has no such pair, but one of the object that an object of it was merged into. The store shows it
                // until that one is received.
                if isMoved { entry.existence = Existence(length: 0, stamp: entry.existence.stamp) }
                ledger.set(isMoved && !entry.isShown ? nil : entry, for: change.item)
            case .rejected(let reason):
                effects.append(.report(.rejected(change, reason)))
                forsake(change, &ledger)
            case .gone:
                effects.append(.report(.gone(change)))
                forsake(change, &ledger)
            }
        }
        ledger.header.frozen = []
        ledger.header.receipt = answer.receipt
        isRestamped = false
        pushLimit = settings.pushLimit
        return effects + proceed(now, &ledger)
    }

    /// Whether the server has taken a value that the store does not show: it lost, or went to the object that
    /// this one has become, or has brought an object back that the store has deleted meanwhile.
    private func isHidden(_ change: Change, _ outcome: Outcome, _ ledger: Ledger) -> Bool {
        guard change.register != nil else { return false }
        let entry = ledger.entry(change.item)
        return switch outcome {
        case .superseded, .alias: true
        case .applied: entry?.alias != nil || change.item.object != nil && entry?.local == nil
        case .rejected, .gone: false
        }
    }

    /// Takes note that the server does not have a change, so that what it has replaces it.
    private func forsake(_ change: Change, _ ledger: inout Ledger) {
        ledger.header.needsReconcile = true
        guard var entry = ledger.entry(change.item), let name = change.register,
            entry.registers[name]?.stamp == change.stamp
        else { return }
        entry.registers[name]?.stamp = .untaken
        ledger.set(entry, for: change.item)
    }

    private mutating func read(
        _ page: ChangesPage, _ now: Moment, _ ledger: inout Ledger
    ) -> [SyncEffect] {
        let questions = page.lost.filter { isAsked($0, ledger) }
        ledger.header.questions += questions
        let reports = page.lost.filter { !questions.contains($0) }.map { SyncEffect.report(.lost($0)) }
        stage(page.updates, &ledger)
        guard page.isComplete else {
            ledger.header.cursor = page.next
            return reports + proceed(now, &ledger)
        }
        let end = Cursor(complete: page.next.complete)
        // If this run ends before the import, the next one finds the pages in the ledger.
        ledger.header.cursor.sequence = end.complete
        ledger.header.cursor.item = nil
        return reports + capture(.importing(end, digest: page.digest), now, ledger)
    }

    /// Whether the model wants the app of this device to be asked about a value that lost.
    private func isAsked(_ lost: LostValue, _ ledger: Ledger) -> Bool {
        guard lost.reason == .concurrent, lost.stamp.replica == ledger.header.replica else { return false }
        return lost.register.map { schema.mergeRule($0, of: lost.entity) == .ask } ?? false
    }

    private mutating func read(
        _ page: SnapshotPage, _ now: Moment, _ ledger: inout Ledger
    ) -> [SyncEffect] {
        guard var progress = ledger.header.snapshot else { return rest(now) }
        stage(page.updates, ofSnapshot: progress.head ?? page.head, &ledger)
        progress.after = page.updates.last?.item ?? progress.after
        progress.head = progress.head ?? page.head
        progress.received += page.updates.count
        progress.total = page.total ?? progress.total
        if page.isComplete {
            ledger.header.snapshot = nil
            ledger.header.cursor = Cursor(complete: progress.head ?? 0)
            if knowsMore(than: ledger.header.cursor, ledger) { ledger.header.needsReconcile = true }
        } else {
            ledger.header.snapshot = progress
        }
        if ledger.header.isForeign { return proceed(now, &ledger) }
        return capture(.importing(ledger.header.cursor, digest: nil), now, ledger)
    }

    /// Whether the ledger has an item that was in no page of a snapshot. The server had it from this device before the
    /// first page, and has forgotten since that it was deleted.
    private func knowsMore(than cursor: Cursor, _ ledger: Ledger) -> Bool {
        ledger.keys.contains { key in
            guard let entry = ledger.entry(key), entry.counts(as: key), entry.sequence < cursor.complete,
                ledger.inbox[key] == nil
            else { return false }
            return ledger.unanswered(key, key.object == nil ? ItemState.presence : nil) == nil
        }
    }

    /// Puts received items into the inbox, but for those that the store shows already, and raises the clock.
    ///
    /// - Parameter head: The number of the zone that whole items are of; nil for items with what is new of them.
    private func stage(_ updates: [ItemUpdate], ofSnapshot head: UInt64? = nil, _ ledger: inout Ledger) {
        ledger.load(WorkingSet(entries: updates.lazy.map(\.item)))
        for update in updates {
            ledger.receive(update.state.stamp)
            let received = InboxItem(state: update.state, isWhole: head != nil)
            if ledger.inbox[update.item] == nil, var entry = ledger.entry(update.item),
                entry.has(received, as: update.item)
            {
                entry.sequence = max(entry.sequence, head ?? 0)
                ledger.set(entry, for: update.item)
            } else {
                ledger.inbox.add(update.state, to: update.item, isWhole: received.isWhole)
            }
        }
    }

    // MARK: Refusals

    private mutating func read(
        _ refusal: Refusal, _ now: Moment, _ ledger: inout Ledger
    ) -> [SyncEffect] {
        switch refusal {
        case .epoch(let epoch):
            if ledger.header.epoch == 0 {
                // The first contact: from here on the clock is known. Stamps of one that is right stay, however many they
                // are.
                ledger.header.epoch = epoch
                if ledger.header.offset.magnitude > Self.clockTolerance { ledger.restamp(now: now.wall) }
            } else {
                ledger.header.isOutdated = true
            }
            return proceed(now, &ledger)
        case .forgotten:
            ledger.header.needsReconcile = true
            ledger.header.snapshot = nil
            nextComparison = 0
            return proceed(now, &ledger)
        case .clone(let isTaken):
            if isTaken { ledger.keepTotals() }
            var generator = MachineRandom(random)
            let replica = SyncID(milliseconds: ledger.corrected(now.wall), random: &generator)
            random = generator.generator
            restamp(now, &ledger) { ledger in
                ledger.restampAhead(now: now.wall)
                ledger.rename(to: replica)
            }
            ledger.header.receipt = []
            return proceed(now, &ledger)
        case .clockAhead:
            restamp(now, &ledger) { $0.restamp(now: now.wall) }
            defer { isRestamped = true }
            return isRestamped ? retry(now) : proceed(now, &ledger)
        case .invalid(let reason), .tooManySteps(let reason): return split(reason, now, &ledger)
        }
    }

    /// Sends fewer changes at once, until the one is found that the server does not take. It is reported, and
    /// the rest goes on.
    private mutating func split(
        _ reason: String, _ now: Moment, _ ledger: inout Ledger
    ) -> [SyncEffect] {
        let frozen = ledger.header.frozen
        guard frozen.count == 1 else {
            pushLimit = max(1, frozen.count / 2)
            ledger.pending = PendingChanges(ledger.takeUnanswered())
            return frozen.isEmpty ? rest(now) : proceed(now, &ledger)
        }
        return giveUp(reason, now, &ledger)
    }

    /// Reports the only change that is about to be sent as rejected, and goes on with the rest.
    mutating func giveUp(_ reason: String, _ now: Moment, _ ledger: inout Ledger) -> [SyncEffect] {
        let changes = ledger.header.frozen.map(\.change)
        ledger.header.frozen = []
        for change in changes { forsake(change, &ledger) }
        pushLimit = settings.pushLimit
        return changes.map { .report(.rejected($0, reason)) } + proceed(now, &ledger)
    }
}
