import CoreDataStore
public import Foundation

extension NSManagedObjectContext {
    /// Takes over what another context saved: objects this one has are refreshed, keeping its own changes;
    /// deleted ones are deleted here too.
    public final func mergeChanges(fromContextDidSave notification: Notification) {
        let userInfo = notification.userInfo ?? [:]
        func ids(_ objectsKey: String, _ idsKey: String) -> [NSManagedObjectID] {
            if let objects = userInfo[objectsKey] as? Set<NSManagedObject> { return objects.map(\.objectID) }
            return Array(userInfo[idsKey] as? Set<NSManagedObjectID> ?? [])
        }
        merge(
            inserted: ids(NSInsertedObjectsKey, NSInsertedObjectIDsKey),
            updated: ids(NSUpdatedObjectsKey, NSUpdatedObjectIDsKey),
            deleted: ids(NSDeletedObjectsKey, NSDeletedObjectIDsKey))
    }

    /// The same for changes known by their IDs or URIs only, for several contexts.
    public class func mergeChanges(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any],
        into contexts: [NSManagedObjectContext]
    ) {
        for context in contexts {
            func ids(_ keys: String...) -> [NSManagedObjectID] {
                let values = keys.compactMap { changeNotificationData[$0] }.flatMap { value -> [Any] in
                    if let set = value as? NSSet { return set.allObjects }
                    if let set = value as? Set<AnyHashable> { return set.map(\.base) }
                    return value as? [Any] ?? []
                }
                return values.compactMap { value in
                    switch value {
                    case let id as NSManagedObjectID: id
                    case let object as NSManagedObject: object.objectID
                    case let url as URL: context.coordinator?.managedObjectID(forURIRepresentation: url)
                    default: nil
                    }
                }
            }
            let changes = (
                inserted: ids(NSInsertedObjectsKey, NSInsertedObjectIDsKey),
                updated: ids(NSUpdatedObjectsKey, NSUpdatedObjectIDsKey),
                deleted: ids(NSDeletedObjectsKey, NSDeletedObjectIDsKey)
            )
            context.performAndWait {
                context.merge(inserted: changes.inserted, updated: changes.updated, deleted: changes.deleted)
            }
        }
    }

    final func merge(
        inserted: [NSManagedObjectID], updated: [NSManagedObjectID], deleted: [NSManagedObjectID]
    ) {
        var groups = ChangeGroups()
        for id in updated {
            guard let object = registeredObject(for: id) else { continue }
            if object.isFault {
                object.side = []
            } else {
                refresh(object, mergeChanges: true)
            }
            groups.refreshed.insert(object)
        }
        for id in inserted {
            let object = object(with: id)
            groups.inserted.insert(object)
        }
        for id in deleted {
            guard let object = registeredObject(for: id), !object.isDeleted else { continue }
            object.flags.insert(.inaccessible)
            tracker.noteDelete(object, in: self)
            DeletePropagation.run([object], in: self)
            tracker.forget(object)
            groups.deleted.insert(object)
        }
        processPendingChanges()
        for object in groups.deleted {
            registry.unregister(object)
            object.registry = nil
        }
        if !groups.isEmpty {
            post(.NSManagedObjectContextDidMergeChangesObjectIDs, groups.objectIDInfo)
        }
    }
}
