public import Foundation

/// The changes of a context that an incremental store receives.
open class NSSaveChangesRequest: NSPersistentStoreRequest {
    /// The inserted objects.
    public let insertedObjects: Set<NSManagedObject>?
    /// The updated objects.
    public let updatedObjects: Set<NSManagedObject>?
    /// The deleted objects.
    public let deletedObjects: Set<NSManagedObject>?
    /// Objects that the save does not change, but whose rows must not have changed in the store since they
    /// were read: those that `detectConflicts(for:)` named.
    public let lockedObjects: Set<NSManagedObject>?

    /// Makes a request that saves the given objects.
    public init(
        inserted insertedObjects: Set<NSManagedObject>?,
        updated updatedObjects: Set<NSManagedObject>?,
        deleted deletedObjects: Set<NSManagedObject>?,
        locked lockedObjects: Set<NSManagedObject>?
    ) {
        self.insertedObjects = insertedObjects
        self.updatedObjects = updatedObjects
        self.deletedObjects = deletedObjects
        self.lockedObjects = lockedObjects
        super.init()
    }

    /// Makes a request that saves nothing.
    public convenience override init() {
        self.init(inserted: nil, updated: nil, deleted: nil, locked: nil)
    }

    /// Always `.saveRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

    /// Returns a request with the same objects and stores.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSSaveChangesRequest(
            inserted: insertedObjects, updated: updatedObjects, deleted: deletedObjects, locked: lockedObjects
        )
        copy.affectedStores = affectedStores
        return copy
    }
}
