import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

extension NSManagedObjectContext {
    // MARK: Insert and delete

    final func baseInsert(_ object: NSManagedObject) {
        checkQueue("insert(_:)")
        if object.registry === registry {
            if object.isDeleted, object.flags.isDisjoint(with: [.inserted, .inaccessible]) {
                changeFeed.changeSilently {
                    object.flags.subtract([.deleted, .propagated, .pendingDelete])
                }
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

    final func baseDelete(_ object: NSManagedObject) {
        checkQueue("delete(_:)")
        guard object.registry === registry else {
            programmerError(
                "An NSManagedObjectContext cannot delete objects in other contexts: \(object.objectID).")
        }
        guard !object.isDeleted else { return }
        tracker.noteDelete(object, in: self)
        object.prepareForDeletion()
    }

    // MARK: Events

    /// Ends the present event: its changes are announced together, and undone together.
    ///
    /// An event ends with
    /// - a block of `perform` or `performAndWait`, unless it runs inside another block of the context, whose
    ///   event goes on;
    /// - the pass of the run loop, for what changes on the main thread outside of blocks;
    /// - `processPendingChanges`, `save`, `undo` and `redo`, and before a group of the undo manager opens or
    ///   closes;
    /// - `rollback`, a merge and the save of a child, which are events of their own: the event before them
    ///   ends first.
    ///
    /// Reads by the context or by a child end no event: fetches, counts, batches, refreshes, reads of IDs and
    /// of single objects. They need no processed changes: both sides of a relationship change at once, and
    /// unsaved changes lie on top of what the stores have. Only delete rules are applied early, for a fetch
    /// that sees unsaved changes. A reset forgets the event.
    final func baseProcessPendingChanges() {
        checkQueue("processPendingChanges()")
        guard tracker.hasPending else { return }
        applyDeleteRules()
        let hasDeletes = tracker.hasPendingDeletes
        let pending = tracker.takePending()
        let groups = ChangeGroups(ofEvent: pending)
        undoRecorder?.record(pending)
        let changed = groups.isEmpty ? nil : changeFeed.end(pending)
        tracker.sealEvent(pending)
        if hasDeletes { discard(pending.filter { $0.flags.contains([.inserted, .deleted]) }) }
        if !groups.isEmpty {
            let info = groups.objectInfo()
            tracker.noteTold(ToldChanges(groups: groups, info: info))
            announceChanges(info, changed)
        }
        tracker.closeEvent(pending)
    }

    /// Announces an event to the context's change feed, then to the observers of its notification.
    ///
    /// - Parameters:
    ///   - info: The user info of the notification.
    ///   - changed: The changes in detail, if they were noted when the event ended.
    final func announceChanges(_ info: [AnyHashable: Any], _ changed: [ChangedObjects]? = nil) {
        changeFeed.deliver(ContextEvent(info, changed))
        post(.NSManagedObjectContextObjectsDidChange, info)
    }

    /// Ends the event, and applies the delete rules that were to wait for the save.
    final func processPendingChangesToSave() {
        if !propagatesDeletesAtEndOfEvent {
            applyDeleteRules { tracker.deleted.filter { !$0.flags.contains(.propagated) } }
        }
        processPendingChanges()
    }

    /// Applies the delete rules of the event.
    ///
    /// Objects that were inserted and deleted again are detached at the end of the event, before any save.
    final func applyDeleteRules() {
        applyDeleteRules { tracker.takeDeletes(leavingStored: !propagatesDeletesAtEndOfEvent) }
    }

    /// Applies delete rules until no more objects are deleted: those that a rule deletes may delete others in
    /// `prepareForDeletion`.
    private final func applyDeleteRules(_ waiting: () -> [NSManagedObject]) {
        while true {
            let deleted = waiting()
            if deleted.isEmpty { return }
            DeletePropagation.run(deleted, in: self)
        }
    }

    /// Detaches objects that were inserted and deleted again.
    private final func discard(_ objects: [NSManagedObject]) {
        guard !objects.isEmpty else { return }
        tracker.forget(objects)
        for object in objects {
            registry.unregister(object)
            object.registry = nil
        }
    }

    /// Has the next save verify an object's row, even if the object does not change.
    final func baseDetectConflicts(for object: NSManagedObject) {
        object.fireIfNeeded()
        tracker.verifiedAtSave.append(object)
    }
}
