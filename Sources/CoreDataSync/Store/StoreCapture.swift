internal import CoreData
internal import CoreDataSyncCore
internal import Foundation

/// A reading of what an app has done to its store, which gives it as captures: one of everything, or many portions.
///
/// History and objects are of one moment, so that a save is captured whole or not at all. Where the store cannot be
/// pinned to a query generation, and is saved meanwhile, the reading begins anew. In one that is saved during each attempt
/// objects may be later than the history: what was saved of them comes again with the next reading.
struct StoreCapture: Sendable {
    /// A capture, and where the history stands afterwards. The token of the capture is not set.
    struct Reading: Sendable {
        var capture: Capture
        var position: HistoryPosition
    }

    private let reader: StoreReader
    private let since: HistoryPosition?
    private let strays: Set<LocalKey>
    private let limit: Int?
    private var attempts = 0
    private var work: StoreCaptureWork?

    /// How often a reading begins, at most.
    private static let attemptLimit = 8

    /// - Parameters:
    ///   - since: Where the history was read last. All is read if there is none, or the history does not reach back to it.
    ///   - strays: More objects to look at, of which the history does not tell.
    ///   - limit: How many objects a portion has at most; nil for one capture of everything.
    init(_ reader: StoreReader, since: HistoryPosition?, strays: Set<LocalKey> = [], limit: Int?) {
        self.reader = reader
        self.since = since
        self.strays = strays
        self.limit = limit
    }

    /// Returns the first portion or the next one.
    ///
    /// - Parameter ledger: If given, the bytes of large values that it does not know are kept.
    mutating func next(_ ledger: TrackedLedger?) async throws -> Reading {
        while true {
            if work == nil { attempts += 1 }
            let isLastAttempt = attempts >= Self.attemptLimit
            let context = work?.moment.context ?? reader.access.makeContext()
            let found = try await context.perform { [self] () -> (Reading, StoreCaptureWork)? in
                var work =
                    try self.work
                    ?? StoreCaptureWork(reader, since: since, strays, limit: limit, in: context)
                guard isLastAttempt || work.isStill(isBegun: self.work != nil) else { return nil }
                let reading = try work.next(ledger)
                return isLastAttempt || work.isStill(isBegun: true) ? (reading, work) : nil
            }
            work = found?.1
            if let found { return found.0 }
        }
    }
}

/// The state of a reading: the objects that were read, and those that are still to be read.
private struct StoreCaptureWork: Sendable {
    let moment: StoreMoment
    private let reader: StoreReader
    /// How many objects a portion has; nil if everything comes at once.
    private let limit: Int?
    /// The end of the history when it was read.
    private let end: NSPersistentHistoryToken
    private let position: HistoryPosition
    /// The first portion, before it has rows. Later ones begin as it does, without deletions.
    private var first: Capture
    /// All objects that are read, in the order in which they are, and when those have changed of which the history tells.
    private var ids: [NSManagedObjectID]
    private var times: [NSManagedObjectID: UInt64]
    private let latest: UInt64
    /// Owners of ordered relationships that are to be read besides.
    private var owners: [NSManagedObjectID] = []
    private var parts: Capture.Parts
    private var rest: ArraySlice<NSManagedObjectID>

    /// Reads the history first and begins with the objects then. Called on the context's queue.
    init(
        _ reader: StoreReader, since: HistoryPosition?, _ strays: Set<LocalKey>, limit: Int?,
        in context: NSManagedObjectContext
    ) throws {
        let access = reader.access
        guard let end = access.historyEnd else { throw StoreSyncError.store("it has no history") }
        self.reader = reader
        self.end = end
        var history = try since.flatMap { try StoreHistory(after: $0, of: access, in: context) }
        let more = history == nil ? [] : strays.compactMap { reader.binding.objectID($0, in: access) }
        let needsTime = history == nil || !more.isEmpty
        latest = needsTime ? try StoreHistory.latestTime(of: access, in: context) : 0
        history?.add(more, at: latest)
        moment = try StoreMoment(of: access, in: context)
        first = Capture(token: 0, isWhole: history == nil, rows: [], deleted: [:])
        if let history {
            position = history.position
            times = history.changed
            var deleted = history.deleted
            let present = history.strays.isEmpty ? [] : try reader.existing(history.strays, in: context)
            for id in history.strays.subtracting(present) { deleted[id] = times.removeValue(forKey: id) }
            for (id, time) in deleted {
                if let local = reader.binding.local(id) { first.deleted[local] = time }
            }
            ids = reader.sorted(times.keys)
        } else {
            // Later saves are found in the history behind this position.
            position = try HistoryPosition(at: end)
            times = [:]
            ids = try reader.allObjects(in: context)
        }
        self.limit = if let limit, ids.count > limit { limit } else { nil }
        if first.isWhole, self.limit != nil { first.objects = Set(ids.map { reader.local($0) }) }
        parts = self.limit == nil ? .all : .attributes
        rest = ids[...]
    }

    /// Whether what is read is of the moment of the history.
    func isStill(isBegun: Bool) -> Bool {
        // Files outside the store go with the save that replaces them, also under a query generation.
        let isPinned = isBegun && moment.isPinned && !reader.binding.hasExternalValues
        return isPinned || reader.access.historyEnd == end
    }

    /// Reads the next portion. Called on the context's queue.
    mutating func next(_ ledger: TrackedLedger?) throws -> StoreCapture.Reading {
        var capture = first
        first.isFirst = false
        (first.deleted, first.objects) = ([:], nil)
        capture.parts = parts
        repeat {
            let some = rest.prefix(limit ?? StoreReader.portion)
            rest = rest.dropFirst(some.count)
            capture.rows += try rows(of: some, ledger)
            try moment.forgetObjects()
            if rest.isEmpty { findNext() }
        } while limit == nil && !rest.isEmpty
        capture.isLast = rest.isEmpty
        return StoreCapture.Reading(capture: capture, position: position)
    }

    private mutating func rows(
        of ids: ArraySlice<NSManagedObjectID>, _ ledger: TrackedLedger?
    ) throws -> [CapturedRow] {
        var rows: [CapturedRow] = []
        for (entity, ids) in reader.byEntity(ids) {
            for object in try reader.fetch(ids, entity, parts, in: moment.context) {
                let time = times[object.objectID] ?? latest
                rows.append(try reader.row(object, entity, parts, time, ledger))
                guard parts.contains(.attributes), !first.isWhole else { continue }
                for owner in reader.orderedOwners(object, entity) where times[owner] == nil {
                    times[owner] = time
                    owners.append(owner)
                }
            }
        }
        return rows
    }

    /// Finds what is to be read after the last object: owners of those that were read, or the next parts of all.
    private mutating func findNext() {
        if !owners.isEmpty {
            rest = reader.sorted(owners)[...]
            ids += rest
            owners = []
        }
        while rest.isEmpty, limit != nil, parts != .members {
            parts = parts == .attributes ? .references : .members
            rest = reader.having(parts, ids)[...]
        }
    }
}
