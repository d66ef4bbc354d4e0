public import Foundation

/// A description of the objects of an entity to fetch, their order and their shape.
///
/// `ResultType` is the type to which each result is cast. It has no constraint, so that `NSFetchRequest<any
/// NSFetchRequestResult>` can be written as on Apple's systems. A request is a mutable object of one thread
/// at a time; a fetch works with its state at the moment when it begins.
///
/// The store executes the request in SQL where it can. A predicate or sort order that SQL cannot express (a
/// closure, a comparator, a function of the app) is divided: the store finds the candidates, and the objects
/// are tested and sorted in memory, which costs as much as fetching and filtering them in the app's code.
///
/// Unlike Apple's: requests with different result types are different classes, so a cast between them fails;
/// call `retyped(to:)`. A divided fetch works, where Apple's SQLite store raises an exception. A transient
/// property (except in stores of type InMemory) or an unknown key makes the fetch throw an error that names
/// it.
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest, NSCoding {
    /// The request's state, shared with the requests that `retyped` makes of it.
    final private(set) var storage: FetchRequestStorage

    /// Makes a request without an entity: set `entity` before it is executed, which traps otherwise.
    public override init() {
        storage = FetchRequestStorage()
        super.init()
    }

    /// Makes a request for an entity by its name.
    ///
    /// The name is looked up when the request is executed; a name that the model does not have traps then.
    public convenience init(entityName: String) {
        self.init()
        storage.entityName = entityName
    }

    /// Makes a request for an entity, if there is one.
    convenience init(of entity: NSEntityDescription?) {
        self.init()
        storage.entity = entity
    }

    /// Makes a request that shares the state of another.
    ///
    /// Not a designated initializer: one that clients cannot see would keep their subclasses from inheriting
    /// `init(entityName:)`.
    convenience init(sharing storage: FetchRequestStorage) {
        self.init()
        self.storage = storage
    }

    /// Fetches with the context whose `perform` or `performAndWait` block is running.
    ///
    /// - Throws: `NSError` in `NSCocoaErrorDomain`: 134060 (`NSCoreDataError`) outside of such a block;
    ///   otherwise the errors of `NSManagedObjectContext.fetch(_:)`.
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

    /// The request with the type of the context's overridable methods.
    final var untyped: NSFetchRequest<any NSFetchRequestResult> {
        self as? NSFetchRequest<any NSFetchRequestResult>
            ?? NSFetchRequest<any NSFetchRequestResult>(sharing: storage)
    }

    /// Always `.fetchRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// The stores to fetch from; nil, the default, stands for all that hold the entity.
    open override var affectedStores: [NSPersistentStore]? {
        get { storage.affectedStores }
        set { mutable.affectedStores = newValue }
    }

    /// The name of the entity, whether the request was made with the name or with the entity.
    open var entityName: String? { storage.resolvedEntityName }

    /// The entity to fetch; nil for a request that was made with a name.
    open var entity: NSEntityDescription? {
        get { storage.entity }
        set { mutable.entity = newValue }
    }

    /// The test that objects have to pass to be fetched; nil, the default, fetches all of the entity.
    ///
    /// Setting it on a template of a model in use traps, as every setter here does: change a copy.
    open var predicate: NSPredicate? {
        get { storage.predicate }
        set { mutable.predicate = newValue?.kept }
    }

    /// The order of the results; without one, the default, it is unspecified.
    ///
    /// Unlike Apple's: a descriptor with a closure works; the objects are then sorted in memory.
    open var sortDescriptors: [NSSortDescriptor]? {
        get { storage.sortDescriptors }
        set { mutable.sortDescriptors = newValue }
    }

    /// The largest number of results; 0, the default, sets no limit.
    open var fetchLimit: Int {
        get { storage.fetchLimit }
        set { mutable.fetchLimit = newValue }
    }

    /// The number of results to skip, from the start of the sorted ones; 0 by default.
    open var fetchOffset: Int {
        get { storage.fetchOffset }
        set { mutable.fetchOffset = newValue }
    }

    /// The number of objects to read at a time while the result array is traversed; 0, the default, reads all
    /// at once.
    ///
    /// With a batch size the fetch reads only the objects' IDs, and the values of a batch when one of its
    /// objects is first used. That costs one statement per batch, and saves memory if only a part of a long
    /// list is shown. The relationships in `relationshipKeyPathsForPrefetching` are read batch by batch, too.
    open var fetchBatchSize: Int {
        get { storage.fetchBatchSize }
        set { mutable.fetchBatchSize = newValue }
    }

    /// The shape of the results: objects (the default), object IDs, dictionaries or their count.
    open var resultType: NSFetchRequestResultType {
        get { storage.resultType }
        set { mutable.resultType = newValue }
    }

    /// Whether objects of subentities are among the results; true by default.
    open var includesSubentities: Bool {
        get { storage.includesSubentities }
        set { mutable.includesSubentities = newValue }
    }

    /// Whether values are read along with the objects' IDs; true by default.
    ///
    /// With false, objects are faults, each of which costs a read when it is used, unless its row is cached.
    /// Use false if only the objects' IDs or their number matter.
    open var includesPropertyValues: Bool {
        get { storage.includesPropertyValues }
        set { mutable.includesPropertyValues = newValue }
    }

    /// Whether the context's unsaved changes count: inserted objects are found, deleted ones left out, and
    /// changed ones tested with their present values.
    ///
    /// True by default.
    ///
    /// Dictionaries never show unsaved changes, whatever the setting.
    open var includesPendingChanges: Bool {
        get { storage.includesPendingChanges }
        set { mutable.includesPendingChanges = newValue }
    }

    /// Whether the objects stay faults until they are used; true by default.
    ///
    /// The values are read in either case, if `includesPropertyValues` is true, and a fault is filled from
    /// its cached row without another statement. False fills the objects at once.
    open var returnsObjectsAsFaults: Bool {
        get { storage.returnsObjectsAsFaults }
        set { mutable.returnsObjectsAsFaults = newValue }
    }

    /// Whether equal dictionaries are returned once; false by default.
    ///
    /// Has no effect on other results.
    open var returnsDistinctResults: Bool {
        get { storage.returnsDistinctResults }
        set { mutable.returnsDistinctResults = newValue }
    }

    /// Whether objects that the context already has take the values that the fetch read; false by default.
    ///
    /// Unsaved changes of an object are kept.
    open var shouldRefreshRefetchedObjects: Bool {
        get { storage.shouldRefreshRefetchedObjects }
        set { mutable.shouldRefreshRefetchedObjects = newValue }
    }

    /// Key paths of relationships whose objects are read together with the results; nil by default.
    ///
    /// Costs a few statements per relationship, instead of one statement for each object that is used. A key
    /// that is no relationship of the entity traps.
    open var relationshipKeyPathsForPrefetching: [String]? {
        get { storage.relationshipKeyPathsForPrefetching }
        set { mutable.relationshipKeyPathsForPrefetching = newValue }
    }

    /// The columns of dictionary results: names, key paths, property descriptions or
    /// `NSExpressionDescription`s; nil or empty for all stored attributes.
    ///
    /// A key path may lead through to-one relationships, and through to-many ones to a collection operator.
    /// Executing traps on a property that does not exist or has more than one value.
    ///
    /// Unlike Apple's: a fetch of objects reads whole rows, whatever the setting, since a row is decoded once
    /// and shared by all contexts.
    open var propertiesToFetch: [Any]? {
        get { storage.propertiesToFetch }
        set { mutable.propertiesToFetch = newValue }
    }

    /// The columns by whose values the rows of dictionary results are grouped, each group becoming one
    /// dictionary; nil by default.
    open var propertiesToGroupBy: [Any]? {
        get { storage.propertiesToGroupBy }
        set { mutable.propertiesToGroupBy = newValue }
    }

    /// A test that each group of a grouped dictionary request has to pass; nil by default.
    open var havingPredicate: NSPredicate? {
        get { storage.havingPredicate }
        set { mutable.havingPredicate = newValue?.kept }
    }

    /// The state for setters.
    ///
    /// Traps for a template of a model in use.
    private var mutable: FetchRequestStorage {
        if storage.isFrozen {
            programmerError(
                "Can't modify a named fetch request in an immutable model. Change a copy of the template.")
        }
        return storage
    }

    /// Returns a request with the same settings that can be changed, even if this one is a template of a
    /// model in use.
    open override func copy(with zone: NSZone? = nil) -> Any {
        NSFetchRequest<ResultType>(sharing: FetchRequestStorage(storage))
    }

    /// Returns whether another request has the same result type and equal settings.
    ///
    /// The affected stores are not compared.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchRequest<ResultType> else { return false }
        return storage.isEqual(to: other.storage)
    }

    /// A hash of the entity's name.
    open override var hash: Int { storage.resolvedEntityName.hashValue }

    /// The request's settings, in the form of Apple's framework; those with their default value are left out.
    open override var description: String {
        "<NSFetchRequest: \(Printing.address(self))> (\(storage.printed))"
    }

    // MARK: Coding

    /// Encodes the settings that are text, numbers, predicates and sort descriptors.
    ///
    /// `affectedStores`, `propertiesToFetch` and `propertiesToGroupBy` are left out. A predicate with a
    /// closure fails the coder with `CocoaError.coderInvalidValue`; a sort descriptor with a closure traps.
    open func encode(with coder: NSCoder) {
        storage.encode(with: coder)
    }

    /// Decodes a request: the entity by its name, to be looked up when the request is executed.
    public required init?(coder: NSCoder) {
        storage = FetchRequestStorage(coder: coder)
        super.init()
    }
}
