import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

extension NSManagedObjectContext {
    /// The permanent references that the contexts of the tree share, which its root keeps.
    final var treeReferences: PermanentReferences { source?.root.references ?? references }

    /// Returns the address of an object in this context, given a reference of any context of the tree.
    final func address(of reference: ObjectReference, storeIndex: Int16) -> PermanentReferences.Address {
        treeReferences.address(of: PermanentReferences.Address(reference, storeIndex), after: knownReferences)
    }

    /// Returns the address in this context of an object that a row of a store refers to, given a reference of
    /// any context of the tree.
    final func address(of reference: ObjectReference, beside storeIndex: Int16) -> PermanentReferences.Address
    {
        address(of: reference, storeIndex: home(of: reference, beside: storeIndex))
    }

    /// Returns the IDs of rows, by the latest references that the tree has for them.
    final func ids(of references: [ObjectReference], in handle: StoreHandle) -> [NSManagedObjectID] {
        let frozen = requiredCoordinator.frozen
        guard references.contains(where: \.isTemporary) else {
            return frozen.ids(of: references, in: handle.store)
        }
        return references.map { reference in
            let address = treeReferences.currentAddress(of: .init(reference, handle.index))
            return NSManagedObjectID(
                address.reference, runtime: frozen.runtime(reference.entity),
                store: registry.store(at: address.storeIndex))
        }
    }

    /// Renames the context's objects to the permanent references that the tree has noted since the last time.
    final func adoptPermanentReferences() {
        let references = treeReferences
        guard knownReferences != references.count else { return }
        let (renamed, count) = references.renamed(after: knownReferences)
        knownReferences = count
        for object in registry.objects {
            if object.reference.isTemporary, renamed[object.reference] != nil {
                let address = address(of: object.reference, storeIndex: object.storeIndex)
                handle(at: object.storeIndex)?.cache.remove(object.reference)
                registry.move([object], storeIndex: address.storeIndex) { _ in address.reference }
                if let handle = handle(at: address.storeIndex) { registry.use(handle) }
            }
            object.renameDestinations(renamed)
        }
    }

    // MARK: Permanent references

    final func baseObtainPermanentIDs(for objects: [NSManagedObject]) throws {
        checkQueue("obtainPermanentIDs(for:)")
        adoptPermanentReferences()
        var groups: [Int16: [NSManagedObject]] = [:]
        for object in objects where object.reference.isTemporary {
            groups[try storeForInserting(object).index, default: []].append(object)
        }
        if groups.isEmpty { return }
        guard let root = source?.root else { return try giveReferences(to: groups) }
        try root.performAndWait { try root.giveReferences(to: groups) }
        adoptPermanentReferences()
    }

    /// Gives objects of this context, or of a nested one, permanent references, and notes these for the tree.
    /// The objects are grouped by the number of their store.
    private final func giveReferences(to groups: [Int16: [NSManagedObject]]) throws {
        defer { tracker.followRenames() }
        for (index, objects) in groups {
            guard let handle = handle(at: index) else { continue }
            // Another context of the tree may have given the objects references meanwhile.
            let unnamed = objects.filter { object in
                references.currentAddress(of: object.rowAddress).reference.isTemporary
            }
            let renamed = try permanentReferences(for: unnamed, in: handle)
            rename(unnamed.compactMap(ownObject), to: renamed, in: handle)
            tracker.noteRenamed(renamed)
            guard references.areShared else { continue }
            references.note(renamed, at: index)
            knownReferences = references.count
        }
    }

    /// Returns this context's object for one of another context of the tree.
    private final func ownObject(for object: NSManagedObject) -> NSManagedObject? {
        if object.registry === registry { return object }
        return registry.object(
            object.reference, storeIndex: object.storeIndex, root: object.runtime.root)
    }

    private final func permanentReferences(
        for objects: [NSManagedObject], in handle: StoreHandle
    ) throws -> ReferenceMap {
        var renamed = ReferenceMap(minimumCapacity: objects.count)
        if let store = handle.store as? any ObjectNamingStore {
            for (object, reference) in zip(objects, try store.permanentReferences(for: objects)) {
                renamed[object.reference] = reference
            }
            return renamed
        }
        let counts = Dictionary(grouping: objects, by: \.runtime.index).mapValues(\.count)
        var keys: [EntityIndex: [ObjectReference]]
        do { keys = try handle.backend.allocateKeys(counts) } catch { throw error.nsError() }
        for object in objects {
            guard let reference = keys[object.runtime.index]?.popLast() else { continue }
            renamed[object.reference] = reference
        }
        return renamed
    }

    /// Gives the new objects of a save their permanent references before their rows are written, if a store
    /// names its rows itself, or if there are nested contexts, which may read a row as soon as it is written.
    final func nameInsertedObjects() throws {
        guard source == nil else { return }
        let areShared = references.areShared
        guard areShared || requiredCoordinator.handles.contains(where: \.namesObjects) else { return }
        let unnamed = try tracker.tracked.filter { object in
            try object.isInserted && !object.isDeleted && object.reference.isTemporary
                && (areShared || storeForInserting(object).namesObjects)
        }
        try baseObtainPermanentIDs(for: unnamed)
    }

    /// Gives objects their permanent references instead of their temporary ones.
    final func rename(_ objects: [NSManagedObject], to permanent: ReferenceMap, in handle: StoreHandle) {
        registry.use(handle)
        registry.move(objects, storeIndex: handle.index) { object in
            guard let reference = permanent[object.reference] else { return nil }
            if let row = object.row, object.flags.contains(.inserted) { row.key = reference.key }
            return reference
        }
    }
}
