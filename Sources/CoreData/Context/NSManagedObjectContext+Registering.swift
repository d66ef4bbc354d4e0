import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

extension NSManagedObjectContext {
    final func knownObject(_ objectID: NSManagedObjectID) -> NSManagedObject? {
        if let place = place(of: objectID.reference) {
            adoptPermanentReferences()
            return registry.object(
                place.reference, storeIndex: place.storeIndex, root: objectID.runtime.compiled.root)
        }
        let (objectID, storeIndex) = native(objectID)
        return registry.object(
            objectID.reference, storeIndex: storeIndex, root: objectID.runtime.compiled.root)
    }

    final func objectOrFault(_ objectID: NSManagedObjectID) -> NSManagedObject {
        checkQueue("object(with:)")
        if let known = registeredObject(for: objectID) { return known }
        let (objectID, storeIndex) = native(objectID)
        return object(for: objectID.reference, storeIndex: storeIndex)
    }

    final func storedObject(_ objectID: NSManagedObjectID) throws -> NSManagedObject {
        checkQueue("existingObject(with:)")
        if let object = registeredObject(for: objectID) {
            if object.flags.contains(.inaccessible) { throw missing(objectID) }
            if object.isDeleted || !object.isFault { return object }
        }
        if objectID.isTemporaryID, source == nil, place(of: objectID.reference) == nil {
            throw missing(objectID)
        }
        let object = object(with: objectID)
        guard let snapshot = faultHandler.snapshot(for: object) else { throw missing(objectID) }
        if object.isFault { object.fill(from: snapshot) }
        return object
    }

    private final func missing(_ objectID: NSManagedObjectID) -> NSError {
        CoreDataError.error(
            NSManagedObjectReferentialIntegrityError,
            reason: "An NSManagedObjectContext cannot find a row for \(objectID.uriRepresentation()).",
            [NSAffectedObjectsErrorKey: [objectID]])
    }

    /// An ID as this context's stores know it, and the store. One of another coordinator names the row of the same store.
    private final func native(_ objectID: NSManagedObjectID) -> (NSManagedObjectID, storeIndex: Int16) {
        guard !objectID.isTemporaryID else { return (objectID, -1) }
        if let store = objectID.persistentStore {
            if let index = coordinator?.index(of: store) { return (objectID, index) }
            if let native = coordinator?.managedObjectID(forURIRepresentation: objectID.uriRepresentation()),
                let own = native.persistentStore, let index = coordinator?.index(of: own)
            {
                return (native, index)
            }
        }
        programmerError(
            "The object ID \(objectID.uriRepresentation()) is of a store that this context's coordinator does not have."
        )
    }

    /// The object of a row, made as a fault if the context has none.
    final func object(for reference: ObjectReference, storeIndex: Int16) -> NSManagedObject {
        if let place = place(of: reference) {
            adoptPermanentReferences()
            return object(for: place.reference, storeIndex: place.storeIndex)
        }
        return object(
            for: reference, runtime: requiredCoordinator.frozen.runtime(reference.entity),
            storeIndex: home(of: reference, beside: storeIndex), in: registry)
    }

    /// The objects of rows of one store.
    final func objects(for references: [ObjectReference], storeIndex: Int16) -> [NSManagedObject] {
        guard let first = references.first else { return [] }
        let frozen = requiredCoordinator.frozen
        var runtime = frozen.runtime(first.entity)
        let registry = registry
        registry.reserve(references.count, of: runtime.compiled.root, storeIndex: storeIndex)
        var objects: [NSManagedObject] = []
        objects.reserveCapacity(references.count)
        for reference in references {
            guard storeIndex >= 0, !reference.isTemporary else {
                objects.append(object(for: reference, storeIndex: storeIndex))
                continue
            }
            if reference.entity != runtime.compiled.index { runtime = frozen.runtime(reference.entity) }
            objects.append(object(for: reference, runtime: runtime, storeIndex: storeIndex, in: registry))
        }
        return objects
    }

    /// The store of a row that an object of a store refers to. One that is in no store yet may refer to any.
    private final func home(of reference: ObjectReference, beside storeIndex: Int16) -> Int16 {
        if reference.isTemporary { return -1 }
        if storeIndex >= 0 { return storeIndex }
        return requiredCoordinator.handles.first { $0.holds(reference.entity) }?.index ?? storeIndex
    }

    /// The objects of rows that were read. Objects that have values keep them.
    final func objects(for rows: [Snapshot], handle: StoreHandle) -> [NSManagedObject] {
        guard let first = rows.first else { return [] }
        let frozen = requiredCoordinator.frozen
        let storeIndex = handle.index
        var runtime = frozen.runtime(first.entity)
        let registry = registry
        registry.reserve(rows.count, of: runtime.compiled.root, storeIndex: storeIndex)
        var objects: [NSManagedObject] = []
        objects.reserveCapacity(rows.count)
        for row in rows {
            let reference = row.reference
            if reference.entity != runtime.compiled.index { runtime = frozen.runtime(reference.entity) }
            let object = object(
                for: reference, runtime: runtime, storeIndex: home(of: reference, beside: storeIndex),
                row: row, in: registry)
            if object.committed !== row, object.isFault { object.committed = row }
            objects.append(object)
        }
        return objects
    }

    /// - Parameter registry: That of the context.
    private final func object(
        for reference: ObjectReference, runtime: EntityRuntime, storeIndex: Int16, row: Snapshot? = nil,
        in registry: ContextRegistry
    ) -> NSManagedObject {
        if let object = registry.object(reference, storeIndex: storeIndex, root: runtime.compiled.root) {
            return object
        }
        let object = registry.makeObject(
            for: reference, runtime: runtime, storeIndex: storeIndex, row: row, in: self)
        if retainsRegisteredObjects { retained.insert(object) }
        return object
    }

    /// Takes in rows that were read and hands back what is to be used for each. Those of objects that are in no store
    /// yet come with the parent's answer for any.
    final func remember(
        _ rows: [Snapshot], from handle: StoreHandle, readAt moment: UInt64
    ) -> [Snapshot] {
        registry.use(handle)
        guard source != nil, let unsaved = self.handle(at: -1), rows.contains(where: { $0.key < 0 }) else {
            return handle.cache.insert(rows, readAt: moment)
        }
        registry.use(unsaved)
        return rows.map {
            $0.key < 0 ? unsaved.cache.keep($0) ?? $0 : handle.cache.insert($0, readAt: moment)
        }
    }

    final func makeIDsPermanent(of objects: [NSManagedObject]) throws {
        checkQueue("obtainPermanentIDs(for:)")
        adoptPermanentReferences()
        var groups: [Int16: [NSManagedObject]] = [:]
        for object in objects where object.reference.isTemporary {
            groups[try storeForInserting(object).index, default: []].append(object)
        }
        for (index, objects) in groups {
            guard let handle = handle(at: index) else { continue }
            var renamed = ReferenceMap(minimumCapacity: objects.count)
            if let store = handle.store as? any ObjectNamingStore {
                for (object, reference) in zip(objects, try store.permanentReferences(for: objects)) {
                    renamed[object.reference] = reference
                }
                rename(objects, to: renamed, in: handle)
                tracker.noteRenamed(renamed)
                continue
            }
            let counts = Dictionary(grouping: objects, by: \.runtime.compiled.index).mapValues(\.count)
            var keys: [EntityIndex: [ObjectReference]]
            do { keys = try handle.backend.allocateKeys(counts) } catch { throw error.nsError() }
            for object in objects {
                guard let reference = keys[object.runtime.compiled.index]?.popLast() else { continue }
                renamed[object.reference] = reference
            }
            rename(objects, to: renamed, in: handle)
            tracker.noteRenamed(renamed)
        }
        tracker.followRenames()
    }

    /// Gives objects that have temporary references their permanent ones, and has the rest of the tree know.
    final func rename(
        _ objects: [NSManagedObject], to permanent: ReferenceMap, in handle: StoreHandle
    ) {
        let isShared = treeReferences.areShared
        registry.use(handle)
        registry.move(objects, storeIndex: handle.index) { object in
            guard let reference = permanent[object.reference] else { return nil }
            if let row = object.row, object.flags.contains(.inserted) { row.key = reference.key }
            if isShared { notePermanent(reference, of: object.reference, at: handle.index) }
            return reference
        }
    }

    final func bind(_ object: Any, to store: NSPersistentStore) {
        guard let object = object as? NSManagedObject else {
            programmerError("assign(_:to:) takes a managed object, not \(type(of: object))")
        }
        guard object.reference.isTemporary else {
            programmerError("\(object.objectID) is saved: an object cannot move to another store")
        }
        if let index = coordinator?.index(of: store), let handle = coordinator?.handle(at: index),
            !handle.holds(object.runtime.compiled.index)
        {
            programmerError(
                "Can't assign an object to a store that does not contain the object's entity: the configuration "
                    + "\(store.configurationName) has no \(object.runtime.compiled.name)")
        }
        assignedStores[ObjectIdentifier(object)] = store
    }

    /// The store that has an object's row, or will have it.
    final func handle(keeping object: NSManagedObject) -> StoreHandle? {
        object.storeIndex < 0 ? try? storeForInserting(object) : handle(at: object.storeIndex)
    }

    final func storeForInserting(_ object: NSManagedObject) throws -> StoreHandle {
        if !assignedStores.isEmpty, let store = assignedStores[ObjectIdentifier(object)],
            let index = requiredCoordinator.index(of: store), let handle = handle(at: index)
        {
            return handle
        }
        let entity = object.runtime.compiled.index
        let handles = handles
        if let handle = handles.first(where: { $0.holds(entity) && !$0.store.isReadOnly }) {
            return handle
        }
        let reason =
            handles.isEmpty
            ? "This NSPersistentStoreCoordinator has no persistent stores. It cannot perform a save operation."
            : "No writable store of the coordinator holds the entity \(object.runtime.compiled.name)."
        throw CoreDataError.error(
            NSPersistentStoreSaveError, reason: reason, [NSAffectedObjectsErrorKey: [object]])
    }
}
