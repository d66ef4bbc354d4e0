internal import CoreData
internal import CoreDataSyncCore
internal import Foundation

/// The reader of what an app has done to its store: it makes captures.
struct StoreReader: Sendable {
    let access: StoreAccess
    let binding: ModelBinding
    let blobs: BlobFolder

    /// How many objects are in memory at the same time.
    private static let portion = 500
    /// How often a reading begins anew because the store was saved meanwhile, at most.
    private static let attempts = 8

    /// What was captured, and where the history stands afterwards. The token of the capture is not set.
    struct Reading: Sendable {
        var capture: Capture
        var position: HistoryPosition
        var imports: Set<String> = []
    }

    /// Reads what has changed since a position, or all if there is none, or the history does not reach back
    /// to it.
    ///
    /// History and objects are of one moment, so that a save is captured whole or not at all. In a store that is
    /// saved without a pause, or cannot be pinned to a query generation and is saved during each attempt, objects
    /// may be later than the history: what was saved of them comes again with the next reading.
    ///
    /// - Parameters:
    ///   - ledger: If given, the bytes of large values that it does not know are kept.
    ///   - strays: More objects to look at, of which the history does not tell.
    func read(
        since position: HistoryPosition?, _ ledger: TrackedLedger?, strays: Set<LocalKey> = []
    ) async throws -> Reading {
        for _ in 1..<Self.attempts {
            if let reading = try await attempt(since: position, ledger, strays) { return reading }
        }
        return try await attempt(since: position, ledger, strays, isLast: true)!
    }

    /// Reads history first and objects then. Returns nil if the objects are later than the history, unless it is the
    /// last attempt.
    private func attempt(
        since position: HistoryPosition?, _ ledger: TrackedLedger?, _ strays: Set<LocalKey>,
        isLast: Bool = false
    ) async throws -> Reading? {
        let context = access.makeContext()
        return try await context.perform {
            guard let end = access.historyEnd else { throw StoreSyncError.store("it has no history") }
            var history = try position.flatMap { try StoreHistory(after: $0, of: access, in: context) }
            let ids = history == nil ? [] : strays.compactMap { binding.objectID($0, in: access) }
            history?.add(ids, at: ids.isEmpty ? 0 : try latest(in: context))
            let moment = try StoreMoment(of: access, in: context)
            guard isLast || access.historyEnd == end else { return nil }
            let reading =
                try history.map { try changes($0, ledger, at: moment) }
                ?? all(until: end, ledger, at: moment)
            // Files outside the store go with the save that replaces them, also under a query generation.
            let isStill = moment.isPinned && !binding.hasExternalValues || access.historyEnd == end
            return isLast || isStill ? reading : nil
        }
    }

    /// Whether the store is an older copy of the one whose history was read up to a position.
    func isOlderCopy(_ position: HistoryPosition) async throws -> Bool {
        let context = access.makeContext()
        return try await context.perform {
            try StoreHistory.isOlderCopy(position, of: access, in: context)
        }
    }

    // MARK: Reading

    private func changes(
        _ history: StoreHistory, _ ledger: TrackedLedger?, at moment: StoreMoment
    ) throws -> Reading {
        var capture = Capture(token: 0, isWhole: false, rows: [], deleted: [:])
        for (id, milliseconds) in history.deleted {
            if let local = binding.local(id) { capture.deleted[local] = milliseconds }
        }
        var waiting = history.changed
        let present = history.strays.isEmpty ? [] : try existing(history.strays, in: moment.context)
        for id in history.strays.subtracting(present) {
            if let local = binding.local(id) { capture.deleted[local] = waiting[id] }
            waiting[id] = nil
        }
        var seen: Set<NSManagedObjectID> = []
        while !waiting.isEmpty {
            seen.formUnion(waiting.keys)
            var owners: [NSManagedObjectID: UInt64] = [:]
            let objects = Dictionary(grouping: waiting.keys) { $0.entity.name ?? "" }
            for (name, ids) in objects.sorted(by: { $0.key < $1.key }) {
                guard let entity = binding.entity(named: name) else { continue }
                for start in stride(from: 0, to: ids.count, by: Self.portion) {
                    let some = Array(ids[start..<min(start + Self.portion, ids.count)])
                    for object in try fetch(some, entity, in: moment.context) {
                        let milliseconds = waiting[object.objectID] ?? 0
                        capture.rows.append(try row(object, entity, milliseconds, ledger))
                        for owner in orderedOwners(object, entity) where !seen.contains(owner) {
                            owners[owner] = milliseconds
                        }
                    }
                    try moment.forgetObjects()
                }
            }
            waiting = owners
        }
        return Reading(capture: capture, position: history.position, imports: history.imports)
    }

    /// Returns those objects that the store has.
    private func existing(
        _ ids: Set<NSManagedObjectID>, in context: NSManagedObjectContext
    ) throws -> Set<NSManagedObjectID> {
        var result: Set<NSManagedObjectID> = []
        for (name, some) in Dictionary(grouping: ids, by: { $0.entity.name ?? "" }) {
            guard let entity = binding.entity(named: name) else { continue }
            result.formUnion(try fetch(some, entity, in: context).map(\.objectID))
        }
        return result
    }

    /// - Parameter end: Where the history ended then, or before. What was saved since comes with the history.
    private func all(
        until end: NSPersistentHistoryToken, _ ledger: TrackedLedger?, at moment: StoreMoment
    ) throws -> Reading {
        var capture = Capture(token: 0, isWhole: true, rows: [], deleted: [:])
        let context = moment.context
        let milliseconds = try latest(in: context)
        for entity in binding.entities.values.sorted(by: { $0.name < $1.name }) where !entity.isAbstract {
            let request = NSFetchRequest<NSManagedObjectID>(entityName: entity.name)
            request.resultType = .managedObjectIDResultType
            request.includesSubentities = false
            request.affectedStores = [access.store]
            let ids = try context.fetch(request)
            for start in stride(from: 0, to: ids.count, by: Self.portion) {
                let some = Array(ids[start..<min(start + Self.portion, ids.count)])
                capture.rows += try fetch(some, entity, in: context).map {
                    try row($0, entity, milliseconds, ledger)
                }
                try moment.forgetObjects()
            }
        }
        return Reading(capture: capture, position: try HistoryPosition(at: end))
    }

    /// Returns the time of what cannot be known: that of the last transaction that is known, or else now.
    private func latest(in context: NSManagedObjectContext) throws -> UInt64 {
        let last = try StoreHistory.newest(of: access, in: context)?.timestamp ?? Date()
        return UInt64(exactly: max(0, (last.timeIntervalSince1970 * 1000).rounded(.down))) ?? 0
    }

    func fetch(
        _ ids: [NSManagedObjectID], _ entity: EntityBinding, in context: NSManagedObjectContext
    ) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
        request.predicate = NSPredicate(format: "SELF IN %@", ids)
        request.returnsObjectsAsFaults = false
        request.relationshipKeyPathsForPrefetching = entity.prefetched
        request.affectedStores = [access.store]
        return try context.fetch(request)
    }

    /// Returns the owners in whose ordered relationships an object is. Other histories than this framework's
    /// may not name them.
    private func orderedOwners(_ object: NSManagedObject, _ entity: EntityBinding) -> [NSManagedObjectID] {
        entity.relationships.filter { $0.hasOrderedInverse && !$0.isToMany }.compactMap {
            (object.primitive($0.property) as? NSManagedObject)?.objectID
        }
    }

    // MARK: Rows

    /// Returns those of some objects that the store has.
    func capturedRows(
        _ ids: [NSManagedObjectID], in context: NSManagedObjectContext
    ) throws -> [CapturedRow] {
        try Dictionary(grouping: ids) { $0.entity.name ?? "" }.flatMap { name, ids -> [CapturedRow] in
            guard let entity = binding.entity(named: name) else { return [] }
            return try fetch(ids, entity, in: context).map { try row($0, entity, 0, nil) }
        }
    }

    private func row(
        _ object: NSManagedObject, _ entity: EntityBinding, _ milliseconds: UInt64,
        _ ledger: TrackedLedger?
    ) throws -> CapturedRow {
        var row = CapturedRow(
            local: binding.local(object.objectID) ?? "", entity: entity.stableName,
            milliseconds: milliseconds,
            values: [:])
        for register in entity.registers {
            let value = try value(of: register, object)
            row.values[register.name] = value
            guard let ledger, let plain = value?.attribute, !plain.blobs.isEmpty else { continue }
            let entry = ledger.id(of: row.local).flatMap { ledger.entry(.object($0)) }
            guard entry?.registers[register.name]?.shown != plain.stableHash else { continue }
            // The store may have another value when this one is sent.
            for bytes in wholeValue(of: register, object).large(above: BlobFolder.limit) {
                try blobs.write(bytes, as: BlobHash(of: bytes))
            }
        }
        for list in entity.lists { row.lists[list.relationship] = members(list.property, of: object) }
        for pairs in entity.pairs { row.partners[pairs.side] = Set(members(pairs.property, of: object)) }
        return row
    }

    /// Returns the value of a register with its bytes; null for a reference.
    func wholeValue(of register: EntityBinding.Register, _ object: NSManagedObject) -> SyncValue {
        switch register.place {
        case .attribute(let attribute):
            return StoreValue.read(object.primitive(attribute.property), attribute)
        case .group(let elements):
            let values = elements.map { ($0.element, StoreValue.read(object.primitive($0.property), $0)) }
            // Without values there is no group.
            return values.allSatisfy(\.1.isNull) ? .null : .group(Dictionary(values) { $1 })
        case .reference: return .null
        }
    }

    /// Returns the value of a register; nil for none.
    func value(of register: EntityBinding.Register, _ object: NSManagedObject) throws -> LocalValue? {
        switch register.place {
        case .attribute, .group:
            let value = wholeValue(of: register, object).apart(above: BlobFolder.limit)
            return value.isNull ? nil : .plain(value)
        case .reference(let property, let hasInverse):
            guard let target = object.primitive(property) as? NSManagedObject else { return nil }
            if !hasInverse, try isGone(target) { return nil }
            return binding.local(target.objectID).map { .object($0) }
        }
    }

    /// Whether an object was deleted to which a relationship without inverse still leads.
    private func isGone(_ target: NSManagedObject) throws -> Bool {
        guard target.isFault, let context = target.managedObjectContext else { return false }
        do {
            _ = try context.existingObject(with: target.objectID)
            return false
        } catch  where (error as NSError).code == NSManagedObjectReferentialIntegrityError {
            return true
        }
    }

    func members(_ property: String, of object: NSManagedObject) -> [LocalKey] {
        let value = object.value(forKey: property)
        let members =
            (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects
            ?? (value as? NSManagedObject).map { [$0] } ?? []
        return members.compactMap { ($0 as? NSManagedObject).flatMap { binding.local($0.objectID) } }
    }
}

extension NSManagedObject {
    /// Reads a value without the accessors of the app's class.
    func primitive(_ property: String) -> Any? {
        willAccessValue(forKey: property)
        defer { didAccessValue(forKey: property) }
        return primitiveValue(forKey: property)
    }

    /// Sets a value without the accessors of the app's class.
    func setPrimitive(_ value: Any?, _ property: String) {
        willChangeValue(forKey: property)
        setPrimitiveValue(value, forKey: property)
        didChangeValue(forKey: property)
    }
}
