public import Foundation

/// The changes of a context, as an incremental store receives them.
open class NSSaveChangesRequest: NSPersistentStoreRequest {
    public let insertedObjects: Set<NSManagedObject>?
    public let updatedObjects: Set<NSManagedObject>?
    public let deletedObjects: Set<NSManagedObject>?
    /// Objects that must not have changed in the store, though the save does not change them.
    public let lockedObjects: Set<NSManagedObject>?

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

    public convenience override init() {
        self.init(inserted: nil, updated: nil, deleted: nil, locked: nil)
    }

    open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSSaveChangesRequest(
            inserted: insertedObjects, updated: updatedObjects, deleted: deletedObjects, locked: lockedObjects
        )
        copy.affectedStores = affectedStores
        return copy
    }
}
