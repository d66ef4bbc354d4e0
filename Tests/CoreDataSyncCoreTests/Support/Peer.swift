import CoreDataSyncCore

/// A device whose machine runs without faults until it rests, or until a test interrupts it.
struct Peer {
    var store: SimStore
    var ledger: DictionaryLedger
    private var machine: SyncMachine<DictionaryLedger>
    private var prepared: (plan: ImportPlan, created: [SyncID: LocalKey])?
    private var events: [SyncEvent] = []
    private var portions: [Capture] = []
    /// By how many milliseconds the device's clock is ahead.
    var clockAdvance: UInt64 = 0
    /// When the machine has last asked to be woken, since it was started.
    private(set) var deadline: UInt64 = 0
    private(set) var uptime: UInt64 = 0
    var settings = SyncMachine<DictionaryLedger>.Settings()
    /// What the app says of an object that an import writes or deletes.
    var accepts: (ImportPlan.Row) -> Bool = { _ in true }
    /// The objects that an import breaks the store's rules with, and why.
    var refuses: (ImportPlan) -> [SyncID: String] = { _ in [:] }

    init(_ number: UInt64, of zone: Zone) {
        let schema = zone.storage.schema
        store = SimStore(schema: schema)
        ledger = DictionaryLedger(replica: Zone.device(number))
        machine = SyncMachine(schema: schema, random: SeededGenerator(number))
    }

    /// Returns a zone and its first device, which has made a book and not synced yet.
    static func withBook() throws -> (Zone, Peer) {
        let zone = try Zone(after: 100)
        var first = Peer(1, of: zone)
        first.edit(at: 1) { editor in editor.set(.text("a"), "title", of: editor.insert("Book")) }
        return (zone, first)
    }

    /// Edits the store in one save.
    mutating func edit(at time: UInt64, _ body: (inout SimStore.Editor) -> Void) {
        store.save(Zone.start + time, body)
    }

    /// Edits an entity's only object.
    mutating func set(_ name: String, of entity: String, to value: LocalValue, at time: UInt64) {
        guard let key = only(entity) else { return }
        edit(at: time) { $0.set(value, name, of: key) }
    }

    /// Starts the machine anew and runs it until it rests.
    ///
    /// - Parameter news: What happens right after the start.
    /// - Parameter before: Is called before each effect. An effect for which it returns false is not performed,
    ///   and the run ends there, as by a crash.
    mutating func sync(
        _ zone: inout Zone, _ news: SyncEvent? = nil,
        before: (SyncEffect, inout SimStore) -> Bool = { _, _ in true }
    ) throws {
        machine = SyncMachine(
            schema: zone.storage.schema, settings: settings,
            random: SeededGenerator(ledger.header.nextNumber + zone.now))
        events = [.start] + (news.map { [$0] } ?? [])
        uptime = 0
        try run(&zone, before: before)
    }

    /// Wakes the machine at the time for which it asks, and runs it until it rests.
    ///
    /// - Parameter news: What happens before that time.
    mutating func wake(
        _ zone: inout Zone, after news: SyncEvent? = nil,
        before: (SyncEffect, inout SimStore) -> Bool = { _, _ in true }
    ) throws {
        events = news.map { [$0] } ?? []
        try run(&zone, before: before)
        uptime = deadline
        events = [.time]
        try run(&zone, before: before)
    }

    private mutating func run(_ zone: inout Zone, before: (SyncEffect, inout SimStore) -> Bool) throws {
        var count = 0
        while !events.isEmpty {
            count += 1
            guard count < 1000 else { throw Simulation.Failure(description: "never at rest") }
            let now = Moment(wall: zone.now + clockAdvance, uptime: uptime)
            for effect in machine.handle(events.removeFirst(), at: now, &ledger) {
                guard before(effect, &store) else { return }
                try perform(effect, &zone)
            }
        }
    }

    private mutating func perform(_ effect: SyncEffect, _ zone: inout Zone) throws {
        switch effect {
        case .capture(let request, let token, let limit):
            let capture = store.capture(since: token)
            let isInPortions = limit.map { capture.rows.count > $0 } ?? false
            portions = isInPortions ? capture.portions(of: limit ?? 0, zone.storage.schema) : [capture]
            events.append(.captured(request: request, portions.removeFirst()))
        case .captureMore(let request):
            guard !portions.isEmpty else { return }
            events.append(.captured(request: request, portions.removeFirst()))
        case .send(let token, let request):
            let response = try zone.server.answer(request, &zone.storage, milliseconds: zone.now)
            events.append(.response(token: token, response))
        case .prepareImport(let batch, let plan):
            var created: [SyncID: LocalKey] = [:]
            for row in plan.rows where row.local == nil { created[row.id] = store.reserveKey() }
            prepared = (plan, created)
            events.append(.prepared(batch: batch, created: created))
        case .commitImport(let batch):
            guard let (plan, created) = prepared else { return }
            let reasons = refuses(plan)
            guard reasons.isEmpty else {
                events.append(.importRejected(batch: batch, reasons))
                return
            }
            let outcome = store.commit(
                plan, batch, created: created, ledger, zone.now, isGuarded: true, accepts: accepts)
            events.append(outcome.event(batch))
        case .findImport(let batch): events.append(.found(batch: batch, store.lastBatch == batch))
        case .wake(let time): deadline = time
        case .report: break
        }
    }

    /// The values of changes whose objects were deleted long ago, of which the app is told.
    var gone: [SyncValue] {
        ledger.issues.compactMap { if case .gone(let change) = $0 { change.value } else { nil } }
    }

    /// The key of an entity's only object.
    func only(_ entity: String) -> LocalKey? {
        let keys = store.rows.filter { $0.value.entity == entity }.keys
        return keys.count == 1 ? keys.first : nil
    }

    func values(_ entity: String) -> [String: LocalValue]? { only(entity).flatMap { store.rows[$0]?.values } }

    /// What the ledger knows of an entity's only object.
    func entry(_ entity: String) -> LedgerEntry? {
        only(entity).flatMap { ledger.id(of: $0) }.flatMap { ledger.entry(.object($0)) }
    }
}

extension LocalValue {
    static func text(_ text: String) -> LocalValue { .plain(.string(text)) }
    static func integer(_ value: Int64) -> LocalValue { .plain(.integer(value)) }
}
