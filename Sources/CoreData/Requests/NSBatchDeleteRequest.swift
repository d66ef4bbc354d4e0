public import Foundation

/// The kind of answer to a batch deletion.
public enum NSBatchDeleteRequestResultType: UInt, @unchecked Sendable {
    /// A `Bool`: true.
    case resultTypeStatusOnly = 0
    /// The IDs of the deleted objects, cascaded ones included.
    case resultTypeObjectIDs = 1
    /// The number of deleted objects, cascaded ones included.
    case resultTypeCount = 2
}

/// A request that deletes all rows that match, without reading them into objects.
///
/// Executed by `NSManagedObjectContext.execute(_:)`, in one transaction per store, and recorded in the
/// history of a store that has one. The objects of contexts do not change: pass the IDs of the result to
/// `NSManagedObjectContext.mergeChanges(fromRemoteContextSave:into:)`. Needs a SQLite store. Unsaved changes
/// of the context do not count.
///
/// Executing it throws `NSError` in `NSCocoaErrorDomain`:
/// - 1600 (`NSValidationRelationshipDeniedDeleteError`): a delete rule denies it, or a mandatory relationship
///   would become nil.
/// - 134070 (`NSPersistentStoreOperationError`): no store that the request asks holds the entity.
/// - 134091 (`NSPersistentStoreUnsupportedRequestTypeError`): the store has no batches (XML, Binary,
///   InMemory, a store of an app's own class).
/// - 134060 (`NSCoreDataError`): the predicate names an unknown key or a transient property.
///
/// In each case nothing of that store is deleted. A request without an entity, or with one that the model
/// does not have, traps.
///
/// Unlike Apple's: delete rules are applied: nullify, cascade and deny. `validateForDelete()` is not called.
/// Afterwards faults of every context are filled from the store, not from older cached rows.
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
    /// The fetch that finds the rows.
    private let fetch: NSFetchRequest<any NSFetchRequestResult>
    /// The IDs with which the request was made; nil if it was made with a fetch. Each ID belongs to one
    /// store.
    final private(set) var objectIDs: [NSManagedObjectID]?
    /// The kind of answer; `.resultTypeStatusOnly` by default.
    open var resultType = NSBatchDeleteRequestResultType.resultTypeStatusOnly

    /// Makes a request that deletes the results of a fetch.
    ///
    /// The fetch is copied: later changes to it have no effect.
    public init(fetchRequest fetch: NSFetchRequest<any NSFetchRequestResult>) {
        self.fetch = fetch.copy() as! NSFetchRequest<any NSFetchRequestResult>
        super.init()
    }

    /// Makes a request that deletes the results of a fetch of any result type.
    ///
    /// The fetch is copied.
    ///
    /// Unlike Apple's: an addition, for source code that on Apple's systems casts between request types.
    @_disfavoredOverload
    public convenience init<ResultType>(fetchRequest fetch: NSFetchRequest<ResultType>) {
        self.init(fetchRequest: fetch.retyped(to: (any NSFetchRequestResult).self))
    }

    /// Makes a request that deletes the rows of given objects.
    ///
    /// - Parameter objects: At least one ID, all of one entity or of one hierarchy; others trap.
    public convenience init(objectIDs objects: [NSManagedObjectID]) {
        guard let entity = objects.first?.entity else {
            programmerError("A batch deletion by object IDs needs at least one.")
        }
        if let stranger = objects.first(where: { $0.entity.root !== entity.root }) {
            programmerError(
                "mismatched objectIDs in batch delete initializer: \"\(entity.name ?? "")\" and "
                    + "\"\(stranger.entity.name ?? "")\". Make one request for each entity.")
        }
        let fetch = NSFetchRequest<any NSFetchRequestResult>()
        fetch.entity = objects.allSatisfy { $0.entity === entity } ? entity : entity.root
        fetch.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [objects])
        self.init(fetchRequest: fetch)
        objectIDs = objects
    }

    /// The state of the fetch that finds the rows.
    final var storage: FetchRequestStorage { fetch.storage }

    /// A copy of the fetch that finds the rows.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult> {
        fetch.copy() as! NSFetchRequest<any NSFetchRequestResult>
    }

    /// Always `.batchDeleteRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

    /// The stores to delete in; nil, the default, for all that hold the entity.
    open override var affectedStores: [NSPersistentStore]? {
        get { fetch.affectedStores }
        set { fetch.affectedStores = newValue }
    }

    /// Returns a request with the same settings.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSBatchDeleteRequest(fetchRequest: fetch)
        copy.objectIDs = objectIDs
        copy.resultType = resultType
        return copy
    }
}
