import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
public import Foundation

/// An app's own store that reads and writes objects when they are needed: a web service, another database.
///
/// Subclass it, override `loadMetadata()`, `execute(_:with:)`, `newValuesForObject(with:with:)`,
/// `newValue(forRelationship:forObjectWith:with:)` and `obtainPermanentIDs(for:)`, and register the class
/// with `NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:)`. All of them are called on the
/// queue of the context that is passed.
///
/// Unlike Apple's: the framework does prefetching, batching and faulting; the store gets requests without
/// these settings.
open class NSIncrementalStore: NSPersistentStore, @unchecked Sendable {
    private let ownKeys = ReferenceKeys()
    private var keys: ReferenceKeys { namesRowsBySaving ? ReferenceKeys.ofProcess : ownKeys }
    override var referenceKeys: ReferenceKeys? { keys }

    /// Whether the store chooses the names of new rows while it saves them, and answers a save with `SavedRows`.
    /// The name of a row then has the same key in all such stores of the process.
    package final var namesRowsBySaving = false

    // MARK: What subclasses override

    /// Sets `metadata`, with a value for `NSStoreUUIDKey`; a subclass must override it.
    ///
    /// - Throws: The error with which opening the store fails; unless overridden
    ///   `NSPersistentStoreOperationError` (134070) in `NSCocoaErrorDomain`.
    open override func loadMetadata() throws { throw missing("loadMetadata()") }

    /// Executes a fetch request or a save request; a subclass must override it.
    ///
    /// The answer to a fetch request is an array by the request's result type: objects, which the context
    /// makes for the IDs from `newObjectID(for:referenceObject:)`, IDs, numbers or dictionaries. The answer
    /// to a save request is an empty array.
    ///
    /// Unlike Apple's: a request with keys that the model does not have fails before the store is called.
    ///
    /// - Throws: The error with which the fetch or the save of the context fails; unless overridden
    ///   `NSPersistentStoreOperationError` (134070) in `NSCocoaErrorDomain`.
    open func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
    ) throws -> Any {
        throw missing("execute(_:with:)")
    }

    /// Returns the row of an object; a subclass must override it.
    ///
    /// - Throws: `NSManagedObjectReferentialIntegrityError` (133000) in `NSCocoaErrorDomain` for a row that
    ///   is gone; any other error if it cannot be read; unless overridden `NSPersistentStoreOperationError`
    ///   (134070).
    open func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        throw missing("newValuesForObject(with:with:)")
    }

    /// Returns the object ID of a to-one relationship's destination or `NSNull`, or an array or set of IDs
    /// for a to-many one; a subclass must override it.
    ///
    /// - Throws: The error if the relationship cannot be read; unless overridden
    ///   `NSPersistentStoreOperationError` (134070) in `NSCocoaErrorDomain`.
    open func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        throw missing("newValue(forRelationship:forObjectWith:with:)")
    }

    /// Returns IDs for new objects, in their order; a subclass must override it.
    ///
    /// - Throws: The error with which the save of the context fails; unless overridden
    ///   `NSPersistentStoreOperationError` (134070) in `NSCocoaErrorDomain`.
    open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        throw missing("obtainPermanentIDs(for:)")
    }

    /// Returns the identifier of a new store: a UUID unless overridden.
    open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

    /// Called when contexts begin to have objects with these IDs, once for each context and ID; the default
    /// implementation does nothing.
    open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}
    /// Called on any thread when contexts have no objects with these IDs any more; the default implementation
    /// does nothing.
    open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

    private func missing(_ method: String) -> NSError {
        CoreDataError.error(
            NSPersistentStoreOperationError, reason: "\(Swift.type(of: self)) must override \(method).")
    }

    // MARK: Names

    /// Returns the ID of the object that has a reference object.
    ///
    /// Equal reference objects of one entity hierarchy make equal IDs. Traps if the value cannot be hashed,
    /// or the coordinator has no such entity.
    open func newObjectID(
        for entity: NSEntityDescription, referenceObject data: Any
    ) -> NSManagedObjectID {
        makeObjectID(entity, data, keys)
    }

    /// Returns the reference object of an object ID.
    open func referenceObject(for objectID: NSManagedObjectID) -> Any {
        keys.reference(of: objectID)
    }

    // MARK: Opening

    override func open(_ model: FrozenModel, _ entities: Set<EntityIndex>?) throws -> any StoreBackend {
        if let name = Swift.type(of: self).identifierForNewStore(at: url!) as? String { identifier = name }
        try loadMetadata()
        try takeMetadata(of: model, entities)
        return IncrementalBackend(self, model)
    }
}

extension NSIncrementalStore: ObjectNamingStore {
    final func permanentReferences(for objects: [NSManagedObject]) throws -> [ObjectReference] {
        let ids = try obtainPermanentIDs(for: objects)
        guard ids.count == objects.count else {
            throw CoreDataError.error(
                NSPersistentStoreOperationError,
                reason:
                    "\(Swift.type(of: self)) obtained \(ids.count) permanent IDs for \(objects.count) objects."
            )
        }
        return ids.map(\.reference)
    }
}
