import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
public import Foundation

/// A store of an app's own that is asked for what is needed, when it is needed: a web service, another database.
///
/// Subclass it, override `loadMetadata()`, `execute(_:with:)`, `newValuesForObject(with:with:)`,
/// `newValue(forRelationship:forObjectWith:with:)` and `obtainPermanentIDs(for:)`, and register the class with
/// `NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:)`. All of them are called on the queue of the context
/// they are given.
open class NSIncrementalStore: NSPersistentStore, @unchecked Sendable {
    private let keys = ReferenceKeys()
    override var referenceKeys: ReferenceKeys? { keys }

    // MARK: What subclasses override

    /// Sets `metadata`, with a value for `NSStoreUUIDKey`.
    open override func loadMetadata() throws { throw missing("loadMetadata()") }

    /// Answers a fetch request with an array of what it asks for - objects, made by the context with the IDs of
    /// `newObjectID(for:referenceObject:)`, IDs, numbers or dictionaries - and a save request, which it carries out, with an
    /// empty one.
    open func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
    ) throws -> Any {
        throw missing("execute(_:with:)")
    }

    /// The row of an object. Throws `NSManagedObjectReferentialIntegrityError` for one that is gone.
    open func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        throw missing("newValuesForObject(with:with:)")
    }

    /// The object ID of a to-one relationship's destination or `NSNull`; an array or set of IDs for a to-many one.
    open func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        throw missing("newValue(forRelationship:forObjectWith:with:)")
    }

    /// IDs for new objects, in their order.
    open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        throw missing("obtainPermanentIDs(for:)")
    }

    /// A new store's identifier.
    open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

    /// Contexts begin to have objects with these IDs; one call a context and ID.
    open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}
    /// Contexts have no objects with these IDs any more. Called on any thread.
    open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

    private func missing(_ method: String) -> NSError {
        CoreDataError.error(
            NSPersistentStoreOperationError, reason: "\(Swift.type(of: self)) must override \(method).")
    }

    // MARK: Names

    /// The ID of an object that the store calls so. Equal reference objects make equal IDs.
    open func newObjectID(
        for entity: NSEntityDescription, referenceObject data: Any
    ) -> NSManagedObjectID {
        makeObjectID(entity, data, keys)
    }

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
