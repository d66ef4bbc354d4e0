/// Reading what was edited in the store.
extension SyncMachine {
    mutating func begin(_ now: Moment, _ ledger: inout Ledger) -> [SyncEffect] {
        hasNews = false
        if ledger.header.isForeign { return proceed(now, &ledger) }
        return capture(.push, now, ledger)
    }

    /// Captures the edits for which the store has refused an import. If that goes on, the history does not tell
    /// of one, and all objects are read; in the end the machine pauses.
    mutating func captureAgain(
        _ purpose: Purpose, _ now: Moment, _ ledger: Ledger
    ) -> [SyncEffect] {
        refusals += 1
        guard refusals < 8 else {
            refusals = 0
            return retry(now)
        }
        return capture(purpose, now, ledger, isWhole: refusals > 4)
    }

    mutating func capture(
        _ purpose: Purpose, _ now: Moment, _ ledger: Ledger, isWhole: Bool = false
    ) -> [SyncEffect] {
        var token = isWhole ? nil : ledger.header.token
        if purpose.isReconcile { token = nil }
        let request = random.next()
        // A store is compared with all that it has in memory.
        let isCompared = token == nil && (ledger.header.isForeign || purpose.isReconcile)
        return wait(.capturing(purpose, request: request), now)
            + [.capture(request: request, since: token, limit: isCompared ? nil : settings.captureLimit)]
    }

    mutating func read(
        _ capture: Capture, _ purpose: Purpose, _ now: Moment, _ ledger: inout Ledger
    ) -> [SyncEffect] {
        if let issue = replacement(capture, ledger) {
            ledger.forgetStore()
            return [.report(issue)] + proceed(now, &ledger)
        }
        var reports: [SyncEffect] = []
        if ledger.header.isForeign, case .importing = purpose {
            let unknown = ledger.header.unknown
            guard let issues = identify(capture, &ledger) else {
                let isNew = ledger.header.unknown != unknown
                return (isNew ? [.report(.unknownObjects(ledger.header.unknown))] : []) + rest(now)
            }
            reports = issues.map(SyncEffect.report)
        }
        if !ledger.header.isForeign { read(capture, &ledger) }
        guard capture.isLast else {
            let request = random.next()
            return wait(.capturing(purpose, request: request), now) + [.captureMore(request: request)]
        }
        switch purpose {
        case .push: return proceed(now, &ledger)
        case .importing(let cursor, let digest): return reports + planImport(cursor, digest, now, &ledger)
        case .reconcile:
            (scan, comparison) = ([:], nil)
            for row in capture.rows { if let id = ledger.id(of: row.local) { scan[id] = row } }
            return compare(from: 0, now, ledger)
        }
    }

    private mutating func read(_ capture: Capture, _ ledger: inout Ledger) {
        // The ledger moves into the reader and back, so that it is never copied.
        if capture.isFirst { captureStart = ledger.header.last }
        var reader = CaptureReader(
            ledger: consume ledger, schema: schema, random: MachineRandom(random), start: captureStart)
        reader.read(capture)
        ledger = reader.ledger
        random = reader.random.generator
    }

    /// Changes stamps of edits that the server has not answered; orders stay.
    mutating func restamp(
        _ now: Moment, _ ledger: inout Ledger, _ change: (inout Ledger) -> Void
    ) {
        var reader = CaptureReader(
            ledger: consume ledger, schema: schema, random: MachineRandom(random), start: .latest)
        reader.keepingOrders(now.wall, change)
        ledger = reader.ledger
    }
}
