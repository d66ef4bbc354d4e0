import CoreData

extension SyncCoordinator {
    /// Observes everything that brings changes to the store or to the synced context.
    func observe() {
        observe(ContextDidSaveObjectIDsNotification.name, of: nil) { coordinator, note in
            let saved = ContextDidSaveObjectIDsNotification(note: note)
            guard coordinator.shares(stores: saved.managedObjectContext) else { return }
            let isOwn = saved.managedObjectContext === coordinator.context
            let (inserted, updated) = (saved.insertedObjectIDs, saved.updatedObjectIDs)
            let deleted = saved.deletedObjectIDs
            coordinator.perform {
                if isOwn {
                    coordinator.wake(inserted.union(updated))
                } else {
                    coordinator.merge(inserted: inserted, updated: updated, deleted: deleted)
                }
            }
        }
        observe(ContextDidMergeObjectIDsNotification.name, of: context) { coordinator, note in
            let merged = ContextDidMergeObjectIDsNotification(note: note)
            let changed = merged.insertedObjectIDs.union(merged.refreshedObjectIDs)
            coordinator.perform { coordinator.wake(changed) }
        }
    }

    private func observe(
        _ name: Notification.Name, of object: NSManagedObjectContext?,
        _ handler: @escaping @Sendable (SyncCoordinator, Notification) -> Void
    ) {
        let token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) {
            [weak self] note in
            if let self { handler(self, note) }
        }
        tokens.append(token)
    }

    /// Returns whether a context saves directly to the same stores.
    ///
    /// A nested context saves to its parent instead.
    private func shares(stores other: NSManagedObjectContext) -> Bool {
        other === context
            || other.parent == nil && other.persistentStoreCoordinator === context.persistentStoreCoordinator
    }

    /// Merges the changes that another context saved; the merge notification then calls the processors.
    ///
    /// The notification contains an updated object only if it is registered in the context when the merge
    /// begins, so all of them are registered first.
    private func merge(
        inserted: Set<NSManagedObjectID>, updated: Set<NSManagedObjectID>, deleted: Set<NSManagedObjectID>
    ) {
        guard isRunning else { return }
        let changes = [
            NSInsertedObjectIDsKey: inserted, NSUpdatedObjectIDsKey: updated, NSDeletedObjectIDsKey: deleted,
        ]
        let note = Notification(name: ContextDidSaveObjectIDsNotification.name, userInfo: changes)
        let objects = updated.map(context.object(with:))
        withExtendedLifetime(objects) { context.mergeChanges(fromContextDidSave: note) }
    }

    private func wake(_ changed: Set<NSManagedObjectID>) {
        processChangedLocalObjects(changed.map(context.object(with:)))
    }
}
