public import CoreData

/// The notification of the changes that a context has just saved.
public struct ContextDidSaveNotification: ContextNotification {
    /// The name of the notification.
    public static let name = Notification.Name.NSManagedObjectContextDidSave
    /// The notification as it was posted.
    public let notification: Notification

    /// Makes a typed notification.
    ///
    /// Traps if it has another name, or was not posted by a context.
    public init(note: Notification) { notification = Self.checked(note) }

    /// The objects that the save inserted.
    public var insertedObjects: Set<NSManagedObject> { objects(.insertedObjects) }
    /// The objects that the save updated.
    public var updatedObjects: Set<NSManagedObject> { objects(.updatedObjects) }
    /// The objects that the save deleted. Their values can be read only while the notification is posted.
    public var deletedObjects: Set<NSManagedObject> { objects(.deletedObjects) }
}
