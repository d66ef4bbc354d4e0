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
    private var isHealed = false
    private let usesBytes: Bool
    private let faults: Int
    private let editsAmidImports: Bool
    /// Whether apps do not take some values as long as there are faults.
    private let isPicky: Bool
    /// Whether older copies take the place of stores, and not of the server's zone: together they lose what was
    /// typed between both copies.
    private let replacesStores: Bool
    let settings: SyncMachine<DictionaryLedger>.Settings

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
        var settings = SyncMachine<DictionaryLedger>.Settings()
        settings.timeout = 5000
        settings.poll = 8000
        settings.longestRetry = 8000
        settings.pushLimit = random.pick([1, 3, 1000])
        settings.pageLimit = random.pick([1, 4, 1000])
        self.settings = settings
        for _ in 0..<(3 + random.below(4)) { addDevice() }
    }

    private mutating func addDevice() {
        devices.append(SimDevice(schema: schema, settings: settings, seed: random.next()))
        devices[devices.count - 1].app.prefix = "d\(devices.count - 1)-"
        if random.chance(40) { devices[devices.count - 1].clock.disturb(now, &random) }
        begin(devices.count - 1)
    }

    private mutating func begin(_ index: Int) {
        plan(.event(.start), on: index, after: 0, run: devices[index].run)
        plan(.edit, on: index, after: UInt64(random.below(3000)))
        plan(.disturb, on: index, after: UInt64(random.below(20_000)))
    }

    private mutating func plan(_ action: Action, on device: Int, after delay: UInt64, run: Int? = nil) {
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

    /// Ends a run of a device at any moment, now and then.
    private mutating func crashes(_ index: Int) -> Bool {
        guard !isHealed, faults > 0, random.below(1000) < faults else { return false }
        restart(index)
        return true
    }

    private mutating func restart(_ index: Int) {
        devices[index].run += 1
        devices[index].prepared = nil
        devices[index].machine = SyncMachine(
            schema: schema, settings: settings, random: SeededGenerator(random.next()))
        plan(.event(.start), on: index, after: UInt64(random.below(500)), run: devices[index].run)
        if devices[index].ledger.header.unknown > 0 { decide(index) }
    }

    private mutating func perform(_ effect: SyncEffect, _ index: Int) throws {
        switch effect {
        case .capture(let request, let token):
            answer(.captured(request: request, devices[index].store.capture(since: token)), index)
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
            let isPicky = isPicky && !isHealed
            let outcome = devices[index].commit(
                prepared.plan, batch, prepared.created, now, isGuarded: !sabotage.contains(.importGuard)
            ) { row in
                !isPicky || !row.values.values.contains { Self.isDisliked($0.value) }
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

    /// Has the user decide about objects that only a replaced store has.
    private mutating func decide(_ index: Int) {
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

    // MARK: Network and server

    private var isLost: Bool { mutating get { !isHealed && random.below(100) < faults } }

    private mutating func send(_ token: UInt64, _ request: SyncRequest, _ index: Int) {
        if sabotage.contains(.retry), case .push(let push) = request, isLost {
            // The device takes silence for an answer.
            let outcomes = push.changes.map { _ in Outcome.applied }
            let answer = SyncAnswer.push(PushAnswer(receipt: push.previous, outcomes: outcomes, sequence: 0))
            let response = SyncResponse(answer, milliseconds: SimClock.start + now)
            plan(.event(.response(token: token, response)), on: index, after: 1, run: devices[index].run)
            return
        }
        guard !isLost, !devices[index].isOffline else { return }
        plan(.request(token: token, request), on: index, after: delay(), run: devices[index].run)
        // A copy that comes late, perhaps after the run has ended.
        if isLost { plan(.request(token: token, request), on: index, after: delay() * 10) }
    }

    private mutating func delay() -> UInt64 {
        UInt64(1 + (random.chance(10) ? random.below(6000) : random.below(60)))
    }

    private mutating func serve(_ token: UInt64, _ request: SyncRequest, _ index: Int, _ run: Int) throws {
        var request = request
        if usesBytes { request = try SyncRequest(wire: CBORReader.read(CBORWriter.bytes(of: request.wire))) }
        let number = storage.header.sequence
        let digest = storage.header.digest
        var response = try server.answer(request, &storage, milliseconds: SimClock.start + now)
        let hasChanged = storage.header.sequence != number
        if case .push(let push) = request, hasChanged {
            if sabotage.contains(.merge) { breakMerge(push) }
            try record.check(storage, before: number, digest, schema)
        }
        if sabotage.contains(.cursor), case .pull(var page) = response.answer, !page.isComplete {
            page.next.item = nil
            response.answer = .pull(page)
        }
        if usesBytes {
            response = try SyncResponse(wire: CBORReader.read(CBORWriter.bytes(of: response.wire)))
        }
        guard !isLost, !devices[index].isOffline else { return }
        plan(.event(.response(token: token, response)), on: index, after: delay(), run: devices[index].run)
        if hasChanged {
            for other in devices.indices where other != index && !isLost {
                plan(.event(.poke), on: other, after: delay(), run: devices[other].run)
            }
        }
    }

    /// Lets the last to arrive win.
    private mutating func breakMerge(_ push: PushRequest) {
        for change in push.changes {
            guard case .set("title", let value) = change.edit, var row = storage.row(change.item) else {
                continue
            }
            storage.header.digest.toggle(change.item, row.state)
            row.state.registers["title"] = .value(value, change.stamp)
            storage.header.digest.toggle(change.item, row.state)
            storage.write(row, for: change.item)
        }
    }

    // MARK: Disturbances

    private mutating func disturb(_ index: Int) {
        guard faults > 0 else { return }
        switch random.below(16) {
        case 0, 1: devices[index].clock.disturb(now, &random)
        case 2, 3: devices[index].store.prune()
        case 4, 5, 6: devices[index].isOffline.toggle()
        case 7, 8: restart(index)
        case 9 where devices.count < 7:
            // A device is set up from the backup of another one.
            var clone = devices[index]
            clone.run = 0
            clone.app = SimApp(continuing: clone.app, as: devices.count)
            clone.machine = SyncMachine(
                schema: schema, settings: settings, random: SeededGenerator(random.next()))
            clone.prepared = nil
            devices.append(clone)
            begin(devices.count - 1)
        case 10 where devices.count < 7: addDevice()
        case 11, 12:
            let before = storage
            try? server.forget(&storage, changedBefore: SimClock.start + now - min(now, 5000))
            record.noteForgotten(before: before, after: storage)
        case 13 where replacesStores: devices[index].copy = devices[index].store
        case 14 where replacesStores: if devices[index].takeCopy() { restart(index) }
        case 13: backup = storage
        case 14:
            guard var restored = backup else { return }
            let epoch = storage.header.epoch
            server.beginEpoch(&restored, after: epoch)
            record.noteRestore(before: storage)
            storage = restored
            backup = nil
        default: break
        }
    }
}

/// A heap of events by time and order. Entries are large, so that only their places are moved.
struct EventQueue {
    private var heap: [(time: UInt64, order: Int)] = []
    private var entries: [Int: Simulation.Entry] = [:]

    mutating func insert(_ entry: Simulation.Entry) {
        entries[entry.order] = entry
        heap.append((entry.time, entry.order))
        var index = heap.count - 1
        while index > 0, heap[index] < heap[(index - 1) / 2] {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func popFirst() -> Simulation.Entry? {
        guard let first = heap.first else { return nil }
        heap[0] = heap[heap.count - 1]
        heap.removeLast()
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count && heap[child] < heap[least]
            {
                least = child
            }
            if least == index { return entries.removeValue(forKey: first.order) }
            heap.swapAt(least, index)
            index = least
        }
    }
}
