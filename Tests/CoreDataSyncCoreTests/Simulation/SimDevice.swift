import CoreDataSyncCore

/// A device: what a crash leaves of it (store, ledger), and what it takes (the machine, an import
/// that is not saved).
struct SimDevice {
    var store: SimStore
    var ledger: DictionaryLedger
    var app = SimApp()
    var machine: SyncMachine<DictionaryLedger>
    var prepared: (batch: SyncID, plan: ImportPlan, created: [SyncID: LocalKey])?
    /// What is left of a capture in portions, and where it has begun.
    var portions: [Capture] = []
    var captureStart: UInt64?
    /// Raised by each start, so that what was meant for the run before does not arrive.
    var run = 0
    var isOffline = false
    /// A copy of the store, which may take its place later.
    var copy: SimStore?
    /// Whether the store is another one since the machine has heard of it.
    var isReplaced = false
    var clock = SimClock()

    init(schema: SyncSchema, settings: SyncMachine<DictionaryLedger>.Settings, seed: UInt64) {
        var random = SeededGenerator(seed)
        store = SimStore(schema: schema)
        ledger = DictionaryLedger(replica: SyncID(milliseconds: 1, random: &random))
        machine = SyncMachine(schema: schema, settings: settings, random: random)
    }

    mutating func handle(_ event: SyncEvent, _ now: UInt64) -> [SyncEffect] {
        let isDropping = ledger.header.isForeign && ledger.header.decision == .drop
        let effects = machine.handle(
            isReplaced ? .storeReplaced : event, at: Moment(wall: clock.wall(now), uptime: now), &ledger)
        isReplaced = false
        if isDropping, !ledger.header.isForeign { noteTexts(store.capture(since: nil)) }
        return effects
    }

    /// Puts the copy in the place of the store. Edits that were not captured are gone, as the user knows.
    mutating func takeCopy() -> Bool {
        guard let older = copy else { return false }
        noteTexts(store.capture(since: ledger.header.isForeign ? nil : ledger.header.token))
        store = older
        copy = nil
        isReplaced = true
        return true
    }

    private mutating func noteTexts(_ capture: Capture) {
        for row in capture.rows {
            for case .plain(.string(let text)) in row.values.values { app.replaced.insert(text) }
        }
    }

    mutating func commit(
        _ plan: ImportPlan, _ batch: SyncID, _ created: [SyncID: LocalKey], _ now: UInt64, isGuarded: Bool,
        accepts: (ImportPlan.Row) -> Bool
    ) -> SimStore.ImportOutcome {
        let outcome = store.commit(
            plan, batch, created: created, ledger, clock.wall(now), isGuarded: isGuarded, accepts: accepts)
        if outcome == .done { noteOthers(plan) }
        return outcome
    }

    /// Notes which objects of the store are gone or stand for others after an import.
    private mutating func noteOthers(_ plan: ImportPlan) {
        for row in plan.rows {
            guard let local = row.local, let id = ledger.id(of: local), row.isDeleted || row.id != id,
                let amount = app.added.removeValue(forKey: local)
            else { continue }
            app.addedBefore[id, default: 0] += amount
        }
    }

    mutating func edit(_ now: UInt64, _ random: inout SeededGenerator) {
        app.edit(&store, clock.wall(now), &random)
    }

    mutating func retitle(_ key: LocalKey, _ now: UInt64, _ random: inout SeededGenerator) {
        app.retitle(key, &store, clock.wall(now), &random)
    }
}

/// A wall clock that is off, jumps and stands still.
struct SimClock {
    /// When virtual time begins, in milliseconds since 1970.
    static let start: UInt64 = 1_800_000_000_000
    private var skew: Int64 = 0
    private var frozenAt: UInt64?

    func wall(_ now: UInt64) -> UInt64 {
        frozenAt ?? UInt64(max(0, Int64(Self.start + now) + skew))
    }

    mutating func disturb(_ now: UInt64, _ random: inout SeededGenerator) {
        switch random.below(4) {
        case 0: skew = Int64(random.below(20_000)) - 10_000
        case 1: skew = (Int64(random.below(800)) - 400) * 86_400_000
        case 2: frozenAt = frozenAt == nil ? wall(now) : nil
        default:
            skew = 0
            frozenAt = nil
        }
    }
}
