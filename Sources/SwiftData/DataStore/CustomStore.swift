import CoreData
import Synchronization

/// A data store as Core Data uses it: requests become calls of the data store, snapshots rows.
final class CustomStore: NSIncrementalStore, @unchecked Sendable {
    /// What is needed to open a store.
    final class Opening {
        let types: [String: ModelType]
        let open: () throws -> any OpenedDataStore

        init<Configuration: DataStoreConfiguration>(
            _ configuration: Configuration, _ plan: (any SchemaMigrationPlan.Type)?,
            _ types: [String: ModelType]
        ) {
            self.types = types
            open = { OpenedStore(try Configuration.Store(configuration, migrationPlan: plan)) }
        }
    }

    /// The type under which the class is registered, at first use.
    static let type: String = {
        NSPersistentStoreCoordinator.registerStoreClass(CustomStore.self, forStoreType: "SwiftData.DataStore")
        return "SwiftData.DataStore"
    }()
    static let openingKey = "SwiftData.Opening"

    /// The store whose data store is being called: identifiers that its code makes or decodes are of it.
    @TaskLocal static var current: CustomStore?

    /// A row as the data store handed it out; its values are immutable.
    private struct Row: @unchecked Sendable {
        let id: NSManagedObjectID
        let values: [String: Any]
        var version: UInt64 = 0

        func hasValues(of other: Row) -> Bool {
            (values as NSDictionary).isEqual(other.values as NSDictionary)
        }
    }

    private struct State {
        var rows: [NSManagedObjectID: Row] = [:]
        /// The version of the row that was read last. A save of a context raises that of a row by one.
        var version: UInt64 = 0
    }

    private(set) var types: [String: ModelType] = [:]
    private var opened: (any OpenedDataStore)?
    private let state = Mutex(State())
    /// Has one call of the data store run at a time, and those that its code causes.
    private let calls = NSRecursiveLock()

    // MARK: Calling the data store

    /// Calls the data store.
    func call<Answer>(_ body: (any OpenedDataStore) throws -> Answer) throws -> Answer {
        guard let opened else { throw DataStoreError.unsupportedFeature }
        calls.lock()
        defer { calls.unlock() }
        return try Self.$current.withValue(self) { try body(opened) }
    }

    override func loadMetadata() throws {
        guard let opening = options?[Self.openingKey] as? Opening else {
            throw DataStoreError.unsupportedFeature
        }
        namesRowsBySaving = true
        types = opening.types
        let made = try Self.$current.withValue(self) { try opening.open() }
        opened = made
        metadata = [NSStoreUUIDKey: made.identifier, NSStoreTypeKey: Self.type]
    }

    /// Returns whether identifiers that name a store are of this one; before it has a name, all are.
    func isNamed(_ identifier: String) -> Bool { opened.map { $0.identifier == identifier } ?? true }

    /// Returns the ID of the row with a primary key; nil if the store has no such entity.
    func objectID(ofEntity entity: String, _ primaryKey: String) -> NSManagedObjectID? {
        persistentStoreCoordinator?.managedObjectModel.entitiesByName[entity].map { entity in
            // A number is a key as it is, so that models come in the order of their numbers.
            let number = Int64(primaryKey).flatMap { "\($0)" == primaryKey ? $0 : nil }
            return newObjectID(for: entity, referenceObject: number.map { $0 as Any } ?? primaryKey)
        }
    }

    // MARK: Requests

    override func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
    ) throws -> Any {
        switch request {
        case let request as NSFetchRequest<any NSFetchRequestResult>:
            return try fetch(request, in: context)
        case let request as NSSaveChangesRequest:
            guard let context else { throw DataStoreError.unsupportedFeature }
            return try save(request, in: context)
        default: throw DataStoreError.unsupportedFeature
        }
    }

    private func fetch(
        _ request: NSFetchRequest<any NSFetchRequestResult>, in context: NSManagedObjectContext?
    ) throws -> Any {
        guard let type = types[request.entityName ?? ""]?.type else {
            throw DataStoreError.unsupportedFeature
        }
        do {
            return try call { store in
                let query = try store.query(of: type, for: request, state(of: context))
                switch request.resultType {
                case .countResultType: return [NSNumber(value: try query.count())]
                case .managedObjectIDResultType: return try query.identifiers().map(objectID)
                case .managedObjectResultType:
                    let found = try query.snapshots()
                    for snapshot in found.related { _ = try keep(snapshot) }
                    return try found.fetched.map(keep)
                default: throw DataStoreError.unsupportedFeature
                }
            }
        } catch DataStoreError.preferInMemoryFilter, DataStoreError.preferInMemorySort {
            throw RefusedQuery("the data store leaves condition and order to the framework")
        }
    }

    private func state(of context: NSManagedObjectContext?) -> EditingState {
        context?.owner?.editingState ?? EditingState(author: context?.transactionAuthor)
    }

    private func objectID(_ identifier: PersistentIdentifier) throws -> NSManagedObjectID {
        guard let id = persistentStoreCoordinator.flatMap({ identifier.objectID(in: $0) }), !id.isTemporaryID
        else {
            throw SwiftDataError(
                .unknownSchema,
                "the data store \(self.identifier ?? "") handed out \(identifier), which is no identifier of "
                    + "it: make it by PersistentIdentifier.identifier(for:entityName:primaryKey:)")
        }
        return id
    }

    // MARK: Rows

    /// Keeps the row of a snapshot until no context has its object any more, and returns its ID.
    private func keep(_ snapshot: DefaultSnapshot) throws -> NSManagedObjectID {
        let id = try objectID(snapshot.persistentIdentifier)
        var values: [String: Any] = [:]
        for (name, attribute) in id.entity.attributesByName where !attribute.isTransient {
            guard case .attribute(let value)? = snapshot.values[name] else {
                values[name] = NSNull()
                continue
            }
            values[name] = try attribute.stored(value) ?? NSNull()
        }
        for (name, relationship) in id.entity.relationshipsByName {
            switch snapshot.values[name] {
            case .destination(let identifier)?: values[name] = try objectID(identifier)
            case .members(let identifiers)?: values[name] = try identifiers.map(objectID)
            default: values[name] = relationship.isToMany ? [NSManagedObjectID]() as Any : NSNull()
            }
        }
        let row = Row(id: id, values: values)
        state.withLock { state in
            if state.rows[id]?.hasValues(of: row) == true { return }
            state.version += 1 << 20
            state.rows[id] = row
            state.rows[id]?.version = state.version
        }
        return id
    }

    private func knownRow(_ id: NSManagedObjectID) -> Row? { state.withLock { $0.rows[id] } }

    private func row(_ id: NSManagedObjectID, in context: NSManagedObjectContext?) throws -> Row {
        if let known = knownRow(id) { return known }
        let identifier = PersistentIdentifier(id)
        try call { store in
            let state = state(of: context)
            var snapshots = try store.cachedSnapshots(of: identifier, state)
            if snapshots.isEmpty, let type = types[id.entity.name ?? ""]?.type {
                snapshots = try store.snapshots(of: type, identifier, state)
            }
            for snapshot in snapshots { _ = try keep(snapshot) }
        }
        if let found = knownRow(id) { return found }
        throw CocoaError(CocoaError.Code(rawValue: NSManagedObjectReferentialIntegrityError))
    }

    override func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        let row = try row(objectID, in: context)
        return NSIncrementalStoreNode(objectID: row.id, withValues: row.values, version: row.version)
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        try row(objectID, in: context).values[relationship.name] ?? NSNull()
    }

    override func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {
        forget(objectIDs)
    }

    /// Drops rows that the data store has written or deleted since it handed them out.
    func forget(_ ids: [NSManagedObjectID]) {
        state.withLock { state in
            for id in ids { state.rows[id] = nil }
        }
    }

    // MARK: Saving

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        throw DataStoreError.unsupportedFeature
    }

    /// Saves, and returns how the store named new rows.
    private func save(
        _ request: NSSaveChangesRequest, in context: NSManagedObjectContext
    ) throws -> SavedRows {
        // An object with other members has changed, though its own row has not.
        let updated = context.updatedObjects.filter { $0.objectID.persistentStore === self }
            .union(request.updatedObjects ?? [])
        let inserted = models(request.insertedObjects ?? [])
        let result = try call { store in
            try store.save(
                inserted: inserted, updated: models(updated), deleted: models(request.deletedObjects ?? []),
                state(of: context))
        }
        forget(updated.union(request.deletedObjects ?? []).map(\.objectID))
        var permanent: [NSManagedObjectID: NSManagedObjectID] = [:]
        for (model, _) in inserted {
            guard let identifier = result.permanent[PersistentIdentifier(model.objectID)] else {
                throw SwiftDataError(
                    .unknownSchema,
                    "the data store \(self.identifier ?? "") gave no permanent identifier to an inserted "
                        + "\(model.entity.name ?? "model"): name it in remappedIdentifiers")
            }
            permanent[model.objectID] = try objectID(identifier)
        }
        let others = try result.others.map(keep)
        context.owner?.changedBySave += others
        return SavedRows(permanent: permanent, changed: others)
    }

    /// Returns objects with their models, in the order of their entities and rows.
    private func models(_ objects: Set<NSManagedObject>) -> [(ModelObject, any PersistentModel)] {
        objects.compactMap { $0 as? ModelObject }
            .sorted { ($0.entity.name ?? "", $0.orderInEntity) < ($1.entity.name ?? "", $1.orderInEntity) }
            .compactMap { object in
                object.model.map { (object, $0) }
                    ?? types[object.entity.name ?? ""].map { (object, object.made($0.type)) }
            }
    }
}
