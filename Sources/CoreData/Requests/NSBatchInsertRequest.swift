public import Foundation

/// The kind of answer to a batch insertion.
public enum NSBatchInsertRequestResultType: UInt, @unchecked Sendable {
    /// A `Bool`: true.
    case statusOnly = 0
    /// The IDs of the rows that were inserted or written. Rows that a merge policy left unchanged are not
    /// among them.
    case objectIDs = 1
    /// The number of rows that were inserted or written.
    case count = 2
}

/// A request that inserts rows without making registered objects of them.
///
/// The values come from dictionaries, or from a handler that fills one dictionary or object after the other
/// until it returns true. Attributes that are not given have their defaults. Executed by
/// `NSManagedObjectContext.execute(_:)` in the first store that holds the entity, in one transaction, and
/// recorded in the history of a store that has one. No validation is done. Needs a SQLite store.
///
/// Executing it throws `NSError` in `NSCocoaErrorDomain`:
/// - 134060 (`NSCoreDataError`): the entity is unknown or abstract, or a row has an unknown key, a
///   relationship, a derived attribute or a value of another type; the reason names entity and key.
/// - 133021 (`NSManagedObjectConstraintMergeError`): a unique value is taken, with the error merge policy.
/// - 134070 (`NSPersistentStoreOperationError`): no store that the request asks holds the entity.
/// - 134091 (`NSPersistentStoreUnsupportedRequestTypeError`): the store has no batches.
///
/// In each case nothing is inserted.
///
/// Unlike Apple's: only attributes can be given; transient values are ignored. If a unique value is taken,
/// the context's merge policy decides: object trump writes the given values, store trump writes those that
/// the row lacks, overwrite writes every attribute, rollback leaves the row unchanged. Relationships stay,
/// and the row keeps its ID. Handlers run while the store is being written: they may fetch, but a save to
/// that store inside them throws.
open class NSBatchInsertRequest: NSPersistentStoreRequest {
    /// The name of the entity.
    public let entityName: String
    /// The entity; nil for a request that was made with a name and is not executed yet.
    public internal(set) final var entity: NSEntityDescription?
    /// The dictionaries to insert, attribute names to values; used if there is no handler.
    open var objectsToInsert: [[String: Any]]?
    /// A handler that fills the empty dictionary that it is given, or returns true to end the insertion.
    open var dictionaryHandler: ((NSMutableDictionary) -> Bool)? {
        // Initializers wrap the handlers themselves, as they do not run property observers.
        didSet { dictionaryHandler = dictionaryHandler.map(CallerIsolation.keeping) }
    }
    /// A handler that fills the new object that it is given, or returns true to end the insertion.
    ///
    /// The object is in no context. Values that are nil count as not given, and relationships that are set
    /// end the insertion with an error.
    open var managedObjectHandler: ((NSManagedObject) -> Bool)? {
        didSet { managedObjectHandler = managedObjectHandler.map(CallerIsolation.keeping) }
    }
    /// The kind of answer; `.statusOnly` by default.
    open var resultType = NSBatchInsertRequestResultType.statusOnly

    private init(entity: NSEntityDescription?, name: String) {
        self.entity = entity
        entityName = name
        super.init()
    }

    /// Makes a request without an entity, whose execution throws.
    @available(*, deprecated, message: "Use an initializer that names the entity")
    public convenience override init() {
        self.init(entity: nil, name: "")
    }

    /// Makes a request that inserts dictionaries, for an entity by its name.
    public convenience init(entityName: String, objects dictionaries: [[String: Any]]) {
        self.init(entity: nil, name: entityName)
        objectsToInsert = dictionaries
    }

    /// Makes a request that inserts dictionaries.
    public convenience init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
        self.init(entity: entity, name: entity.name ?? "")
        objectsToInsert = dictionaries
    }

    /// Makes a request that inserts the dictionaries that a handler fills.
    ///
    /// See `dictionaryHandler`.
    public convenience init(
        entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
    ) {
        self.init(entity: entity, name: entity.name ?? "")
        dictionaryHandler = CallerIsolation.keeping(handler)
    }

    /// Makes a request that inserts the new objects that a handler fills.
    ///
    /// See `managedObjectHandler`.
    public convenience init(
        entity: NSEntityDescription, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
    ) {
        self.init(entity: entity, name: entity.name ?? "")
        managedObjectHandler = CallerIsolation.keeping(handler)
    }

    /// Makes a request that inserts the dictionaries that a handler fills, for an entity by its name.
    ///
    /// See `dictionaryHandler`.
    public convenience init(
        entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
    ) {
        self.init(entity: nil, name: entityName)
        dictionaryHandler = CallerIsolation.keeping(handler)
    }

    /// Makes a request that inserts the new objects that a handler fills, for an entity by its name.
    ///
    /// See `managedObjectHandler`.
    public convenience init(
        entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
    ) {
        self.init(entity: nil, name: entityName)
        managedObjectHandler = CallerIsolation.keeping(handler)
    }

    /// Always `.batchInsertRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }

    /// Returns a request with the same settings and handlers.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSBatchInsertRequest(entity: entity, name: entityName)
        copy.affectedStores = affectedStores
        copy.objectsToInsert = objectsToInsert
        copy.dictionaryHandler = dictionaryHandler
        copy.managedObjectHandler = managedObjectHandler
        copy.resultType = resultType
        return copy
    }
}
