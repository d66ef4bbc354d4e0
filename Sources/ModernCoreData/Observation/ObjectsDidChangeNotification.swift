public import CoreData

/// What changed in one event of a context.
public struct ObjectsDidChangeNotification: ContextNotification {
    public static let name = Notification.Name.NSManagedObjectContextObjectsDidChange
    public let notification: Notification

    public init(note: Notification) { notification = Self.checked(note) }

    public var insertedObjects: Set<NSManagedObject> { objects(.insertedObjects) }
    public var updatedObjects: Set<NSManagedObject> { objects(.updatedObjects) }
    public var deletedObjects: Set<NSManagedObject> { objects(.deletedObjects) }
    /// Read anew: merged, refreshed or rolled back.
    public var refreshedObjects: Set<NSManagedObject> { objects(.refreshedObjects) }
    public var invalidatedObjects: Set<NSManagedObject> { objects(.invalidatedObjects) }

    /// Whether the context was reset and has none of the objects it had.
    public var invalidatedAllObjects: Bool {
        let key = NSManagedObjectContext.NotificationKey.invalidatedAllObjects.rawValue
        return notification.userInfo?[key] != nil
    }
}
