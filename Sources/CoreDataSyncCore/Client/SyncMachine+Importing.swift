/// Bringing what was received into the store.
extension SyncMachine {
    /// Plans an import of the inbox. Edits made until now are in the ledger.
    mutating func planImport(
        _ cursor: Cursor, _ digest: UInt64?, _ now: Moment, _ ledger: inout Ledger
    ) -> [SyncEffect] {
        let (plan, intent) = plan(cursor, digest, now, ledger)
        if plan.isEmpty { return finish(intent, now, &ledger) }
        return wait(.preparing(intent), now) + [.prepareImport(batch: intent.batch, plan)]
    }

    private mutating func plan(
        _ cursor: Cursor, _ digest: UInt64?, _ now: Moment, _ ledger: Ledger
    ) -> (ImportPlan, ImportIntent) {
        let sequence = ledger.header.snapshot?.head ?? cursor.complete
        var planner = ImportPlanner(
            ledger: ledger, schema: schema, sequence: sequence, rejected: rejected, refused: refused)
        planner.run()
        var generator = MachineRandom(random)
        let batch = SyncID(milliseconds: now.wall, random: &generator)
        random = generator.generator
        let intent = ImportIntent(
            batch: batch, entries: planner.entries, kept: planner.kept, parked: planner.parked,
            waiting: planner.waiting, cursor: cursor, digest: digest)
        return (planner.plan, intent)
    }

    /// Takes back an import that the store has not made, and returns where it would have led.
    mutating func refusedImport(_ batch: SyncID, _ ledger: inout Ledger) -> (Cursor, UInt64?)? {
        switch phase {
        case .preparing(let intent) where intent.batch == batch: return (intent.cursor, intent.digest)
        case .committing(batch):
            guard let intent = ledger.header.intent else { return nil }
            ledger.header.intent = nil
            return (intent.cursor, intent.digest)
        default: return nil
        }
    }

    /// Plans the import again without the values that the store does not take, and reports each object once. An
    /// object that is rejected all the same waits in the inbox with all that hangs together with it. If that does
    /// not help either, the whole import waits for the next pull.
    mutating func park(
        _ reasons: [SyncID: String], _ cursor: (Cursor, UInt64?), _ now: Moment, _ ledger: inout Ledger
    ) -> [SyncEffect] {
        var reports: [SyncEffect] = []
        for (id, reason) in reasons.sorted(by: { $0.key < $1.key })
        where ledger.header.parked.insert(id).inserted {
            let entity = ledger.entry(.object(id))?.entity ?? ledger.inbox[.object(id)]?.state.entity ?? ""
            reports.append(.report(.parked(id, entity: entity, reason: reason)))
        }
        let again = rejected.intersection(reasons.keys)
        guard !refused.isSuperset(of: reasons.keys) else { return reports + rest(now) }
        refused.formUnion(again)
        rejected.formUnion(reasons.keys)
        return reports + capture(.importing(cursor.0, digest: cursor.1), now, ledger)
    }

    /// Makes the ledger agree with the store after an import, and asks what has to be asked.
    mutating func finish(
        _ intent: ImportIntent, _ now: Moment, _ ledger: inout Ledger
    ) -> [SyncEffect] {
        settle(intent, &ledger)
        rejected = []
        refused = []
        refusals = 0
        let questions = ledger.header.questions.map { SyncEffect.report(.asked($0)) }
        ledger.header.questions = []
        return questions + goOn(after: intent, now, &ledger)
    }

    private func settle(_ intent: ImportIntent, _ ledger: inout Ledger) {
        ledger.load(WorkingSet(entries: intent.entries.keys))
        // An object that lets go of its name in the store comes before the one that takes it.
        var named: [(ItemKey, LedgerEntry)] = []
        for (key, var entry) in intent.entries {
            if let local = key.object.flatMap({ intent.created[$0] }) { entry?.local = local }
            if let entry, entry.local != nil {
                named.append((key, entry))
            } else {
                ledger.set(entry, for: key)
            }
        }
        for (key, entry) in named { ledger.set(entry, for: key) }
        ledger.inbox.removeAll(except: intent.waiting)
        let waiting = ledger.inbox.items
        ledger.header.intent = nil
        ledger.header.kept = intent.kept
        ledger.header.parked = intent.parked
        ledger.header.cursor = intent.cursor
        ledger.header.unread.removeAll {
            $0.sequence <= intent.cursor.complete && waiting[$0.change.change.item] == nil
        }
    }

    private mutating func goOn(
        after intent: ImportIntent, _ now: Moment, _ ledger: inout Ledger
    ) -> [SyncEffect] {
        guard ledger.header.snapshot == nil, let digest = intent.digest else { return proceed(now, &ledger) }
        guard ledger.pending.isEmpty else { return proceed(now, &ledger) }
        // What waits in the inbox is not in the ledger's digest.
        guard ledger.inbox.isEmpty else { return rest(now) }
        guard ledger.digest.whole != digest else {
            fruitlessComparisons = 0
            return rest(now)
        }
        let isNew = !ledger.header.needsReconcile && !hasReconciled
        if hasReconciled {
            // What a comparison has not mended is no better for being compared again at once.
            fruitlessComparisons = min(fruitlessComparisons + 1, 16)
            nextComparison = now.uptime + pause(after: fruitlessComparisons)
        }
        ledger.header.needsReconcile = true
        let reports = isNew ? [SyncEffect.report(.diverged)] : []
        return reports + (now.uptime < nextComparison ? rest(now) : proceed(now, &ledger))
    }
}
