internal import CoreData
package import CoreDataSyncCore
internal import Foundation

/// The machine with what it needs of a device: it keeps the ledger on disk, and does what the machine wants
/// of the app's store.
///
/// One task uses it. Each event is in the ledger's file, in one transaction with those before it, before anything is
/// done that others see: something is sent, or the store is written. So an engine that is opened again goes on from any
/// moment at which another one ended. Where the file cannot be written, it stays at the last event that it has, and no
/// effect is performed, until one writes all.
package struct SyncEngine: Sendable {
    package private(set) var ledger: TrackedLedger
    package private(set) var machine: SyncMachine<TrackedLedger>
    let file: LedgerFile
    let reader: StoreReader
    private var importer: StoreImporter
    /// The last capture.
    private var capture: LastCapture?
    private var lastToken: UInt64
    /// Objects that the app's code has changed while imports were saved, and that were not captured yet.
    private var strays: Set<LocalKey> = []
    /// The last transaction of the history whose edits are in the ledger.
    private var read: Int64?
    /// The changes of the ledger that its file lacks because writing them failed.
    private var unwritten = LedgerRows()
    /// Whether the ledger could not be read, so that it is no use and has to be read anew.
    private var isUnreadable = false
    /// When the store is told of it again.
    private var nextNote: UInt64 = 0

    private struct LastCapture: Sendable {
        /// The reading that gives its portions; nil after the last one.
        var reading: StoreCapture?
        /// The position that it begins with, and the token that stands for it in the ledger.
        let since: (token: UInt64?, position: HistoryPosition?)
        /// The position that it ends with; nil if that is the same.
        var end: HistoryPosition?
        var token: UInt64 = 0
    }

    /// How often the store is told how far its history was read, in milliseconds. It deletes history by days.
    private static let noteInterval: UInt64 = 3_600_000

    init(
        _ ledger: TrackedLedger, _ file: LedgerFile, _ reader: StoreReader,
        _ settings: SyncMachine<TrackedLedger>.Settings, _ random: any RandomNumberGenerator & Sendable
    ) {
        self.ledger = ledger
        self.file = file
        self.reader = reader
        importer = StoreImporter(reader)
        machine = SyncMachine(schema: reader.binding.schema, settings: settings, random: random)
        lastToken = ledger.header.token ?? 0
        strays = ledger.strays
    }

    // MARK: Events

    /// Handles an event, and returns what is to be done once the ledger is on disk.
    ///
    /// - Throws: An error of the ledger's file. The next event writes what was not written, and the machine repeats
    ///   the effects when its time is up.
    package mutating func handle(_ event: SyncEvent, at now: Moment) async throws -> [SyncEffect] {
        try await readAgain(now)
        let effects = machine.handle(event, at: now, &ledger)
        if let error = ledger.takeFailure() {
            isUnreadable = true
            machine.interrupt(now)
            throw error
        }
        if case .captured(_, let capture) = event, capture.isLast, ledger.header.token == capture.token {
            if let position = self.capture?.end {
                ledger[.position] = try position.bytes()
                read = position.last?.number
            }
            self.capture = nil
            strays = []
        }
        ledger.strays = strays
        // What is only read is read again after a crash. It takes two transactions less for each page that is imported.
        guard !effects.onlyRead else { return effects }
        try await write()
        if let read, now.uptime >= nextNote {
            reader.access.noteHistoryRead(through: read)
            nextNote = now.uptime + Self.noteInterval
        }
        return effects
    }

    /// Takes note that a request is on its way.
    mutating func noteSent(_ token: UInt64, at now: Moment) { machine.noteSent(token, at: now) }

    /// Changes the ledger on behalf of the app.
    mutating func change<Result>(_ change: (inout TrackedLedger) throws -> Result) async throws -> Result {
        guard !isUnreadable else { throw StoreSyncError.ledger("it could not be read") }
        let result = try change(&ledger)
        if let error = ledger.takeFailure() {
            isUnreadable = true
            throw error
        }
        try await write()
        return result
    }

    /// Reads the ledger anew if an entry could not be read amid a step: what the step has made of it is thrown away, as
    /// if the process had ended.
    private mutating func readAgain(_ now: Moment) async throws {
        guard isUnreadable else { return }
        machine.interrupt(now)
        guard let ledger = try await TrackedLedger(in: file) else {
            throw StoreSyncError.ledger("it is empty")
        }
        self.ledger = ledger
        importer = StoreImporter(reader)
        (unwritten, read, capture) = (LedgerRows(), nil, nil)
        strays = ledger.strays
        isUnreadable = false
    }

    /// The whole name of the zone that the store is synced with; nil before it is known.
    var zone: String? { ledger[.zone].map { String(decoding: $0, as: UTF8.self) } }

    /// Takes note of the zone to which the way leads. Returns whether it is the one that the store is synced with.
    mutating func enter(_ zone: String) async throws -> Bool {
        let bytes = Array(zone.utf8)
        let isSame = (ledger[.zone] ?? bytes) == bytes
        let other = isSame ? nil : bytes
        guard ledger[.zone] == nil || ledger[.otherZone] != other else { return isSame }
        try await change { ledger in
            ledger[.zone] = ledger[.zone] ?? bytes
            ledger[.otherZone] = other
        }
        return isSame
    }

    private mutating func write() async throws {
        unwritten.add(ledger.takeWrites())
        try await file.write(unwritten)
        unwritten = LedgerRows()
        ledger.forgetWritten()
    }

    // MARK: Effects

    /// Performs what concerns the store, and returns what comes of it; nil for other effects, and for an
    /// import that another run has prepared.
    ///
    /// - Throws: An error of the store. The machine tries again when its time is up.
    package mutating func perform(_ effect: SyncEffect) async throws -> SyncEvent? {
        let event = try await event(of: effect)
        if let error = ledger.takeFailure() { throw error }
        return event
    }

    private mutating func event(of effect: SyncEffect) async throws -> SyncEvent? {
        switch effect {
        case .capture(let request, let since, let limit):
            let isTrusted = since != nil && since == ledger.header.token
            let position = isTrusted ? try position() : nil
            let reading = StoreCapture(reader, since: position, strays: strays, limit: limit)
            capture = LastCapture(reading: reading, since: (since, position))
            return try await nextCapture().map { .captured(request: request, $0) }
        case .captureMore(let request):
            return try await nextCapture().map { .captured(request: request, $0) }
        case .prepareImport(let batch, let plan):
            guard let created = try await importer.prepare(batch, plan, ledger) else {
                return .importRefused(batch: batch)
            }
            return .prepared(batch: batch, created: created)
        case .commitImport(let batch):
            switch try await importer.commit(batch, ledger, since: try position()) {
            case .done(let strays):
                self.strays.formUnion(strays)
                return .imported(batch: batch)
            case .refused: return .importRefused(batch: batch)
            case .rejected(let reasons): return .importRejected(batch: batch, reasons)
            case nil: return nil
            }
        case .findImport(let batch):
            guard let intent = ledger.header.intent, intent.batch == batch else { return nil }
            let isThere = try await importer.contains(intent, try position(), ledger)
            // Nobody knows any more what the app's code did meanwhile.
            if isThere { ledger.header.token = nil }
            return .found(batch: batch, isThere)
        case .send, .wake, .report: return nil
        }
    }

    /// Whether the app's code has edited objects while imports were saved.
    var hasStrays: Bool { !strays.isEmpty }

    private func position() throws -> HistoryPosition? {
        try ledger[.position].map { try HistoryPosition(bytes: $0) }
    }

    /// Reads the next portion of a capture; nil if none is under way.
    private mutating func nextCapture() async throws -> Capture? {
        guard var capture, let reading = try await capture.reading?.next(ledger) else { return nil }
        var next = reading.capture
        if next.isFirst {
            let isEqual = capture.since.token != nil && reading.position == capture.since.position
            capture.end = isEqual ? nil : reading.position
            if !isEqual { lastToken += 1 }
            capture.token = isEqual ? capture.since.token ?? 0 : lastToken
        }
        next.token = capture.token
        if next.isLast { capture.reading = nil }
        self.capture = capture
        return next
    }
}

extension TrackedLedger {
    /// Objects that the app's code has changed while imports were saved, and that were not captured yet.
    fileprivate var strays: Set<LocalKey> {
        get {
            Set(String(decoding: self[.strays] ?? [], as: UTF8.self).split(separator: "\n").map(String.init))
        }
        set {
            let text = newValue.sorted().joined(separator: "\n")
            self[.strays] = newValue.isEmpty && self[.strays] == nil ? nil : Array(text.utf8)
        }
    }
}

extension [SyncEffect] {
    /// Whether all that is done is to read the store.
    fileprivate var onlyRead: Bool {
        var reads = false
        for effect in self {
            switch effect {
            case .capture, .prepareImport: reads = true
            case .wake: break
            case .captureMore, .send, .commitImport, .findImport, .report: return false
            }
        }
        return reads
    }
}
