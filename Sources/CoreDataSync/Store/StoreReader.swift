internal import CoreData
internal import CoreDataSyncCore
internal import Foundation

/// The reader of the objects of an app's store.
struct StoreReader: Sendable {
    let access: StoreAccess
    let binding: ModelBinding
    let blobs: BlobFolder

    /// How many objects are in memory at the same time.
    static let portion = 500

    /// Reads what has changed since a position at once, or all if there is none, or the history does not reach back to it.
    func read(since position: HistoryPosition?) async throws -> Capture {
        var capture = StoreCapture(self, since: position, limit: nil)
        return try await capture.next(nil).capture
    }

    /// Whether the store is an older copy of the one whose history was read up to a position.
    func isOlderCopy(_ position: HistoryPosition) async throws -> Bool {
        let context = access.makeContext()
        return try await context.perform {
            try StoreHistory.isOlderCopy(position, of: access, in: context)
        }
    }

    // MARK: Objects

    func local(_ id: NSManagedObjectID) -> LocalKey { binding.local(id) ?? "" }

    /// Returns the objects of synced entities in a fixed order, those of an entity together.
    func sorted(_ ids: some Sequence<NSManagedObjectID>) -> [NSManagedObjectID] {
        let named = ids.lazy.compactMap { id in binding.local(id).map { (id.entity.name ?? "", $0, id) } }
        return named.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }

    /// Returns objects by their entities, in the order in which these come.
    func byEntity(
        _ ids: some Collection<NSManagedObjectID>
    ) -> [(entity: EntityBinding, ids: [NSManagedObjectID])] {
        var result: [(entity: EntityBinding, ids: [NSManagedObjectID])] = []
        for id in ids {
            guard let entity = binding.entity(named: id.entity.name) else { continue }
            if result.last?.entity.name != entity.name { result.append((entity, [])) }
            result[result.count - 1].ids.append(id)
        }
        return result
    }

    /// Returns the objects whose entities have some of the parts.
    func having(_ parts: Capture.Parts, _ ids: [NSManagedObjectID]) -> [NSManagedObjectID] {
        let names = Set(binding.entities.values.filter { !$0.parts.isDisjoint(with: parts) }.map(\.name))
        return ids.filter { names.contains($0.entity.name ?? "") }
    }

    /// Returns those objects that the store has.
    func existing(
        _ ids: Set<NSManagedObjectID>, in context: NSManagedObjectContext
    ) throws -> [NSManagedObjectID] {
        try byEntity(sorted(ids)).flatMap { entity, ids in
            try fetch(ids, entity, [], in: context).map(\.objectID)
        }
    }

    func allObjects(in context: NSManagedObjectContext) throws -> [NSManagedObjectID] {
        try binding.entities.values.filter { !$0.isAbstract }.sorted { $0.name < $1.name }.flatMap { entity in
            let request = NSFetchRequest<NSManagedObjectID>(entityName: entity.name)
            request.resultType = .managedObjectIDResultType
            request.includesSubentities = false
            request.affectedStores = [access.store]
            return try context.fetch(request)
        }
    }

    func fetch(
        _ ids: [NSManagedObjectID], _ entity: EntityBinding, _ parts: Capture.Parts = .all,
        in context: NSManagedObjectContext
    ) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
        request.predicate = NSPredicate(format: "SELF IN %@", ids)
        request.returnsObjectsAsFaults = false
        request.relationshipKeyPathsForPrefetching = entity.prefetched(parts)
        request.affectedStores = [access.store]
        return try context.fetch(request)
    }

    /// Returns the owners in whose ordered relationships an object is. Other histories than this framework's
    /// may not name them.
    func orderedOwners(_ object: NSManagedObject, _ entity: EntityBinding) -> [NSManagedObjectID] {
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
            return try fetch(ids, entity, in: context).map { try row($0, entity, .all, 0, nil) }
        }
    }

    /// - Parameter ledger: If given, the bytes of large values that it does not know are kept.
    func row(
        _ object: NSManagedObject, _ entity: EntityBinding, _ parts: Capture.Parts, _ milliseconds: UInt64,
        _ ledger: TrackedLedger?
    ) throws -> CapturedRow {
        var row = CapturedRow(
            local: local(object.objectID), entity: entity.stableName, milliseconds: milliseconds, values: [:])
        for register in entity.registers where !register.parts.isDisjoint(with: parts) {
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
        guard parts.contains(.members) else { return row }
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
