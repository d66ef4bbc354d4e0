import Foundation

/// The changes that another context saved, as IDs of the coordinator of the context that merges them.
struct SavedChanges {
    let inserted: [NSManagedObjectID]
    private(set) var updated: [NSManagedObjectID]
    private(set) var deleted: [NSManagedObjectID]
    /// Whether the save bypassed the coordinator, so that its cached rows are outdated.
    let isForeign: Bool

    /// Reads a notification's `userInfo`: objects, IDs or URIs under the keys for objects or for IDs.
    ///
    /// IDs of another coordinator's stores stand for the rows that have the same URI here.
    init(_ userInfo: [AnyHashable: Any], isRemote: Bool, in context: NSManagedObjectContext) {
        let coordinator = context.coordinator
        var isForeign = isRemote
        // Mostly all of them are of one store.
        var lastStore: NSPersistentStore?
        func ids(_ keys: String...) -> [NSManagedObjectID] {
            keys.compactMap { userInfo[$0] }.flatMap(Self.elements).compactMap { value in
                let id = (value as? NSManagedObject)?.objectID ?? value as? NSManagedObjectID
                if let id, let store = id.persistentStore,
                    store === lastStore || coordinator?.index(of: store) != nil
                {
                    lastStore = store
                    return id
                }
                // The object was saved to a parent, and is in no store yet.
                if let id, id.isTemporaryID, id.runtime.modelLink === coordinator?.frozen.link { return id }
                isForeign = true
                return (id?.uriRepresentation() ?? value as? URL)
                    .flatMap { coordinator?.managedObjectID(forURIRepresentation: $0) }
            }
        }
        inserted = ids(NSInsertedObjectsKey, NSInsertedObjectIDsKey)
        updated = ids(
            NSUpdatedObjectsKey, NSUpdatedObjectIDsKey, NSRefreshedObjectsKey, NSRefreshedObjectIDsKey)
        deleted = ids(NSDeletedObjectsKey, NSDeletedObjectIDsKey)
        self.isForeign = isForeign
    }

    /// Returns the changes with each deletion of an object in `present`, whose row exists again, turned into
    /// an update.
    func keeping(_ present: Set<NSManagedObjectID>) -> SavedChanges {
        guard !present.isEmpty else { return self }
        var changes = self
        changes.deleted.removeAll(where: present.contains)
        changes.updated += present
        return changes
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
