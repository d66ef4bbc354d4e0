public import CoreData

/// A class whose objects are first marked and deleted some time later, when no list and no request refers to
/// them any more.
///
/// The model needs an optional date attribute with the name `markedForDeletionDate`.
public protocol DelayedDeletable: NSManagedObject {
    /// The time at which the object was marked; nil if it was not.
    var markedForDeletionDate: Date? { get set }
    /// Marks the object, so that a later `batchDeleteObjectsMarkedForLocalDeletion(olderThan:)` deletes it.
    ///
    /// An object that is marked already keeps its date.
    func markForLocalDeletion()
}

private let markedForDeletionKey = "markedForDeletionDate"

extension DelayedDeletable {
    /// The condition that an object is not marked for local deletion.
    public static var notMarkedForLocalDeletionPredicate: NSPredicate {
        NSPredicate(format: "%K == nil", markedForDeletionKey)
    }

    /// Sets the date to now, unless the object is marked already.
    public func markForLocalDeletion() {
        if markedForDeletionDate == nil { markedForDeletionDate = Date() }
    }

    /// Whether the object was marked since it was last fetched or saved.
    public var changedForDelayedDeletion: Bool {
        changedValue(forKey: markedForDeletionKey) is Date
    }
}

extension NSManagedObjectContext {
    /// Deletes from the stores the objects that were marked for local deletion long enough ago, and returns
    /// their IDs.
    ///
    /// It runs one batch for each entity that has the attribute `markedForDeletionDate`. Delete rules are
    /// applied, but unsaved changes are ignored. This context merges the deletions; for other contexts call
    /// `mergeChanges(fromRemoteContextSave:into:)` with the returned IDs.
    ///
    /// - Parameter age: The time that has to have passed since an object was marked.
    /// - Throws: The errors of the context's `execute(_:)` for an `NSBatchDeleteRequest`.
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
    /// Whether the entity has the attribute and its superentity does not. One batch then covers the entity
    /// and all its subentities.
    fileprivate var introducesMark: Bool {
        attributesByName[markedForDeletionKey] != nil
            && superentity?.attributesByName[markedForDeletionKey] == nil
    }
}
