import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation

/// A device with a store and a ledger on disk, whose engine a test drives step by step.
final class Device {
    let server: TestServer
    let folder: URL
    private(set) var coordinator: NSPersistentStoreCoordinator
    private(set) var store: NSPersistentStore
    private(set) var engine: SyncEngine?
    var seed: UInt64
    /// At which step the process ends; nil for none. Steps are before and after each change of the ledger and
    /// each effect.
    var crash: Int?
    private(set) var steps = 0
    /// What happens before the step of a number.
    var before: [Int: () throws -> Void] = [:]
    /// What happens between the capture for an import and the import.
    var beforePreparing: () throws -> Void = {}
    var settings = SyncMachine<TrackedLedger>.Settings()
    /// By how many milliseconds the wall clock is off.
    var clockOffset: Int64 = 0
    /// Whether the history names all objects whenever it names one.
    var namesTooMuch = false
    /// Whether imports do not look whether somebody has edited what they write.
    var overwritesEdits = false
    /// Whether the store's file cannot grow.
    private(set) var isFull = false

    struct Crash: Error {}
    struct Stuck: Error {}

    /// - Parameter original: A folder whose files the device begins with.
    init(
        _ server: TestServer, model: NSManagedObjectModel = LibraryModel.make(), seed: UInt64 = 1,
        copying original: URL? = nil
    ) throws {
        self.server = server
        self.seed = seed
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in try original.map({ try FileManager.default.contentsOfDirectory(atPath: $0.path) }) ?? [] {
            let file = original!.appendingPathComponent(name)
            try FileManager.default.copyItem(at: file, to: folder.appendingPathComponent(name))
        }
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        store = try Self.open(folder, coordinator)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func open(
        _ folder: URL, _ coordinator: NSPersistentStoreCoordinator, isFull: Bool = false
    ) throws -> NSPersistentStore {
        // SQLite takes the present size for the largest if that is larger.
        let pragmas = ["synchronous": "OFF"].merging(isFull ? ["max_page_count": "1"] : [:]) { $1 }
        return try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil,
            at: folder.appendingPathComponent("Library.sqlite"),
            options: [
                NSPersistentHistoryTrackingKey: NSNumber(value: true),
                NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
                NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
                NSSQLitePragmasOption: pragmas as NSDictionary,
            ])
    }

    func close() throws {
        engine = nil
        try coordinator.remove(store)
    }

    /// Opens the store again, with another version of the model, which migrates it.
    func reopen(with model: NSManagedObjectModel) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try reopen()
    }

    func reopen() throws { store = try Self.open(folder, coordinator, isFull: isFull) }

    /// Has the store's file take nothing any more that makes it longer, or something again. Ends the engine.
    func setFull(_ isFull: Bool) throws {
        try close()
        self.isFull = isFull
        try reopen()
    }

    /// Makes a device with copies of all files, as a backup has them. Ends the engine.
    func makeCopy(seed: UInt64) throws -> Device {
        let model = coordinator.managedObjectModel
        try close()
        defer { try? reopen() }
        let copy = try Device(server, model: model, seed: seed, copying: folder)
        copy.settings = settings
        return copy
    }

    // MARK: The app

    /// Edits in one save.
    @discardableResult
    func edit<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        return try context.performAndWait {
            let result = try body(context)
            try context.save()
            return result
        }
    }

    /// Returns the texts of an attribute of all objects of an entity, sorted.
    func texts(_ property: String, of entity: String) throws -> [String] {
        try edit { context in
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
                .compactMap { $0.value(forKey: property) as? String }.sorted()
        }
    }

    /// Deletes the history that was written until now.
    func pruneHistory() throws {
        try edit { context in
            let token = coordinator.currentPersistentHistoryToken(fromStores: [store])
            _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: token))
            _ = try context.execute(
                NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture))
        }
    }

    // MARK: Syncing

    func open(decision: StoreDecision? = nil) async throws {
        engine = nil
        let file = try LedgerFile(
            at: LedgerFile.url(beside: folder.appendingPathComponent("Library.sqlite")), isDurable: false)
        seed += 1
        engine = try await SyncEngine.open(
            store, in: coordinator, ledger: file, decision: decision, settings: settings,
            // Generators of neighbouring seeds give the same numbers, one later. No run may make the IDs of another.
            random: SeededGenerator(seed << 20))
    }

    /// Returns the rows of the ledger's file, while the engine has it open.
    func ledgerRows() throws -> LedgerRows {
        try LedgerFile.rows(at: LedgerFile.url(beside: folder.appendingPathComponent("Library.sqlite")))
    }

    /// Writes the value of an issue into the store again.
    func restore(_ issue: UInt64) async throws { try await engine!.restoreValue(of: issue) }

    private func step() throws {
        steps += 1
        try before[steps]?()
        guard steps == crash else { return }
        crash = nil
        throw Crash()
    }

    private var wall: UInt64 { UInt64(clamping: Int64(server.wall) + clockOffset) }
    private var moment: Moment { Moment(wall: wall, uptime: server.now) }

    /// Handles one event.
    func take(_ event: SyncEvent) async throws -> [SyncEffect] { try await engine!.handle(event, at: moment) }

    /// Performs one effect on the store. The times of captured edits are virtual, so that a run can be repeated.
    func perform(_ effect: SyncEffect) async throws -> SyncEvent? {
        if case .send(_, let request) = effect, server.isReachable {
            for blob in engine!.blobs(of: request) { server.blobs[blob.name] = try await blob.bytes() }
        }
        for name in engine!.missingBlobs(of: effect) {
            if let bytes = server.blobs[name] { try engine!.keep(bytes, as: name) }
        }
        if let rejection = engine!.rejection(of: effect) { return rejection }
        if case .prepareImport = effect { try beforePreparing() }
        var effect = effect
        if overwritesEdits, case .prepareImport(let batch, let plan) = effect {
            effect = .prepareImport(batch: batch, try await overwriting(plan))
        }
        let event = try await engine!.perform(effect)
        guard case .captured(let request, var capture)? = event else { return event }
        if namesTooMuch, !capture.rows.isEmpty, capture.parts == .all {
            let named = Set(capture.rows.map(\.local))
            capture.rows += try await engine!.readStore().rows.filter { !named.contains($0.local) }
        }
        for index in capture.rows.indices { capture.rows[index].milliseconds = wall }
        capture.deleted = capture.deleted.mapValues { _ in wall }
        return .captured(request: request, capture)
    }

    /// Handles an event and all that come of it, and returns the requests that are to be sent.
    func handle(_ event: SyncEvent) async throws -> [(token: UInt64, request: SyncRequest)] {
        var events = [event]
        var requests: [(UInt64, SyncRequest)] = []
        while !events.isEmpty {
            try step()
            let effects = try await engine!.handle(events.removeFirst(), at: moment)
            for effect in effects {
                try step()
                if case .send(let token, let request) = effect { requests.append((token, request)) }
                if let event = try await perform(effect) { events.append(event) }
            }
        }
        return requests
    }

    /// Runs cycles until the machine rests without a failure. A crash opens the engine again.
    func sync() async throws {
        if engine == nil { try await open() }
        var event = SyncEvent.start
        for _ in 0..<400 {
            do {
                var requests = try await handle(event)
                while !requests.isEmpty {
                    let (token, request) = requests.removeFirst()
                    try step()
                    let response = try server.answer(request)
                    try step()
                    requests += try await handle(
                        response.map { .response(token: token, $0) } ?? .failed(token: token))
                }
            } catch is Crash {
                try await open()
                event = .start
                continue
            }
            guard let engine else { throw Stuck() }
            if engine.machine.isIdle, server.isReachable, !server.losesAnswers, engine.ledger.inbox.isEmpty,
                engine.pendingCount == 0, engine.ledger.header.snapshot == nil,
                !engine.ledger.header.needsReconcile,
                engine.ledger.header.cursor.complete == server.storage.header.sequence
            {
                return
            }
            let header = engine.ledger.header
            if engine.machine.isIdle, header.unknown > 0, header.decision == nil { return }
            if engine.machine.isIdle, !server.isReachable || server.losesAnswers { return }
            server.now = max(server.now + 1, engine.machine.deadline)
            event = .time
        }
        throw Stuck()
    }
}
