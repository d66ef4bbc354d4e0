import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

extension NSManagedObjectContext {
    final func baseRegisteredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
        let address = address(of: objectID)
        return registry.object(
            address.reference, storeIndex: address.storeIndex, root: objectID.runtime.root)
    }

    final func baseObject(with objectID: NSManagedObjectID) -> NSManagedObject {
        checkQueue("object(with:)")
        if let known = registeredObject(for: objectID) { return known }
        return object(at: address(of: objectID))
    }

    final func baseExistingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        checkQueue("existingObject(with:)")
        if let object = registeredObject(for: objectID) {
            if object.flags.contains(.inaccessible) { throw missing(objectID) }
            if object.isDeleted || !object.isFault { return object }
        }
        if source == nil, address(of: objectID).reference.isTemporary { throw missing(objectID) }
        let object = object(with: objectID)
        guard let snapshot = faultHandler.snapshot(for: object, in: self) else { throw missing(objectID) }
        if object.isFault { object.fill(from: snapshot) }
        return object
    }

    private final func missing(_ objectID: NSManagedObjectID) -> NSError {
        CoreDataError.error(
            NSManagedObjectReferentialIntegrityError,
            reason: "An NSManagedObjectContext cannot find a row for \(objectID.uriRepresentation()).",
            [NSAffectedObjectsErrorKey: [objectID]])
    }

    /// Returns the store index and reference under which this context has the object of an ID.
    ///
    /// An ID of another coordinator names the row of the same store.
    final func address(of objectID: NSManagedObjectID) -> PermanentReferences.Address {
        if objectID.isTemporaryID { return address(of: objectID.reference, storeIndex: -1) }
        if let store = objectID.persistentStore {
            if let index = index(of: store) { return address(of: objectID.reference, storeIndex: index) }
            if let native = coordinator?.managedObjectID(forURIRepresentation: objectID.uriRepresentation()),
                let own = native.persistentStore, let index = coordinator?.index(of: own)
            {
                return address(of: native.reference, storeIndex: index)
            }
        }
        programmerError(
            "The object ID \(objectID.uriRepresentation()) is of a store that this context's coordinator does not have."
        )
    }

    /// Returns the index of a store of the coordinator. Compares with the store that was read last, since it
    /// is mostly the same.
    private final func index(of store: NSPersistentStore) -> Int16? {
        if let lastRead, lastRead.handle.store === store, lastRead.arrangement == StoreShelf.arrangement {
            return lastRead.handle.index
        }
        return coordinator?.index(of: store)
    }

    /// Returns the object of a store index and reference, made as a fault if the context has none.
    final func object(at address: PermanentReferences.Address) -> NSManagedObject {
        object(for: address.reference, storeIndex: address.storeIndex)
    }

    /// Returns the object of a row by the reference that it has in this context, made as a fault if the
    /// context has none.
    final func object(for reference: ObjectReference, storeIndex: Int16) -> NSManagedObject {
        object(
            for: reference, runtime: requiredCoordinator.frozen.runtime(reference.entity),
            storeIndex: home(of: reference, beside: storeIndex), in: registry)
    }

    /// Returns the objects of rows of one store, made as faults where the context has none.
    final func objects(for references: [ObjectReference], storeIndex: Int16) -> [NSManagedObject] {
        guard let first = references.first else { return [] }
        let frozen = requiredCoordinator.frozen
        var runtime = frozen.runtime(first.entity)
        let registry = registry
        registry.reserve(references.count, of: runtime.root, storeIndex: storeIndex)
        var objects: [NSManagedObject] = []
        objects.reserveCapacity(references.count)
        for reference in references {
            guard storeIndex >= 0, !reference.isTemporary else {
                objects.append(object(for: reference, storeIndex: storeIndex))
                continue
            }
            if reference.entity != runtime.index { runtime = frozen.runtime(reference.entity) }
            objects.append(object(for: reference, runtime: runtime, storeIndex: storeIndex, in: registry))
        }
        return objects
    }

    /// Returns the index of the store that has a reference's row, for an object that refers to it from the
    /// given store.
    ///
    /// An object that is in no store yet may refer to a row of any store.
    final func home(of reference: ObjectReference, beside storeIndex: Int16) -> Int16 {
        if reference.isTemporary { return -1 }
        if storeIndex >= 0 { return storeIndex }
        return requiredCoordinator.handles.first { $0.holds(reference.entity) }?.index ?? storeIndex
    }

    /// Returns the objects of rows that were read; objects that have values keep them.
    final func objects(for rows: [Snapshot], handle: StoreHandle) -> [NSManagedObject] {
        guard let first = rows.first else { return [] }
        let frozen = requiredCoordinator.frozen
        let storeIndex = handle.index
        var runtime = frozen.runtime(first.entity)
        let registry = registry
        registry.reserve(rows.count, of: runtime.root, storeIndex: storeIndex)
        var objects: [NSManagedObject] = []
        objects.reserveCapacity(rows.count)
        for row in rows {
            let reference = row.reference
            if reference.entity != runtime.index { runtime = frozen.runtime(reference.entity) }
            let object = object(
                for: reference, runtime: runtime, storeIndex: home(of: reference, beside: storeIndex),
                row: row, in: registry)
            if object.committed !== row, object.isFault { object.committed = row }
            objects.append(object)
        }
        return objects
    }

    /// Returns the object of a row, made if the context has none.
    ///
    /// - Parameter registry: The registry of the context.
    private final func object(
        for reference: ObjectReference, runtime: EntityRuntime, storeIndex: Int16, row: Snapshot? = nil,
        in registry: ContextRegistry
    ) -> NSManagedObject {
        var isPlaceTaken = false
        if let object = registry.object(reference, storeIndex: storeIndex, root: runtime.root) {
            if object.runtime === runtime
                || object.runtime.compiled.mayStand(for: runtime.compiled, isRow: row != nil)
            {
                return object
            }
            isPlaceTaken = row == nil
        }
        let object = registry.makeObject(
            for: reference, runtime: runtime, storeIndex: storeIndex, row: row, in: self,
            isRegistered: !isPlaceTaken)
        if retainsRegisteredObjects { retained.insert(object) }
        return object
    }

    /// Puts rows that were read into the row cache and returns for each the row to use.
    ///
    /// A parent's answer for any store includes rows of its objects that are in no store yet.
    final func remember(
        _ rows: [Snapshot], from handle: StoreHandle, readAt changeCount: UInt64
    ) -> [Snapshot] {
        registry.use(handle)
        guard source != nil, let unsaved = self.handle(at: -1), rows.contains(where: { $0.key < 0 }) else {
            return handle.cache.insert(rows, readAt: changeCount)
        }
        registry.use(unsaved)
        return rows.map {
            $0.key < 0 ? unsaved.cache.keep($0) ?? $0 : handle.cache.insert($0, readAt: changeCount)
        }
    }

    final func baseAssign(_ object: Any, to store: NSPersistentStore) {
        guard let object = object as? NSManagedObject else {
            programmerError("assign(_:to:) takes a managed object, not \(type(of: object))")
        }
        guard object.reference.isTemporary else {
            programmerError("\(object.objectID) is saved: an object cannot move to another store")
        }
        if let index = coordinator?.index(of: store), let handle = coordinator?.handle(at: index),
            !handle.holds(object.runtime.index)
        {
            programmerError(
                "Can't assign an object to a store that does not contain the object's entity: the configuration "
                    + "\(store.configurationName) has no \(object.runtime.name)")
        }
        assignedStores[ObjectIdentifier(object)] = store
    }

    /// Returns the store that has an object's row, or will have it.
    final func handle(keeping object: NSManagedObject) -> StoreHandle? {
        object.storeIndex < 0 ? try? storeForInserting(object) : handle(at: object.storeIndex)
    }

    final func storeForInserting(_ object: NSManagedObject) throws -> StoreHandle {
        if !assignedStores.isEmpty, let store = assignedStores[ObjectIdentifier(object)],
            let index = requiredCoordinator.index(of: store), let handle = handle(at: index)
        {
            return handle
        }
        let entity = object.runtime.index
        let handles = handles
        if let handle = handles.first(where: { $0.holds(entity) && !$0.store.isReadOnly }) {
            return handle
        }
        let reason =
            handles.isEmpty
            ? "This NSPersistentStoreCoordinator has no persistent stores. It cannot perform a save operation."
            : "No writable store of the coordinator holds the entity \(object.runtime.name)."
        throw CoreDataError.error(
            NSPersistentStoreSaveError, reason: reason, [NSAffectedObjectsErrorKey: [object]])
    }
}

extension CompiledEntity {
    /// Returns whether an object of this entity may stand for a row of another entity, or for a reference to
    /// it, since a damaged file may refer to a row as one of an entity to which it does not belong.
    ///
    /// A row determines its object's entity, so the object must have all properties of the row. A reference
    /// may lead to an object of its entity or of a subentity. For any other reference the context makes a
    /// separate fault, which has no row.
    fileprivate func mayStand(for other: CompiledEntity, isRow: Bool) -> Bool {
        isRow ? includes(other.index) : other.includes(index)
    }
}
