public import Foundation

/// A description of which objects of an entity to fetch, in which order and in which shape.
///
/// `ResultType` says what the results are cast to; it has no bound here, so that `NSFetchRequest<any
/// NSFetchRequestResult>` can be written as on Apple's systems.
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest, NSCoding {
    final private(set) var storage: FetchRequestStorage

    public override init() {
        storage = FetchRequestStorage()
        super.init()
    }

    public convenience init(entityName: String) {
        self.init()
        storage.entityName = entityName
    }

    convenience init(of entity: NSEntityDescription?) {
        self.init()
        storage.entity = entity
    }

    /// No designated initializer, as one that clients cannot see would keep their subclasses from inheriting
    /// `init(entityName:)`.
    convenience init(sharing storage: FetchRequestStorage) {
        self.init()
        self.storage = storage
    }

    /// Fetches with the context whose `perform` or `performAndWait` block is running; throws outside of one.
    open func execute() throws -> [ResultType] {
        guard let context = RunningBlock.context else {
            throw CoreDataError.error(
                NSCoreDataError,
                reason:
                    "NSFetchRequest.execute() has no context to fetch with: call it in a block of a context's "
                    + "perform or performAndWait, or use the context's fetch(_:).")
        }
        return try context.fetch(self)
    }

    /// The request as the overridable methods of a context take it.
    final var untyped: NSFetchRequest<any NSFetchRequestResult> {
        self as? NSFetchRequest<any NSFetchRequestResult>
            ?? NSFetchRequest<any NSFetchRequestResult>(sharing: storage)
    }

    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    open override var affectedStores: [NSPersistentStore]? {
        get { storage.affectedStores }
        set { mutable.affectedStores = newValue }
    }

    open var entityName: String? { storage.resolvedEntityName }

    /// The entity to fetch. A request made with a name has none until it is executed.
    open var entity: NSEntityDescription? {
        get { storage.entity }
        set { mutable.entity = newValue }
    }

    /// Which objects to fetch; all of the entity's without one.
    open var predicate: NSPredicate? {
        get { storage.predicate }
        set { mutable.predicate = newValue?.kept }
    }

    /// The order of the results; unspecified without one.
    open var sortDescriptors: [NSSortDescriptor]? {
        get { storage.sortDescriptors }
        set { mutable.sortDescriptors = newValue }
    }

    /// The largest number of results; 0 sets no limit.
    open var fetchLimit: Int {
        get { storage.fetchLimit }
        set { mutable.fetchLimit = newValue }
    }

    /// How many results to skip.
    open var fetchOffset: Int {
        get { storage.fetchOffset }
        set { mutable.fetchOffset = newValue }
    }

    /// How many objects to read at a time while the result array is walked; 0 reads all at once.
    open var fetchBatchSize: Int {
        get { storage.fetchBatchSize }
        set { mutable.fetchBatchSize = newValue }
    }

    open var resultType: NSFetchRequestResultType {
        get { storage.resultType }
        set { mutable.resultType = newValue }
    }

    /// Whether objects of subentities are among the results.
    open var includesSubentities: Bool {
        get { storage.includesSubentities }
        set { mutable.includesSubentities = newValue }
    }

    /// Whether values are read along with the objects' identities.
    open var includesPropertyValues: Bool {
        get { storage.includesPropertyValues }
        set { mutable.includesPropertyValues = newValue }
    }

    /// Whether unsaved changes of the context count. Never true for dictionary results.
    open var includesPendingChanges: Bool {
        get { storage.includesPendingChanges }
        set { mutable.includesPendingChanges = newValue }
    }

    /// Whether objects come as faults, to be filled from the row cache when touched.
    open var returnsObjectsAsFaults: Bool {
        get { storage.returnsObjectsAsFaults }
        set { mutable.returnsObjectsAsFaults = newValue }
    }

    /// Whether equal dictionaries are returned once.
    open var returnsDistinctResults: Bool {
        get { storage.returnsDistinctResults }
        set { mutable.returnsDistinctResults = newValue }
    }

    /// Whether objects that the context already has take the values read.
    open var shouldRefreshRefetchedObjects: Bool {
        get { storage.shouldRefreshRefetchedObjects }
        set { mutable.shouldRefreshRefetchedObjects = newValue }
    }

    /// Relationships whose objects are read with the results.
    open var relationshipKeyPathsForPrefetching: [String]? {
        get { storage.relationshipKeyPathsForPrefetching }
        set { mutable.relationshipKeyPathsForPrefetching = newValue }
    }

    /// For dictionaries: names, key paths, property or expression descriptions. For objects: the attributes to
    /// read at once.
    open var propertiesToFetch: [Any]? {
        get { storage.propertiesToFetch }
        set { mutable.propertiesToFetch = newValue }
    }

    /// For dictionaries: by what rows are folded together.
    open var propertiesToGroupBy: [Any]? {
        get { storage.propertiesToGroupBy }
        set { mutable.propertiesToGroupBy = newValue }
    }

    /// For grouped dictionaries: which groups to return.
    open var havingPredicate: NSPredicate? {
        get { storage.havingPredicate }
        set { mutable.havingPredicate = newValue?.kept }
    }

    private var mutable: FetchRequestStorage {
        if storage.isFrozen {
            programmerError(
                "Can't modify a named fetch request in an immutable model. Change a copy of the template.")
        }
        return storage
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        NSFetchRequest<ResultType>(sharing: FetchRequestStorage(storage))
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchRequest<ResultType> else { return false }
        return storage.isEqual(to: other.storage)
    }

    open override var hash: Int { storage.resolvedEntityName.hashValue }

    open override var description: String {
        "<NSFetchRequest: \(Printing.address(self))> (\(storage.printed))"
    }

    // MARK: Coding

    /// Writes what can be written as text and numbers; stores and descriptions are left out.
    open func encode(with coder: NSCoder) {
        storage.encode(with: coder)
    }

    public required init?(coder: NSCoder) {
        storage = FetchRequestStorage(coder: coder)
        super.init()
    }
}
