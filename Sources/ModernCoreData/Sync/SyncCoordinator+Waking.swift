import CoreData

extension SyncCoordinator {
    /// Follows whatever brings changes to the store or to the synced context.
    func observe() {
        observe(.NSManagedObjectContextDidSaveObjectIDs, of: nil) { coordinator, note in
            guard let saver = note.object as? NSManagedObjectContext, coordinator.shares(stores: saver) else {
                return
            }
            let changes = SavedIDs(note)
            let isOwn = saver === coordinator.context
            coordinator.perform {
                if isOwn { coordinator.wake(changes) } else { coordinator.merge(changes) }
            }
        }
        observe(.NSManagedObjectContextDidMergeChangesObjectIDs, of: context) { coordinator, note in
            let changes = SavedIDs(note)
            coordinator.perform { coordinator.wake(changes) }
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

    /// Whether what a context saves goes to the same stores. What a nested one saves goes to its parent first.
    private func shares(stores other: NSManagedObjectContext) -> Bool {
        other === context
            || other.parent == nil && other.persistentStoreCoordinator === context.persistentStoreCoordinator
    }

    /// Takes over what another context saved, which wakes the processors. Objects that nobody here knows are told
    /// of only if they are there when they are merged.
    private func merge(_ changes: SavedIDs) {
        guard isRunning else { return }
        let objects = changes.updated.map(context.object(with:))
        withExtendedLifetime(objects) { context.mergeChanges(fromContextDidSave: changes.notification) }
    }

    private func wake(_ changes: SavedIDs) {
        processChangedLocalObjects(changes.inserted.union(changes.updated).map(context.object(with:)))
    }
}

/// What a notification with IDs tells of.
private struct SavedIDs: Sendable {
    let inserted: Set<NSManagedObjectID>
    /// Refreshed ones among them.
    let updated: Set<NSManagedObjectID>
    let deleted: Set<NSManagedObjectID>

    init(_ note: Notification) {
        func ids(_ key: NSManagedObjectContext.NotificationKey) -> Set<NSManagedObjectID> {
            note.userInfo?[key.rawValue] as? Set<NSManagedObjectID> ?? []
        }
        inserted = ids(.insertedObjectIDs)
        updated = ids(.updatedObjectIDs).union(ids(.refreshedObjectIDs))
        deleted = ids(.deletedObjectIDs)
    }

    var notification: Notification {
        Notification(
            name: .NSManagedObjectContextDidSaveObjectIDs,
            userInfo: [
                NSInsertedObjectIDsKey: inserted, NSUpdatedObjectIDsKey: updated,
                NSDeletedObjectIDsKey: deleted,
            ])
    }
}
