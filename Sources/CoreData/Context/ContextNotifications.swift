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

    mutating func add(_ share: FrozenChanges.Share) {
        inserted += share.inserted
        updated += share.updated
        deleted += share.deleted
    }

    private typealias Group = (objectsKey: String, idsKey: String, members: [NSManagedObject])

    /// Only groups that have members.
    private var groups: [Group] {
        [
            (NSInsertedObjectsKey, NSInsertedObjectIDsKey, inserted),
            (NSUpdatedObjectsKey, NSUpdatedObjectIDsKey, updated),
            (NSDeletedObjectsKey, NSDeletedObjectIDsKey, deleted),
            (NSRefreshedObjectsKey, NSRefreshedObjectIDsKey, refreshed),
        ].filter { !$0.2.isEmpty }
    }

    /// - Parameter told: what an event told shortly before, which is often the same.
    func objectInfo(like told: ToldChanges? = nil) -> [AnyHashable: Any] {
        var info = tokens
        for group in groups {
            info[group.objectsKey] =
                told?.set(group.objectsKey, of: group.members) ?? Set(sparse: group.members)
        }
        return info
    }

    var objectIDInfo: [AnyHashable: Any] {
        var info = tokens
        for group in groups { info[group.idsKey] = Set(sparse: NSManagedObject.objectIDs(of: group.members)) }
        return info
    }

    private var tokens: [AnyHashable: Any] {
        var info: [AnyHashable: Any] = [:]
        info[NSPersistentHistoryTokenKey] = historyToken
        info[NSManagedObjectContextQueryGenerationKey] = queryGeneration
        return info
    }

    fileprivate func members(_ objectsKey: String) -> [NSManagedObject] {
        groups.first { $0.objectsKey == objectsKey }?.members ?? []
    }
}

/// What observers of an event were told. A save mostly tells the same again a moment later, and sets of many objects
/// take long to make.
struct ToldChanges {
    let groups: ChangeGroups
    let info: [AnyHashable: Any]

    /// The set that was told, if it has these members.
    fileprivate func set(_ key: String, of members: [NSManagedObject]) -> Any? {
        let told = groups.members(key)
        guard told.count == members.count, zip(told, members).allSatisfy({ $0 === $1 }) else { return nil }
        return info[key]
    }
}

extension Set where Element: NSObject {
    /// With room to spare: members that fall on the same place are compared, which takes an `NSObject` longer than
    /// being hashed.
    init(sparse members: [Element]) {
        self.init(minimumCapacity: members.count * 2)
        for member in members { insert(member) }
    }
}
