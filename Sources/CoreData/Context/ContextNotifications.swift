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

    private enum Group: CaseIterable {
        case inserted, updated, deleted, refreshed

        var objectsKey: String {
            switch self {
            case .inserted: NSInsertedObjectsKey
            case .updated: NSUpdatedObjectsKey
            case .deleted: NSDeletedObjectsKey
            case .refreshed: NSRefreshedObjectsKey
            }
        }

        var idsKey: String {
            switch self {
            case .inserted: NSInsertedObjectIDsKey
            case .updated: NSUpdatedObjectIDsKey
            case .deleted: NSDeletedObjectIDsKey
            case .refreshed: NSRefreshedObjectIDsKey
            }
        }
    }

    private subscript(group: Group) -> [NSManagedObject] {
        switch group {
        case .inserted: inserted
        case .updated: updated
        case .deleted: deleted
        case .refreshed: refreshed
        }
    }

    /// Only groups that have members.
    ///
    /// - Parameter told: what an event told shortly before: a save mostly tells the same again a moment later, and sets of
    ///   many objects take long to make.
    func objectInfo(like told: ToldChanges? = nil) -> [AnyHashable: Any] {
        var info = tokens
        for group in Group.allCases where !self[group].isEmpty {
            let members = self[group]
            if let told, Self.isSame(told.groups[group], members) {
                info[group.objectsKey] = told.info[group.objectsKey]
            } else {
                info[group.objectsKey] = Set(sparse: members)
            }
        }
        return info
    }

    var objectIDInfo: [AnyHashable: Any] {
        var info = tokens
        for group in Group.allCases where !self[group].isEmpty {
            info[group.idsKey] = Set(sparse: NSManagedObject.objectIDs(of: self[group]))
        }
        return info
    }

    private var tokens: [AnyHashable: Any] {
        var info: [AnyHashable: Any] = [:]
        // By the public name and by the one that Apple's framework posts.
        if let historyToken {
            info[NSPersistentHistoryTokenKey] = historyToken
            info["newChangeToken"] = historyToken
        }
        if let queryGeneration { info[NSManagedObjectContextQueryGenerationKey] = queryGeneration }
        return info
    }

    private static func isSame(_ left: [NSManagedObject], _ right: [NSManagedObject]) -> Bool {
        left.count == right.count && left.indices.allSatisfy { left[$0] === right[$0] }
    }
}

/// What observers of an event were told.
struct ToldChanges {
    let groups: ChangeGroups
    let info: [AnyHashable: Any]
}

extension Set where Element: NSObject {
    /// With room to spare: members that fall on the same place are compared, which takes an `NSObject` longer than
    /// being hashed.
    init(sparse members: [Element]) {
        self.init(minimumCapacity: members.count * 2)
        for member in members { insert(member) }
    }
}
