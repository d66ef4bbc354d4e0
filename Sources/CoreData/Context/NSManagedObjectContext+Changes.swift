import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

extension NSManagedObjectContext {
    // MARK: Insert and delete

    final func takeIn(_ object: NSManagedObject) {
        checkQueue("insert(_:)")
        if object.registry === registry {
            if object.isDeleted, object.flags.isDisjoint(with: [.inserted, .inaccessible]) {
                object.flags.subtract([.deleted, .propagated])
                changeFeed.noteSilentChange()
            }
            return
        }
        if let other = object.managedObjectContext {
            programmerError(
                "An NSManagedObject may only be in one NSManagedObjectContext: \(object.objectID) is in \(other)."
            )
        }
        if coordinator == nil { _ = requiredCoordinator }
        object.registry = registry
        withRegistry { $0.register(object) }
        if tracksReads { object.trackReads(true) }
        if retainsRegisteredObjects { retained.insert(object) }
        tracker.noteInsert(object, in: self)
        object.awakeFromInsert()
    }

    final func markDeleted(_ object: NSManagedObject) {
        checkQueue("delete(_:)")
        guard object.registry === registry else {
            programmerError(
                "An NSManagedObjectContext cannot delete objects in other contexts: \(object.objectID).")
        }
        guard !object.isDeleted else { return }
        tracker.noteDelete(object, in: self)
        object.prepareForDeletion()
    }

    // MARK: Processing

    final func settleEvent() {
        checkQueue("processPendingChanges()")
        guard tracker.hasPending else { return }
        let hasDeletes = tracker.hasPendingDeletes
        if hasDeletes { propagateDeletes() }
        let pending = tracker.takePending()
        let groups = ChangeGroups(ofEvent: pending)
        undoRecorder?.record(pending)
        if !groups.isEmpty { changeFeed.noteEnd(of: pending) }
        tracker.sealEvent(pending)
        if hasDeletes { discard(pending.filter { $0.flags.contains([.inserted, .deleted]) }) }
        if !groups.isEmpty {
            let info = groups.objectInfo()
            tracker.noteTold(ToldChanges(groups: groups, info: info))
            post(.NSManagedObjectContextObjectsDidChange, info)
        }
        tracker.closeEvent(pending)
    }

    /// Applies delete rules now that were to wait for the save.
    final func processPendingChangesToSave() {
        if !propagatesDeletesAtEndOfEvent {
            propagateDeletes { tracker.deleted.filter { !$0.flags.contains(.propagated) } }
        }
        processPendingChanges()
    }

    /// What was inserted and is deleted again leaves with the event, and no save will see it.
    private final func propagateDeletes() {
        propagateDeletes {
            tracker.pending.filter {
                $0.flags.contains(.pendingDelete) && !$0.flags.contains(.propagated)
                    && (propagatesDeletesAtEndOfEvent || $0.flags.contains(.inserted))
            }
        }
    }

    /// Until no more are deleted: objects that a rule deletes may delete others in `prepareForDeletion`.
    private final func propagateDeletes(_ waiting: () -> [NSManagedObject]) {
        while true {
            let deleted = waiting()
            if deleted.isEmpty { return }
            DeletePropagation.run(deleted, in: self)
        }
    }

    /// Objects that were inserted and deleted again leave without a trace.
    private final func discard(_ objects: [NSManagedObject]) {
        guard !objects.isEmpty else { return }
        tracker.forget(objects)
        for object in objects {
            registry.unregister(object)
            object.registry = nil
        }
    }

    /// Has the next save check an object's row, though the object does not change.
    final func watch(_ object: NSManagedObject) {
        object.fireIfNeeded()
        tracker.locked.append(object)
    }
}
