import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

extension NSManagedObjectContext {
    // MARK: What changed

    public final var hasChanges: Bool { tracker.hasChanges }
    public final var insertedObjects: Set<NSManagedObject> {
        Set(tracker.objects(.inserted).filter { !$0.isDeleted })
    }
    public final var updatedObjects: Set<NSManagedObject> { Set(tracker.updated) }
    public final var deletedObjects: Set<NSManagedObject> { Set(tracker.objects(.deleted)) }

    // MARK: Insert and delete

    /// Takes in an object that was made without a context.
    public final func insert(_ object: NSManagedObject) {
        if object.registry === registry {
            if object.isDeleted, !object.isInserted { object.flags.remove(.deleted) }
            return
        }
        if let other = object.managedObjectContext {
            programmerError(
                "An NSManagedObject may only be in one NSManagedObjectContext: \(object.objectID) is in \(other)."
            )
        }
        _ = requiredCoordinator
        object.registry = registry
        registry.register(object)
        tracker.noteInsert(object, in: self)
        object.awakeFromInsert()
    }

    /// Marks an object to be deleted with the next save. Delete rules are applied when changes are processed.
    public final func delete(_ object: NSManagedObject) {
        guard object.registry === registry else {
            programmerError(
                "An NSManagedObjectContext cannot delete objects in other contexts: \(object.objectID).")
        }
        guard !object.isDeleted else { return }
        object.prepareForDeletion()
        guard !object.isDeleted else { return }
        tracker.noteDelete(object, in: self)
        if !propagatesDeletesAtEndOfEvent { DeletePropagation.run([object], in: self) }
    }

    // MARK: Processing

    /// Applies delete rules and tells observers what changed since the last time.
    public final func processPendingChanges() {
        guard tracker.hasPending else { return }
        let deleted = tracker.pending.filter { $0.flags.contains(.pendingDelete) }
        if !deleted.isEmpty { DeletePropagation.run(Array(deleted), in: self) }
        let pending = tracker.takePending()
        var groups = ChangeGroups()
        for object in pending {
            let flags = object.flags
            if flags.contains(.pendingDelete) {
                if !flags.contains(.inserted) || !flags.contains(.pendingInsert) {
                    groups.deleted.insert(object)
                }
            } else if flags.contains(.pendingInsert) {
                groups.inserted.insert(object)
            } else if flags.contains(.pendingUpdate) {
                groups.updated.insert(object)
            } else if flags.contains(.pendingRefresh) {
                groups.refreshed.insert(object)
            }
        }
        tracker.sealEvent(pending)
        for object in pending where object.flags.contains([.inserted, .deleted]) { discard(object) }
        if !groups.isEmpty { post(.NSManagedObjectContextObjectsDidChange, groups.objectInfo) }
    }

    /// An object that was inserted and deleted again leaves without a trace.
    private final func discard(_ object: NSManagedObject) {
        tracker.forget(object)
        registry.unregister(object)
        object.registry = nil
    }

    // MARK: Refresh, rollback, reset

    /// Throws away the object's values; `flag` puts its changes on top of what is read next, otherwise they are
    /// lost and the object becomes a fault.
    public final func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        guard object.registry === registry, !object.reference.isTemporary else { return }
        guard flag, object.hasChanges, let row = object.row, let base = object.committed, row !== base else {
            object.flags.subtract([.updated])
            object.turnIntoFault()
            tracker.noteRefresh(object, in: self)
            return
        }
        guard let fresh = faultHandler.freshSnapshot(for: object) else {
            return handleInaccessible(object, property: nil)
        }
        let merged = fresh.clone()
        for column in row.layout.columns.indices where !row.isEqual(column, to: base) {
            merged.copyColumn(column, from: row)
        }
        object.adopt(fresh)
        object.row = merged
        object.words = merged.words
        object.flags.insert(.ownsRow)
        object.awake(fromSnapshotEvents: .refresh)
        tracker.noteRefresh(object, in: self)
    }

    /// Refreshes every object, keeping changes.
    public final func refreshAllObjects() {
        for object in registry.objects { refresh(object, mergeChanges: true) }
    }

    /// Checks at the next save that the row is still what this context read, though it does not change.
    public final func detectConflicts(for object: NSManagedObject) {
        object.fireIfNeeded()
        tracker.locked.append(object)
    }

    /// Puts everything back to what was last saved or fetched.
    public final func rollback() {
        processPendingChanges()
        let changed = tracker.tracked
        tracker.clear()
        for object in changed {
            if object.committed == nil, object.reference.isTemporary {
                registry.unregister(object)
                object.registry = nil
                continue
            }
            object.side = []
            if let committed = object.committed {
                object.adopt(committed)
                object.awake(fromSnapshotEvents: .rollback)
            }
            tracker.noteRefresh(object, in: self)
        }
        tracker.locked.removeAll()
        processPendingChanges()
    }

    /// Forgets every object; those still held elsewhere are of no context any more.
    public final func reset() {
        let objects = registry.objects
        tracker.clear()
        tracker.locked.removeAll()
        retained = []
        assignedStores = [:]
        for object in objects {
            registry.unregister(object)
            object.side = []
            object.registry = nil
        }
        post(.NSManagedObjectContextObjectsDidChange, [NSInvalidatedAllObjectsKey: objects.map(\.objectID)])
    }

    // MARK: Rows that are gone

    /// A fault whose row does not exist. With `shouldDeleteInaccessibleFaults` the object becomes a deleted one
    /// without values; otherwise this traps.
    final func handleInaccessible(_ object: NSManagedObject, property: NSPropertyDescription?) {
        guard shouldHandleInaccessibleFault(object, for: object.objectID, triggeredByProperty: property)
        else {
            programmerError(
                "CoreData could not fulfill a fault for '\(object.objectID.uriRepresentation())': the row is gone."
            )
        }
        let row = Snapshot.make(object.runtime.layout, key: object.reference.key, version: 0)
        object.row = row
        object.words = row.words
        object.flags.insert([.inaccessible, .ownsRow])
        tracker.noteDelete(object, in: self)
        object.flags.insert(.propagated)
    }

    public final func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID,
        triggeredByProperty property: NSPropertyDescription?
    ) -> Bool {
        shouldDeleteInaccessibleFaults
    }

    /// Gives an object's row back to the row cache.
    final func releaseRow(of object: NSManagedObject) {
        guard object.committed != nil else { return }
        if let cache = coordinator?.handle(at: object.storeIndex)?.cache {
            cache.release(&object.committed)
        } else {
            object.committed = nil
        }
    }
}
