public import Foundation

/// What a batch deletion answers with.
public enum NSBatchDeleteRequestResultType: UInt, @unchecked Sendable {
    case resultTypeStatusOnly = 0
    case resultTypeObjectIDs = 1
    case resultTypeCount = 2
}

/// Deletes all rows that match, without reading them into objects.
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
    private let fetch: NSFetchRequest<any NSFetchRequestResult>
    /// The rows by ID, where the request was made with them: each is in one store only.
    final private(set) var objectIDs: [NSManagedObjectID]?
    open var resultType = NSBatchDeleteRequestResultType.resultTypeStatusOnly

    public init(fetchRequest fetch: NSFetchRequest<any NSFetchRequestResult>) {
        self.fetch = fetch.copy() as! NSFetchRequest<any NSFetchRequestResult>
        super.init()
    }

    /// A request of any result type, as a cast between request types cannot succeed here.
    @_disfavoredOverload
    public convenience init<ResultType>(fetchRequest fetch: NSFetchRequest<ResultType>) {
        self.init(fetchRequest: fetch.retyped(to: (any NSFetchRequestResult).self))
    }

    /// Deletes the rows of given objects, which must be of one entity.
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

    final var storage: FetchRequestStorage { fetch.storage }

    /// A copy of the request that says what to delete.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult> {
        fetch.copy() as! NSFetchRequest<any NSFetchRequestResult>
    }

    open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

    open override var affectedStores: [NSPersistentStore]? {
        get { fetch.affectedStores }
        set { fetch.affectedStores = newValue }
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSBatchDeleteRequest(fetchRequest: fetch)
        copy.objectIDs = objectIDs
        copy.resultType = resultType
        return copy
    }
}
