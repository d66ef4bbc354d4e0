import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

extension NSManagedObjectContext {
    // MARK: Refresh, rollback, reset

    final func baseRefresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        checkQueue("refresh(_:mergeChanges:)")
        // The row may still be cached for another context; without it, the store is read.
        readHandle(at: object.storeIndex)?.forget(object.reference)
        reread(object, keepingChanges: flag)
    }

    /// Replaces the object's values by those of the cached row, or of the store if no row is cached.
    final func reread(_ object: NSManagedObject, keepingChanges flag: Bool) {
        guard object.registry === registry, !object.isGone else { return }
        guard !object.isInserted else { return flag ? () : forgetValues(of: object) }
        defer { tracker.noteRefresh(object, in: self) }
        // If only members were added or removed, no row is needed.
        if flag, object.isDirty, object.row == nil { return }
        guard flag, object.isDirty, object.row != nil, object.committed != nil else {
            if host != nil, !object.isDirty, object.row != nil { return takeNewRow(object) }
            object.flags.subtract([.updated])
            return object.turnIntoFault()
        }
        // Reading the row may awaken other objects, which runs code of the app: this object may have changed
        // afterwards.
        guard let fresh = faultHandler.snapshot(for: object, in: self) else {
            return handleInaccessible(object, property: nil)
        }
        guard let row = object.row, let base = object.committed else { return }
        // If the object has changed in this event already, its values from before the event are known.
        let hasEventBase = object.flags.contains([.pendingUpdate, .ownsRow])
        object.dropStoredSides()
        object.adopt(fresh)
        if row !== base {
            let merged = fresh.clone()
            for column in row.layout.columns.indices where !row.isEqual(column, to: base) {
                merged.copyColumn(column, from: row)
            }
            object.take(merged)
            if hasEventBase { object.flags.insert(.ownsRow) }
        }
        object.awake(fromSnapshotEvents: .refresh)
    }

    /// Gives an object without changes the row that is stored now.
    ///
    /// If there is none, the object keeps its values, which are the last ones: its deletion is still to be
    /// merged.
    private final func takeNewRow(_ object: NSManagedObject) {
        guard let fresh = faultHandler.snapshot(for: object, in: self) else { return }
        object.turnIntoFault()
        object.fill(from: fresh)
    }

    /// Turns an inserted object into a fault. It has no row to read: its next use gives it the values of a
    /// new object.
    private final func forgetValues(of object: NSManagedObject) {
        for index in object.runtime.relationshipSlots {
            let slot = object.runtime.slot(at: index)
            for destination in object.knownDestinations(at: slot) {
                InverseMaintenance.disconnect(object, slot, destination)
            }
        }
        object.turnIntoFault()
        tracker.noteRefresh(object, in: self)
    }

    final func baseRollback() {
        checkQueue("rollback()")
        withoutUndo(dropChanges)
        undoManager?.removeAllActions()
    }

    private final func dropChanges() {
        processPendingChanges()
        let changed = tracker.tracked
        let inserted = Set(changed.filter(\.isInserted))
        tracker.clear()
        let kept = changed.filter { $0.registry != nil && !inserted.contains($0) }
        let otherSides = kept.map(OtherSides.init)
        for object in kept {
            // An inaccessible object counts as deleted because its row was not found. The row may exist
            // again.
            if object.flags.remove(.inaccessible) != nil { object.turnIntoFault() }
            object.restoreMembers()
            if let committed = object.committed { object.adopt(committed) }
            tracker.noteRefresh(object, in: self)
        }
        for others in otherSides { others.follow(changesRows: false) }
        for object in kept where object.committed != nil { object.awake(fromSnapshotEvents: .rollback) }
        // Observers are told that inserted objects were deleted.
        for object in inserted {
            tracker.noteDelete(object, in: self)
            object.flags.insert(.propagated)
        }
        tracker.verifiedAtSave.removeAll()
        processPendingChanges()
        tracker.forget(Array(inserted))
        for object in inserted {
            registry.unregister(object)
            object.registry = nil
        }
        dismiss(tracker.takeDeparted())
    }

    final func baseReset() {
        checkQueue("reset()")
        let objects = registry.objects
        undoManager?.removeAllActions(withTarget: self)
        tracker.clear()
        tracker.verifiedAtSave.removeAll()
        retained = []
        assignedStores = [:]
        faultHandler.forgetBatches()
        let ids = objects.map(\.objectID)
        changeFeed.changeSilently {
            for object in objects { object.leaveContext() }
        }
        dismiss(tracker.takeDeparted())
        announceChanges([NSInvalidatedAllObjectsKey: ids])
    }

    // MARK: Rows that are gone

    /// Makes a fault whose row does not exist a deleted object without values; traps unless the context
    /// allows it.
    final func handleInaccessible(_ object: NSManagedObject, property: NSPropertyDescription?) {
        guard shouldHandleInaccessibleFault(object, for: object.objectID, triggeredByProperty: property)
        else {
            programmerError(
                "CoreData could not fulfill a fault for '\(object.objectID.uriRepresentation())': the row is gone."
            )
        }
        let known = host == nil ? nil : object.committed?.clone()
        let row = known ?? Snapshot.make(object.runtime.layout, key: object.reference.key, version: 0)
        object.setRow(row, owned: true)
        object.flags.insert(.inaccessible)
        tracker.noteDelete(object, in: self)
        object.flags.insert(.propagated)
    }

    /// Gives an object's row back to the row cache.
    final func releaseRow(of object: NSManagedObject) {
        registry.releaseRow(of: object)
    }
}
