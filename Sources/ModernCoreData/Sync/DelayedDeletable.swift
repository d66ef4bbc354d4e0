public import CoreData

/// A class whose objects are marked first and deleted a while later, when no list and no request holds them any
/// more. The model has an optional date attribute of the name `markedForDeletionDate`.
public protocol DelayedDeletable: NSManagedObject {
    /// When the object was marked; nil if it was not.
    var markedForDeletionDate: Date? { get set }
    /// Has the object deleted by a later `batchDeleteObjectsMarkedForLocalDeletion(olderThan:)` of a context. What
    /// is marked already keeps its date.
    func markForLocalDeletion()
}

private let markedForDeletionKey = "markedForDeletionDate"

extension DelayedDeletable {
    public static var notMarkedForLocalDeletionPredicate: NSPredicate {
        NSPredicate(format: "%K == nil", markedForDeletionKey)
    }

    public func markForLocalDeletion() {
        if markedForDeletionDate == nil { markedForDeletionDate = Date() }
    }

    /// Whether the object was marked since it was last fetched or saved.
    public var changedForDelayedDeletion: Bool {
        changedValue(forKey: markedForDeletionKey) is Date
    }
}

extension NSManagedObjectContext {
    /// Deletes from the stores what was marked for local deletion long enough ago, of every entity that has the
    /// attribute `markedForDeletionDate`, in one batch an entity. Delete rules are applied; unsaved changes are not
    /// looked at.
    ///
    /// This context takes the deletions over; tell others with `mergeChanges(fromRemoteContextSave:into:)`, to which
    /// the IDs that come back belong.
    @discardableResult
    public func batchDeleteObjectsMarkedForLocalDeletion(olderThan age: Duration = .seconds(120)) throws
        -> [NSManagedObjectID]
    {
        let cutoff = Date(timeIntervalSinceNow: -(age / .seconds(1)))
        var deleted: [NSManagedObjectID] = []
        for entity in persistentStoreCoordinator?.managedObjectModel.entities ?? []
        where entity.introducesMark {
            let request = NSFetchRequest<any NSFetchRequestResult>()
            request.entity = entity
            request.predicate = NSPredicate(format: "%K < %@", markedForDeletionKey, cutoff)
            let batch = NSBatchDeleteRequest(fetchRequest: request)
            batch.resultType = .resultTypeObjectIDs
            let result = try execute(batch) as? NSBatchDeleteResult
            deleted += result?.result as? [NSManagedObjectID] ?? []
        }
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSDeletedObjectsKey: deleted], into: [self])
        return deleted
    }
}

extension NSEntityDescription {
    /// Whether the entity has the mark and its superentity has not: one batch serves all below it.
    fileprivate var introducesMark: Bool {
        attributesByName[markedForDeletionKey] != nil
            && superentity?.attributesByName[markedForDeletionKey] == nil
    }
}
