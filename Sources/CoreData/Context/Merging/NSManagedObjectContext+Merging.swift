import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation

extension NSManagedObjectContext {
    final func merge(_ changes: SavedChanges) {
        checkQueue("mergeChanges(fromContextDidSave:)")
        processPendingChanges()
        advanceGeneration()
        adoptPermanentReferences()
        isMerging = true
        defer { isMerging = false }
        Profiling.recording(.merge) {
            withoutUndo { apply(changes) }
        } describe: { event, _ in
            event.note(self)
            event.count = changes.inserted.count + changes.updated.count + changes.deleted.count
        }
        guard let host, !tracker.departed.isEmpty else { return }
        let departed = tracker.takeDeparted()
        host.contextWillDetach(departed)
        dismiss(departed)
    }

    private final func apply(_ changes: SavedChanges) {
        let changes = changes.keeping(writtenAgain(changes.deleted))
        if changes.isForeign || source != nil { forgetRows(of: changes.updated + changes.deleted) }
        var groups = ChangeGroups()
        // Updated and deleted objects are looked up before any of them changes: an object may be kept alive
        // only by the values of another that refers to it.
        groups.refreshed = changes.updated.compactMap(concernedObject).distinct
        groups.deleted = changes.deleted.compactMap(registeredObject).distinct
        for object in groups.refreshed { reread(object, keepingChanges: true) }
        groups.inserted = changes.inserted.map(object(with:)).distinct
        for object in groups.inserted { tracker.noteArrival(object, in: self) }
        for object in groups.deleted { tracker.noteDelete(object, in: self) }
        tracker.noteDeparture(of: groups.deleted)
        for object in groups.deleted { detach(object) }
        // If the row is written again, another object will stand for it.
        for object in groups.deleted { registry.unregister(object) }
        processPendingChanges()
        if !groups.isEmpty {
            let info = groups.objectIDInfo
            // Observers of the merge find refreshed IDs under the key of updated IDs as well.
            let updated = info[NSRefreshedObjectIDsKey].map { [NSUpdatedObjectIDsKey: $0] } ?? [:]
            post(.NSManagedObjectContextDidMergeChangesObjectIDs, info.merging(updated) { $1 })
            children.notify(info, from: self)
        }
    }

    /// Detaches objects that merges deleted.
    final func dismiss(_ departed: [NSManagedObject]) {
        for object in departed {
            object.leaveUnregistered()
            if !retained.isEmpty { retained.remove(object) }
        }
    }

    /// Returns the object of an ID that another context changed, if this context has it or follows its
    /// entity.
    private final func concernedObject(_ id: NSManagedObjectID) -> NSManagedObject? {
        if let object = registeredObject(for: id) { return object }
        return changeFeed.isFollowed(id.runtime.index) ? object(with: id) : nil
    }

    /// Returns those of the deleted objects whose rows exist: another context has written them again since,
    /// as its merge policy decided.
    private final func writtenAgain(_ deleted: [NSManagedObjectID]) -> Set<NSManagedObjectID> {
        guard source == nil else { return [] }
        var present: Set<NSManagedObjectID> = []
        let known = deleted.compactMap(registeredObject)
        for (index, objects) in Dictionary(grouping: known, by: \.storeIndex) {
            guard let backend = handle(at: index)?.backend else { continue }
            backend.expireReads()
            // A row that cannot be read now counts as gone, as the notification says.
            let rows = (try? backend.snapshots(for: objects.map(\.reference))) ?? []
            let stored = Set(rows.map { RowIdentity(store: nil, root: $0.root, key: $0.key) })
            for object in objects {
                let row = RowIdentity(
                    store: nil, root: object.runtime.root, key: object.reference.key)
                if stored.contains(row) { present.insert(object.objectID) }
            }
        }
        return present
    }

    /// Reads anew the objects that refer to one that is gone.
    ///
    /// A changed object loses just the reference, or is deleted if it is new and the delete rule says so. To
    /// stored rows the rules were applied already.
    private final func detach(_ object: NSManagedObject) {
        for index in object.runtime.relationshipSlots {
            let slot = object.runtime.slot(at: index)
            guard let inverse = InverseMaintenance.inverse(of: slot, object) else { continue }
            for destination in object.knownDestinations(at: slot) where !destination.isDeleted {
                if !destination.isDirty {
                    reread(destination, keepingChanges: false)
                } else if slot.relationship?.deleteRule == .cascade, destination.isInserted {
                    delete(destination)
                } else if !inverse.isToOne || destination.toOne(at: inverse) === object {
                    destination.unlink(inverse, object)
                }
            }
        }
    }

    private final func forgetRows(of ids: [NSManagedObjectID]) {
        for id in ids {
            let address = address(of: id)
            handle(at: address.storeIndex)?.forget(address.reference)
        }
    }
}
