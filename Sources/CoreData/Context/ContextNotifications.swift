public import Foundation

extension NSNotification.Name {
    /// Posted by a context when its save begins, after changes were processed, without `userInfo`.
    public static let NSManagedObjectContextWillSave = NSNotification.Name(
        "NSManagingContextWillSaveChangesNotification")
    /// Posted by a context after a save, with the objects that were inserted, updated and deleted.
    public static let NSManagedObjectContextDidSave = NSNotification.Name(
        "NSManagingContextDidSaveChangesNotification")
    /// Posted by a context at the end of an event, with the objects that were inserted, updated, deleted and
    /// refreshed.
    public static let NSManagedObjectContextObjectsDidChange = NSNotification.Name(
        "NSObjectsChangedInManagingContextNotification")
    /// Posted by a context after a save, with the IDs of inserted, updated and deleted objects.
    public static let NSManagedObjectContextDidSaveObjectIDs = NSNotification.Name(
        "NSManagedObjectContextDidSaveObjectIDsNotification")
    /// Posted by a context after a merge, with the IDs of the objects that the merge changed.
    public static let NSManagedObjectContextDidMergeChangesObjectIDs = NSNotification.Name(
        "NSManagedObjectContextDidMergeChangesObjectIDsNotification")
}

/// The set of inserted objects.
public let NSInsertedObjectsKey = "inserted"
/// The set of updated objects.
public let NSUpdatedObjectsKey = "updated"
/// The set of deleted objects.
public let NSDeletedObjectsKey = "deleted"
/// The set of objects that were refreshed, by a merge too.
public let NSRefreshedObjectsKey = "refreshed"
/// The set of objects that were invalidated; the framework itself invalidates all or none.
public let NSInvalidatedObjectsKey = "invalidated"
/// The IDs of all objects of a context that was reset.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"
/// The set of IDs of inserted objects.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// The set of IDs of updated objects.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// The set of IDs of deleted objects.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// The set of IDs of refreshed objects.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// The set of IDs of invalidated objects; the framework itself invalidates all or none.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"
/// The query generation after the save of a pinned context.
public let NSManagedObjectContextQueryGenerationKey = "queryGeneration"

extension NSManagedObjectContext {
    /// Posted when a save begins: `NSManagedObjectContextWillSave`.
    public static let willSaveObjectsNotification = NSNotification.Name.NSManagedObjectContextWillSave
    /// Posted after a save, with objects: `NSManagedObjectContextDidSave`.
    public static let didSaveObjectsNotification = NSNotification.Name.NSManagedObjectContextDidSave
    /// Posted at the end of an event: `NSManagedObjectContextObjectsDidChange`.
    public static let didChangeObjectsNotification = NSNotification.Name
        .NSManagedObjectContextObjectsDidChange
    /// Posted after a save, with IDs: `NSManagedObjectContextDidSaveObjectIDs`.
    public static let didSaveObjectIDsNotification = NSNotification.Name
        .NSManagedObjectContextDidSaveObjectIDs
    /// Posted after a merge, with IDs: `NSManagedObjectContextDidMergeChangesObjectIDs`.
    public static let didMergeChangesObjectIDsNotification =
        NSNotification.Name.NSManagedObjectContextDidMergeChangesObjectIDs

    /// The keys of the notifications' `userInfo`, in Swift's spelling.
    ///
    /// Each raw value is the string of the constant of the same name, `NSInsertedObjectsKey` and so on.
    public enum NotificationKey: String, Sendable {
        /// `NSManagedObjectContextQueryGenerationKey`.
        case queryGeneration
        /// `NSInvalidatedAllObjectsKey`.
        case invalidatedAllObjects = "invalidatedAll"
        /// `NSInsertedObjectsKey`.
        case insertedObjects = "inserted"
        /// `NSUpdatedObjectsKey`.
        case updatedObjects = "updated"
        /// `NSDeletedObjectsKey`.
        case deletedObjects = "deleted"
        /// `NSRefreshedObjectsKey`.
        case refreshedObjects = "refreshed"
        /// `NSInvalidatedObjectsKey`.
        case invalidatedObjects = "invalidated"
        /// `NSInsertedObjectIDsKey`.
        case insertedObjectIDs = "inserted_objectIDs"
        /// `NSUpdatedObjectIDsKey`.
        case updatedObjectIDs = "updated_objectIDs"
        /// `NSDeletedObjectIDsKey`.
        case deletedObjectIDs = "deleted_objectIDs"
        /// `NSRefreshedObjectIDsKey`.
        case refreshedObjectIDs = "refreshed_objectIDs"
        /// `NSInvalidatedObjectIDsKey`.
        case invalidatedObjectIDs = "invalidated_objectIDs"
    }

    final func post(_ name: NSNotification.Name, _ userInfo: [AnyHashable: Any]? = nil) {
        NotificationCenter.default.announce(name, of: self, userInfo)
    }
}
