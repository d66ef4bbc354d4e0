import CoreDataSyncCore

/// Devices and a server in virtual time, on one thread, from one seed: the same seed gives the same run.
struct Simulation {
    /// What can be broken on purpose, to show that the invariants notice it.
    struct Sabotage: OptionSet, Sendable {
        let rawValue: Int
        static let merge = Sabotage(rawValue: 1)
        static let cursor = Sabotage(rawValue: 2)
        static let importGuard = Sabotage(rawValue: 4)
        static let retry = Sabotage(rawValue: 8)
    }

    enum Action {
        case event(SyncEvent)
        case request(token: UInt64, SyncRequest)
        case edit
        case disturb
    }

    struct Entry {
        var time: UInt64
        var order: Int
        var device: Int
        var run: Int?
        var action: Action
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let schema: SyncSchema
    let server: ZoneServer
    let sabotage: Sabotage
    var random: SeededGenerator
    var storage: DictionaryStorage
    var backup: DictionaryStorage?
    var devices: [SimDevice] = []
    var record = SimRecord()
    private(set) var now: UInt64 = 0
    private var queue = EventQueue()
    private var order = 0
    private(set) var isHealed = false
    let usesBytes: Bool
    let faults: Int
    private let editsAmidImports: Bool
    /// Whether apps do not take some values as long as there are faults.
    private let isPicky: Bool
    /// Whether apps take nothing of some objects as long as there are faults.
    private let isStubborn: Bool
    /// Whether older copies take the place of stores, and not of the server's zone: together they lose what was
    /// typed between both copies.
    let replacesStores: Bool
    let settings: SyncMachine<DictionaryLedger>.Settings
    /// Whether there are copies of devices or stores, so that an edit may have been made twice or never.
    var hasCopies = false
    /// How far the clock of the server's machine is behind since the server was restored there.
    var serverDelay: UInt64 = 0
    var serverClock: SeededGenerator
    private var portionChance: SeededGenerator
    var serverTime: UInt64 { SimClock.start + now - serverDelay }

    /// The tests of models show that it compiles.
    static let schema = try! TestModel.library.compiled()

    init(seed: UInt64, sabotage: Sabotage = []) {
        random = SeededGenerator(seed)
        self.sabotage = sabotage
        schema = Self.schema
        server = ZoneServer(schema: schema, replica: SyncID(high: 1, low: 1))
        storage = DictionaryStorage(schema: schema)
        usesBytes = random.chance(20)
        faults = random.pick([0, 3, 8, 15])
        editsAmidImports = random.chance(30)
        var later = SeededGenerator(seed &+ 1 << 40)
        isPicky = later.chance(20)
        replacesStores = later.chance(25)
        isStubborn = later.chance(10)
        serverClock = later
        portionChance = SeededGenerator(seed &+ 2 << 40)
        var settings = SyncMachine<DictionaryLedger>.Settings()
        settings.timeout = 5000
        settings.poll = 8000
        settings.longestRetry = 8000
        settings.pushLimit = random.pick([1, 3, 1000])
        settings.pageLimit = random.pick([1, 4, 1000])
        settings.captureLimit = portionChance.pick([1, 2, 4, 1000, 1000])
        self.settings = settings
        for _ in 0..<(3 + random.below(4)) { addDevice() }
    }

    mutating func addDevice() {
        devices.append(SimDevice(schema: schema, settings: settings, seed: random.next()))
        devices[devices.count - 1].app.prefix = "d\(devices.count - 1)-"
        if random.chance(40) { devices[devices.count - 1].clock.disturb(now, &random) }
        begin(devices.count - 1)
    }

    mutating func begin(_ index: Int) {
        plan(.event(.start), on: index, after: 0, run: devices[index].run)
        plan(.edit, on: index, after: UInt64(random.below(3000)))
        plan(.disturb, on: index, after: UInt64(random.below(20_000)))
    }

    mutating func plan(_ action: Action, on device: Int, after delay: UInt64, run: Int? = nil) {
        order += 1
        queue.insert(Entry(time: now + delay, order: order, device: device, run: run, action: action))
    }

    // MARK: Running

    /// Runs for a minute with faults and as long without as it takes until all devices rest.
    mutating func run() throws {
        while let entry = queue.popFirst(), entry.time < 60_000 { try perform(entry) }
        isHealed = true
        for index in devices.indices {
            devices[index].isOffline = false
            restart(index)
        }
        let end = now + 1_200_000
        while let entry = queue.popFirst() {
            try perform(entry)
            if case .event(.time) = entry.action, isQuiet { break }
            guard now < end else {
                throw Failure(description: "not at rest: \(devices.map(\.machine.phaseName))")
            }
        }
        try checkEnd()
    }

    private var isQuiet: Bool {
        devices.allSatisfy {
            $0.machine.isIdle && $0.ledger.pending.isEmpty && $0.ledger.header.frozen.isEmpty
                && $0.ledger.header.cursor.complete == storage.header.sequence
                && !$0.ledger.header.needsReconcile
                && $0.ledger.header.token == $0.store.lastNumber
                && $0.ledger.header.epoch == storage.header.epoch
                && $0.ledger.header.snapshot == nil && $0.ledger.inbox.isEmpty
                && $0.ledger.header.parked.isEmpty
                && !$0.ledger.header.isForeign && !$0.isReplaced
        }
    }

    private mutating func perform(_ entry: Entry) throws {
        now = max(now, entry.time)
        let index = entry.device
        if let run = entry.run, run != devices[index].run { return }
        switch entry.action {
        case .event(let event): try handle(event, index)
        case .request(let token, let request): try serve(token, request, index, entry.run ?? 0)
        case .edit:
            guard !isHealed else { return }
            devices[index].edit(now, &random)
            plan(.event(.localChange), on: index, after: 1, run: devices[index].run)
            plan(.edit, on: index, after: UInt64(random.below(8000)))
        case .disturb:
            guard !isHealed else { return }
            disturb(index)
            plan(.disturb, on: index, after: UInt64(random.below(15_000)))
        }
    }

    // MARK: Devices

    private mutating func handle(_ event: SyncEvent, _ index: Int) throws {
        // A crash before the ledger is committed leaves nothing of the event, so that it need not be handled.
        if crashes(index) || crashes(index) { return }
        let before = SimRecord.Progress(devices[index].ledger)
        let effects = devices[index].handle(event, now)
        try record.check(before: before, after: SimRecord.Progress(devices[index].ledger))
        let run = devices[index].run
        for effect in effects {
            if crashes(index) { return }
            try perform(effect, index)
            guard devices[index].run == run else { return }
        }
        if case .imported = event { try checkStore(devices[index]) }
    }

    private mutating func perform(_ effect: SyncEffect, _ index: Int) throws {
        switch effect {
        case .capture(let request, let token, let limit):
            devices[index].portions = []
            devices[index].captureStart = token
            answer(.captured(request: request, capture(since: token, limit, index)), index)
        case .captureMore(let request):
            answer(.captured(request: request, nextCapture(index)), index)
        case .send(let token, let request): send(token, request, index)
        case .prepareImport(let batch, let plan):
            var created: [SyncID: LocalKey] = [:]
            for row in plan.rows where row.local == nil {
                created[row.id] = devices[index].store.reserveKey()
            }
            devices[index].prepared = (batch, plan, created)
            answer(.prepared(batch: batch, created: created), index)
        case .commitImport(let batch):
            guard let prepared = devices[index].prepared, prepared.batch == batch else { return }
            devices[index].prepared = nil
            if editsAmidImports, !isHealed, random.chance(25) { edit(prepared.plan, index) }
            let (isPicky, isStubborn) = (isPicky && !isHealed, isStubborn && !isHealed)
            let outcome = devices[index].commit(
                prepared.plan, batch, prepared.created, now, isGuarded: !sabotage.contains(.importGuard)
            ) { row in
                if isStubborn, row.id.low % 5 == 0 { return false }
                return !isPicky || !row.values.values.contains { Self.isDisliked($0.value) }
            }
            answer(outcome.event(batch), index)
        case .findImport(let batch):
            answer(.found(batch: batch, devices[index].store.lastBatch == batch), index)
        case .wake(let time):
            plan(.event(.time), on: index, after: time - min(time, now), run: devices[index].run)
        case .report(.unknownObjects): decide(index)
        case .report: break
        }
    }

    private mutating func capture(since token: UInt64?, _ limit: Int?, _ index: Int) -> Capture {
        let capture = devices[index].store.capture(since: token)
        guard let limit, capture.rows.count > limit else { return capture }
        devices[index].portions = capture.portions(of: limit, schema)
        return devices[index].portions.removeFirst()
    }

    /// Returns the next portion, of the moment of the first one. A store that cannot tell what it was at a moment, and was
    /// saved since, is captured anew.
    private mutating func nextCapture(_ index: Int) -> Capture {
        guard !devices[index].portions.isEmpty, !portionChance.chance(5) else {
            return capture(since: devices[index].captureStart, settings.captureLimit, index)
        }
        return devices[index].portions.removeFirst()
    }

    /// Has the user decide about objects that only a replaced store has.
    mutating func decide(_ index: Int) {
        let decision: UnknownObjects = random.chance(50) ? .upload : .drop
        plan(
            .event(.decided(decision)), on: index, after: UInt64(random.below(4000)),
            run: devices[index].run)
    }

    /// Whether apps that are picky do not take a value.
    private static func isDisliked(_ value: SyncValue) -> Bool {
        if case .string(let text) = value { text.hasSuffix("7") } else { false }
    }

    /// Edits what an import is about to write, at the last moment.
    private mutating func edit(_ plan: ImportPlan, _ index: Int) {
        let locals = plan.rows.compactMap(\.local)
        guard !locals.isEmpty else { return }
        devices[index].retitle(random.pick(locals), now, &random)
        self.plan(.event(.localChange), on: index, after: 1, run: devices[index].run)
    }

    private mutating func answer(_ event: SyncEvent, _ index: Int) {
        plan(.event(event), on: index, after: UInt64(random.below(40)), run: devices[index].run)
    }
}
