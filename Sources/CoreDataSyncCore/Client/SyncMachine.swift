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
    }

    let schema: SyncSchema
    let settings: Settings
    var random: any RandomNumberGenerator & Sendable
    var phase = Phase.idle
    package private(set) var deadline: UInt64 = 0
    var failures: UInt64 = 0
    /// Whether all was compared since the machine has rested.
    var hasReconciled = false
    /// How often the store has refused the import under way.
    var refusals = 0
    var pushLimit: Int
    /// Whether something came while the machine was at work.
    private var hasNews = false
    /// Objects of which the store has rejected what the import under way brings.
    var rejected: Set<SyncID> = []
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
            if isThere { return finish(intent, now, &ledger) }
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
        scan = [:]
        rejected = []
        refusals = 0
        hasReconciled = false
        deadline = now.uptime + (hasNews ? settings.debounce : settings.poll)
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

    /// Pauses after a failure, longer each time.
    mutating func retry(_ now: Moment) -> [SyncEffect] {
        phase = .idle
        hasReconciled = false
        failures = min(failures + 1, 16)
        deadline = now.uptime + min(settings.longestRetry, 500 << failures)
        return [.wake(at: deadline)]
    }

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

    // MARK: Capturing

    mutating func begin(_ now: Moment, _ ledger: inout Ledger) -> [SyncEffect] {
        hasNews = false
        if ledger.header.isForeign { return proceed(now, &ledger) }
        return capture(.push, now, ledger)
    }

    /// Captures the edits for which the store has refused an import. If that goes on, the history does not tell
    /// of one, and all objects are read; in the end the machine pauses.
    private mutating func captureAgain(
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
        if case .reconcile = purpose { token = nil }
        let request = random.next()
        return wait(.capturing(purpose, request: request), now) + [.capture(request: request, since: token)]
    }

    private mutating func read(
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
        switch purpose {
        case .push: return proceed(now, &ledger)
        case .importing(let cursor, let digest): return reports + planImport(cursor, digest, now, &ledger)
        case .reconcile:
            scan = [:]
            for row in capture.rows { if let id = ledger.id(of: row.local) { scan[id] = row } }
            let request = ReconcileRequest(epoch: ledger.header.epoch, buckets: ledger.digest.buckets)
            return send(.reconcile(request), now)
        }
    }

    private mutating func read(_ capture: Capture, _ ledger: inout Ledger) {
        // The ledger moves into the reader and back, so that it is never copied.
        var reader = CaptureReader(ledger: consume ledger, schema: schema, random: MachineRandom(random))
        reader.read(capture)
        ledger = reader.ledger
        random = reader.random.generator
    }

    // MARK: Sending

    /// Does the next thing of the cycle.
    mutating func proceed(_ now: Moment, _ ledger: inout Ledger) -> [SyncEffect] {
        if ledger.header.isOutdated { return capture(.reconcile, now, ledger) }
        if !ledger.header.frozen.isEmpty || !ledger.pending.isEmpty { return push(now, &ledger) }
        if ledger.header.needsReconcile { return capture(.reconcile, now, ledger) }
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
            ledger.header.frozen = ledger.pending.takeFirst(pushLimit)
        }
        return send(
            .push(
                PushRequest(
                    epoch: ledger.header.epoch, replica: ledger.header.replica,
                    previous: ledger.header.receipt, changes: ledger.header.frozen.map(\.change))), now)
    }

    private mutating func send(_ request: SyncRequest, _ now: Moment) -> [SyncEffect] {
        let token = random.next()
        return wait(.sending(token), now) + [.send(token: token, request)]
    }
}

/// The machine's generator, for code that is generic over generators.
struct MachineRandom: RandomNumberGenerator {
    var generator: any RandomNumberGenerator & Sendable

    init(_ generator: any RandomNumberGenerator & Sendable) {
        self.generator = generator
    }

    mutating func next() -> UInt64 { generator.next() }
}
