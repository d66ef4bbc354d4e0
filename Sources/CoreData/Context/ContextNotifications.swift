public import Foundation

extension NSNotification.Name {
    public static let NSManagedObjectContextWillSave = NSNotification.Name(
        "NSManagingContextWillSaveChangesNotification")
    public static let NSManagedObjectContextDidSave = NSNotification.Name(
        "NSManagingContextDidSaveChangesNotification")
    public static let NSManagedObjectContextObjectsDidChange = NSNotification.Name(
        "NSObjectsChangedInManagingContextNotification")
    public static let NSManagedObjectContextDidSaveObjectIDs = NSNotification.Name(
        "NSManagedObjectContextDidSaveObjectIDsNotification")
    public static let NSManagedObjectContextDidMergeChangesObjectIDs = NSNotification.Name(
        "NSManagedObjectContextDidMergeChangesObjectIDsNotification")
}

public let NSInsertedObjectsKey = "inserted"
public let NSUpdatedObjectsKey = "updated"
public let NSDeletedObjectsKey = "deleted"
public let NSRefreshedObjectsKey = "refreshed"
public let NSInvalidatedObjectsKey = "invalidated"
public let NSInvalidatedAllObjectsKey = "invalidatedAll"
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"
public let NSManagedObjectContextQueryGenerationKey = "queryGeneration"

extension NSManagedObjectContext {
    public static let willSaveObjectsNotification = NSNotification.Name.NSManagedObjectContextWillSave
    public static let didSaveObjectsNotification = NSNotification.Name.NSManagedObjectContextDidSave
    public static let didChangeObjectsNotification = NSNotification.Name
        .NSManagedObjectContextObjectsDidChange
    public static let didSaveObjectIDsNotification = NSNotification.Name
        .NSManagedObjectContextDidSaveObjectIDs
    public static let didMergeChangesObjectIDsNotification =
        NSNotification.Name.NSManagedObjectContextDidMergeChangesObjectIDs

    /// The keys of the notifications' user info.
    public enum NotificationKey: String, Sendable {
        case queryGeneration
        case invalidatedAllObjects = "invalidatedAll"
        case insertedObjects = "inserted"
        case updatedObjects = "updated"
        case deletedObjects = "deleted"
        case refreshedObjects = "refreshed"
        case invalidatedObjects = "invalidated"
        case insertedObjectIDs = "inserted_objectIDs"
        case updatedObjectIDs = "updated_objectIDs"
        case deletedObjectIDs = "deleted_objectIDs"
        case refreshedObjectIDs = "refreshed_objectIDs"
        case invalidatedObjectIDs = "invalidated_objectIDs"
    }

    final func post(_ name: NSNotification.Name, _ userInfo: [AnyHashable: Any]? = nil) {
        NotificationCenter.default.announce(name, of: self, userInfo)
    }
}

/// The changes of a save or an event, in the groups that notifications report; each object is in one of them once.
struct ChangeGroups {
    var inserted: [NSManagedObject] = []
    var updated: [NSManagedObject] = []
    var deleted: [NSManagedObject] = []
    var refreshed: [NSManagedObject] = []
    /// The moment after a save, where a store keeps history.
    var historyToken: NSPersistentHistoryToken?
    /// What the context is pinned to after a save, if it is.
    var queryGeneration: NSQueryGenerationToken?

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty }

    mutating func add(_ changes: FrozenChanges, of store: Int16) {
        inserted += changes.inserted[store] ?? []
        updated += changes.updated[store] ?? []
        deleted += changes.deleted[store] ?? []
    }

    private typealias Group = (objectsKey: String, idsKey: String, members: [NSManagedObject])

    private var groups: [Group] {
        [
            (NSInsertedObjectsKey, NSInsertedObjectIDsKey, inserted),
            (NSUpdatedObjectsKey, NSUpdatedObjectIDsKey, updated),
            (NSDeletedObjectsKey, NSDeletedObjectIDsKey, deleted),
            (NSRefreshedObjectsKey, NSRefreshedObjectIDsKey, refreshed),
        ].filter { !$0.2.isEmpty }
    }

    /// Only groups that have members.
    var objectInfo: [AnyHashable: Any] {
        info { ($0.objectsKey, Set($0.members)) }
    }

    var objectIDInfo: [AnyHashable: Any] {
        info { ($0.idsKey, Set($0.members.map(\.objectID))) }
    }

    private func info(_ entry: (Group) -> (key: String, members: Any)) -> [AnyHashable: Any] {
        var info: [AnyHashable: Any] = [:]
        for group in groups {
            let (key, members) = entry(group)
            info[key] = members
        }
        info[NSPersistentHistoryTokenKey] = historyToken
        info[NSManagedObjectContextQueryGenerationKey] = queryGeneration
        return info
    }
}
