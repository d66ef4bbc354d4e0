public import CoreData

/// The notification of the changes of one event of a context.
public struct ObjectsDidChangeNotification: ContextNotification {
    /// The name of the notification.
    public static let name = Notification.Name.NSManagedObjectContextObjectsDidChange
    /// The notification as it was posted.
    public let notification: Notification

    /// Makes a typed notification.
    ///
    /// Traps if it has another name, or was not posted by a context.
    public init(note: Notification) { notification = Self.checked(note) }

    /// The objects that were inserted.
    public var insertedObjects: Set<NSManagedObject> { objects(.insertedObjects) }
    /// The objects that were updated.
    public var updatedObjects: Set<NSManagedObject> { objects(.updatedObjects) }
    /// The objects that were deleted.
    public var deletedObjects: Set<NSManagedObject> { objects(.deletedObjects) }
    /// The objects whose values were read again: by a merge, a refresh or a rollback.
    public var refreshedObjects: Set<NSManagedObject> { objects(.refreshedObjects) }
    /// The objects that no longer belong to the context.
    public var invalidatedObjects: Set<NSManagedObject> { objects(.invalidatedObjects) }

    /// Whether the context was reset, so that all its former objects are invalid.
    public var invalidatedAllObjects: Bool {
        let key = NSManagedObjectContext.NotificationKey.invalidatedAllObjects.rawValue
        return notification.userInfo?[key] != nil
    }
}
