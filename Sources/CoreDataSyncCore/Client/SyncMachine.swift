/// The cycle of a device: capture, push, pull, import. It does no I/O: an event comes in, effects go out.
///
/// What must survive is in the ledger, so a machine that starts again with the ledger of any moment goes on
/// from there. Each state ends by an event or by its deadline; none waits for something that may never come.
package struct SyncMachine<Ledger: SyncLedger>: Sendable where Ledger: Sendable {
    package struct Settings: Hashable, Sendable {
        /// How long an answer may take, in milliseconds.
        package var timeout: UInt64 = 30_000
        /// How long edits are collected before they are sent.
        package var debounce: UInt64 = 300
        /// How long the machine rests without news.
        package var poll: UInt64 = 60_000
        /// The longest pause after failures.
        package var longestRetry: UInt64 = 60_000
        /// The changes of a push and the items of a page.
        package var pushLimit = 1000
        package var pageLimit = 1000
        /// The objects of a portion of a capture.
        package var captureLimit = 500
        /// The bytes of a push's changes. A change that has more is not sent.
        package var pushBytes = 1 << 20
        /// The bytes of a value that is stored apart.
        package var blobBytes: UInt64 = 256 << 20

        package init() {}
    }

    enum Phase: Sendable {
        case idle
        case capturing(Purpose, request: UInt64)
        case sending(UInt64)
        case preparing(ImportIntent)
        case committing(SyncID)
        case finding(SyncID)
    }

    enum Purpose: Sendable {
        case push
        case importing(Cursor, digest: UInt64?)
        case reconcile

        var isReconcile: Bool { if case .reconcile = self { true } else { false } }
    }

    let schema: SyncSchema
    let settings: Settings
    var random: any RandomNumberGenerator & Sendable
    var phase = Phase.idle
    package private(set) var deadline: UInt64 = 0
    var failures: UInt64 = 0
    /// Whether all was compared since the machine has rested.
    var hasReconciled = false
    /// Whether all edits were stamped again since the server has last taken a push.
    var isRestamped = false
    /// How often the store has refused the import under way.
    var refusals = 0
    var pushLimit: Int
    /// Whether something came while the machine was at work.
    var hasNews = false
    /// Objects of which the store has rejected what the import under way brings.
    var rejected: Set<SyncID> = []
    /// Those of them that it has rejected again, without the values that it had not taken.
    var refused: Set<SyncID> = []
    /// How many comparisons in a row have not mended what differs, and when the next one is due.
    var fruitlessComparisons: UInt64 = 0
    var nextComparison: UInt64 = 0
    /// The device's clock before the first portion of the capture under way.
    var captureStart = HybridTime.zero
    /// The comparison under way.
    var comparison: Comparison?
    /// The values of the store, while the zone is compared.
    var scan: [SyncID: CapturedRow] = [:]

    package init(
        schema: SyncSchema, settings: Settings = Settings(), random: any RandomNumberGenerator & Sendable
    ) {
        self.schema = schema
        self.settings = settings
        self.random = random
        pushLimit = settings.pushLimit
    }

    /// What the machine is doing, for logs.
    package var phaseName: String {
        switch phase {
        case .idle: "idle"
        case .capturing: "capturing"
        case .sending: "sending"
        case .preparing, .committing: "importing"
        case .finding: "finding an import"
        }
    }

    /// Whether the machine waits for the answer to a request.
    package func waits(for token: UInt64) -> Bool { if case .sending(token) = phase { true } else { false } }

    package var isIdle: Bool { if case .idle = phase { true } else { false } }

    /// Handles an event. The ledger is committed before the effects are performed.
    package mutating func handle(
        _ event: SyncEvent, at now: Moment, _ ledger: inout Ledger
    ) -> [SyncEffect] {
        let effects = effects(of: event, at: now, &ledger)
        for case .report(let issue) in effects { ledger.issues.append(issue) }
        return effects
    }

    private mutating func effects(
        of event: SyncEvent, at now: Moment, _ ledger: inout Ledger
    ) -> [SyncEffect] {
        switch event {
        case .start:
            guard let intent = ledger.header.intent else { return begin(now, &ledger) }
            return find(intent.batch, now)
        case .storeReplaced:
            ledger.forgetStore()
            return begin(now, &ledger)
        case .decided(let decision):
            if ledger.header.isForeign { ledger.header.decision = decision }
            return hurry(now)
        case .time: return now.uptime >= deadline ? timeOut(now, &ledger) : []
        case .localChange, .poke: return hurry(now)
        case .captured(let request, let capture):
            // One that comes late would be taken for another purpose.
            guard case .capturing(let purpose, request) = phase else { return [] }
            return read(capture, purpose, now, &ledger)
        case .response(let token, let response):
            guard case .sending(token) = phase else { return [] }
            failures = 0
            return read(response, now, &ledger)
        case .failed(let token):
            guard case .sending(token) = phase else { return [] }
            return retry(now)
        case .prepared(let batch, let created):
            guard case .preparing(var intent) = phase, intent.batch == batch else { return [] }
            intent.created = created
            ledger.header.intent = intent
            return wait(.committing(batch), now) + [.commitImport(batch: batch)]
        case .importRefused(let batch):
            guard let cursor = refusedImport(batch, &ledger) else { return [] }
            return captureAgain(.importing(cursor.0, digest: cursor.1), now, ledger)
        case .importRejected(let batch, let reasons):
            guard let cursor = refusedImport(batch, &ledger) else { return [] }
            return park(reasons, cursor, now, &ledger)
        case .imported(let batch):
            guard case .committing(batch) = phase, let intent = ledger.header.intent else { return [] }
            return finish(intent, now, &ledger)
        case .found(let batch, let isThere):
            guard case .finding(batch) = phase, let intent = ledger.header.intent else { return [] }
            if isThere {
                // Who edited since then told the run that ended.
                hasNews = true
                return finish(intent, now, &ledger)
            }
            ledger.header.intent = nil
            return begin(now, &ledger)
        }
    }

    // MARK: Waiting

    /// Enters a state that ends at the latest when its time is up.
    mutating func wait(_ phase: Phase, _ now: Moment) -> [SyncEffect] {
        self.phase = phase
        deadline = now.uptime + settings.timeout
        return [.wake(at: deadline)]
    }

    /// Rests until there is news.
    mutating func rest(_ now: Moment) -> [SyncEffect] {
        phase = .idle
        (scan, comparison) = ([:], nil)
        rejected = []
        refused = []
        refusals = 0
        hasReconciled = false
        deadline = now.uptime + (hasNews ? settings.debounce : settings.poll)
        if nextComparison > now.uptime { deadline = min(deadline, nextComparison) }
        hasNews = false
        return [.wake(at: deadline)]
    }

    /// Takes note of news.
    private mutating func hurry(_ now: Moment) -> [SyncEffect] {
        guard isIdle else {
            hasNews = true
            return []
        }
        if failures == 0 { deadline = min(deadline, now.uptime + settings.debounce) }
        return [.wake(at: deadline)]
    }

    /// Takes note that a request is on its way now, which may be long after the event it came of: the ledger was written
    /// in between. The time for the answer begins here.
    package mutating func noteSent(_ token: UInt64, at now: Moment) {
        if waits(for: token) { deadline = now.uptime + settings.timeout }
    }

    /// Gives up what is being done, since the ledger could not be read, and pauses. What the ledger has then decides how
    /// to go on, as after the end of a process.
    package mutating func interrupt(_ now: Moment) {
        _ = rest(now)
        _ = retry(now)
    }

    /// Pauses after a failure, longer each time.
    mutating func retry(_ now: Moment) -> [SyncEffect] {
        phase = .idle
        hasReconciled = false
        failures = min(failures + 1, 16)
        deadline = now.uptime + pause(after: failures)
        return [.wake(at: deadline)]
    }

    /// How long to wait after so many failures in a row.
    func pause(after failures: UInt64) -> UInt64 { min(settings.longestRetry, 500 << failures) }

    private mutating func timeOut(_ now: Moment, _ ledger: inout Ledger) -> [SyncEffect] {
        switch phase {
        case .sending: return retry(now)
        case .idle, .capturing, .preparing, .committing, .finding:
            guard let intent = ledger.header.intent else { return begin(now, &ledger) }
            return find(intent.batch, now)
        }
    }

    private mutating func find(_ batch: SyncID, _ now: Moment) -> [SyncEffect] {
        wait(.finding(batch), now) + [.findImport(batch: batch)]
    }

    // MARK: Sending

    /// Does the next thing of the cycle.
    mutating func proceed(_ now: Moment, _ ledger: inout Ledger) -> [SyncEffect] {
        if ledger.header.isOutdated { return capture(.reconcile, now, ledger) }
        if !ledger.header.frozen.isEmpty || !ledger.pending.isEmpty { return push(now, &ledger) }
        if ledger.header.needsReconcile, now.uptime >= nextComparison {
            return capture(.reconcile, now, ledger)
        }
        let epoch = ledger.header.epoch
        if let progress = ledger.header.snapshot {
            return send(
                .snapshot(
                    SnapshotRequest(epoch: epoch, after: progress.after, limit: settings.pageLimit)), now)
        }
        return send(
            .pull(PullRequest(epoch: epoch, cursor: ledger.header.cursor, limit: settings.pageLimit)), now)
    }

    private mutating func push(_ now: Moment, _ ledger: inout Ledger) -> [SyncEffect] {
        if ledger.header.frozen.isEmpty {
            ledger.header.frozen = ledger.pending.takeFirst(pushLimit, bytes: settings.pushBytes)
            if let reason = excess(of: ledger.header.frozen) { return giveUp(reason, now, &ledger) }
        }
        return send(
            .push(
                PushRequest(
                    epoch: ledger.header.epoch, replica: ledger.header.replica,
                    previous: ledger.header.receipt, received: ledger.header.received,
                    changes: ledger.header.frozen.map(\.change))), now)
    }

    /// Returns why a change that is alone cannot be sent; nil if it can.
    private func excess(of changes: [PendingChange]) -> String? {
        guard changes.count == 1, let change = changes.first?.change else { return nil }
        func reason(_ bytes: some BinaryInteger, _ limit: some BinaryInteger) -> String? {
            bytes > limit ? "it has \(bytes) bytes, and the server takes \(limit) at most" : nil
        }
        if let reason = reason(change.value.blobSizes.max() ?? 0, settings.blobBytes) { return reason }
        return change.byteBound > settings.pushBytes ? reason(change.messageBytes, settings.pushBytes) : nil
    }

    mutating func send(_ request: SyncRequest, _ now: Moment) -> [SyncEffect] {
        let token = random.next()
        return wait(.sending(token), now) + [.send(token: token, request)]
    }
}
