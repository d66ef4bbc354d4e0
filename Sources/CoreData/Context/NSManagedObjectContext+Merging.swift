import CoreDataStore
import Foundation

/// What another context saved, by ID.
struct SavedChanges {
    let inserted: [NSManagedObjectID]
    let updated: [NSManagedObjectID]
    let deleted: [NSManagedObjectID]

    /// Reads a notification's user info: objects, IDs or URIs under the keys of either notification.
    init(_ userInfo: [AnyHashable: Any], in context: NSManagedObjectContext) {
        func ids(_ keys: String...) -> [NSManagedObjectID] {
            keys.compactMap { userInfo[$0] }.flatMap(Self.elements).compactMap { value in
                switch value {
                case let id as NSManagedObjectID: id
                case let object as NSManagedObject: object.objectID
                case let url as URL: context.coordinator?.managedObjectID(forURIRepresentation: url)
                default: nil
                }
            }
        }
        inserted = ids(NSInsertedObjectsKey, NSInsertedObjectIDsKey)
        updated = ids(NSUpdatedObjectsKey, NSUpdatedObjectIDsKey)
        deleted = ids(NSDeletedObjectsKey, NSDeletedObjectIDsKey)
    }

    private static func elements(_ collection: Any) -> [Any] {
        switch collection {
        case let objects as Set<NSManagedObject>: Array(objects)
        case let ids as Set<NSManagedObjectID>: Array(ids)
        case let set as NSSet: set.allObjects
        case let set as Set<AnyHashable>: set.map(\.base)
        default: collection as? [Any] ?? []
        }
    }
}

extension NSManagedObjectContext {
    final func merge(_ changes: SavedChanges) {
        var groups = ChangeGroups()
        for id in changes.updated {
            guard let object = registeredObject(for: id) else { continue }
            if object.isFault {
                object.side = []
            } else {
                refresh(object, mergeChanges: true)
            }
            groups.refreshed.insert(object)
        }
        for id in changes.inserted {
            let object = object(with: id)
            tracker.noteArrival(object, in: self)
            groups.inserted.insert(object)
        }
        for id in changes.deleted {
            guard let object = registeredObject(for: id), !object.isDeleted else { continue }
            object.flags.insert(.inaccessible)
            tracker.noteDelete(object, in: self)
            DeletePropagation.run([object], in: self)
            tracker.forget([object])
            groups.deleted.insert(object)
        }
        processPendingChanges()
        if !groups.isEmpty {
            post(.NSManagedObjectContextDidMergeChangesObjectIDs, groups.objectIDInfo)
        }
        for object in groups.deleted { object.leaveContext() }
    }
}
