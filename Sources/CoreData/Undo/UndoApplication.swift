import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The undoing of an event.
struct UndoApplication {
    private let context: NSManagedObjectContext

    init(_ context: NSManagedObjectContext) {
        self.context = context
    }

    /// Returns the event that undoes the undoing.
    func revert(_ event: UndoEvent) -> UndoEvent {
        var inverse = UndoEvent()
        inverse.updated = event.updated.map(\.inverse)
        // Objects come first, since values refer to them.
        for deletion in event.deleted {
            bringBack(deletion)
            inverse.inserted.append(deletion.object)
        }
        for deletion in event.deleted { restoreDestinations(deletion) }
        for update in event.updated where !isGone(update.object) { restore(update) }
        for object in event.inserted where !isGone(object) {
            inverse.deleted.append(UndoEvent.Deletion(object))
            take(out: object)
        }
        for deletion in event.deleted { deletion.object.awake(fromSnapshotEvents: .undoDeletion) }
        for update in event.updated where !isGone(update.object) {
            update.object.awake(fromSnapshotEvents: .undoUpdate)
        }
        for deletion in inverse.deleted { deletion.object.awake(fromSnapshotEvents: .undoInsertion) }
        context.changeFeed.lookAtWaiting()
        return inverse
    }

    private func isGone(_ object: NSManagedObject) -> Bool {
        object.registry !== context.registry || object.isDeleted
    }

    // MARK: Objects

    /// Deletes an object without applying delete rules, since the event has the changes that they would make.
    private func take(out object: NSManagedObject) {
        object.fireIfNeeded()
        object.flags.insert(.propagated)
        context.tracker.noteDelete(object, in: context)
    }

    private func bringBack(_ deletion: UndoEvent.Deletion) {
        let object = deletion.object
        defer { if object.registry === context.registry { context.host?.contextDidBringBack(object) } }
        if context.tracker.takeDeparted(object) { object.leaveUnregistered() }
        if object.registry === context.registry {
            object.flags.subtract([.deleted, .propagated])
            context.tracker.noteArrival(object, in: context)
            return
        }
        guard object.registry == nil, let row = deletion.row else { return }
        // The row of the object, if it had one, is not in the store any more.
        if !object.reference.isTemporary {
            object.become(TemporaryKeys.next(for: object.runtime.index), storeIndex: -1)
        }
        object.committed = nil
        object.flags = []
        object.take(row.clone())
        object.row?.key = object.reference.key
        object.side = []
        object.registry = context.registry
        context.registry.register(object)
        context.tracker.noteInsert(object, in: context)
    }

    /// Restores the relationships of an object that was made again. Their destinations may have been made
    /// again, too.
    private func restoreDestinations(_ deletion: UndoEvent.Deletion) {
        let object = deletion.object
        guard object.isInserted, object.side.isEmpty else { return }
        for (slot, destinations) in deletion.destinations {
            if slot.isToOne {
                if let column = slot.column { object.ownRow().setNull(column) }
            } else {
                object.setSide(nil, at: slot.index)
            }
            for destination in destinations where !isGone(destination) { object.link(slot, destination) }
        }
    }

    // MARK: Values

    private func restore(_ update: UndoEvent.Update) {
        let object = update.object
        if let before = update.before {
            for column in update.columns {
                object.ownRow().copyColumn(column, from: before)
                object.setSide(nil, at: object.runtime.columns[column].index)
            }
        }
        for relationship in update.relationships { restore(relationship, of: object) }
        object.noteChange()
        object.noteIfUnchanged()
    }

    private func restore(_ update: UndoEvent.RelationshipUpdate, of object: NSManagedObject) {
        let slot = update.slot
        let before = update.before.filter { !isGone($0) }
        guard slot.isToMany else {
            if let destination = before.first {
                object.link(slot, destination)
            } else if let column = slot.column {
                object.ownRow().setNull(column)
                object.setSide(nil, at: slot.index)
            }
            return
        }
        let value = object.toMany(at: slot)
        let kept = Set(before)
        for member in update.after where !kept.contains(member) { value.remove(member) }
        for member in before { value.insert(member) }
        if value.isOrdered {
            let order = before + value.array.filter { !kept.contains($0) }
            if order != value.array { value.reorder(order) }
        }
        value.noteIfUnchanged()
    }
}

extension NSManagedObject {
    /// Removes the flag of an updated object if all its values equal the stored ones again, so that no save
    /// writes it.
    fileprivate final func noteIfUnchanged() {
        if !isInserted, !isDeleted, changedSlots().isEmpty { flags.remove(.updated) }
    }
}
