public import CoreData

/// What a context has just saved.
public struct ContextDidSaveNotification: ContextNotification {
    public static let name = Notification.Name.NSManagedObjectContextDidSave
    public let notification: Notification

    public init(note: Notification) { notification = Self.checked(note) }

    public var insertedObjects: Set<NSManagedObject> { objects(.insertedObjects) }
    public var updatedObjects: Set<NSManagedObject> { objects(.updatedObjects) }
    /// Their values can be read while the notification is posted, not later.
    public var deletedObjects: Set<NSManagedObject> { objects(.deletedObjects) }
}
