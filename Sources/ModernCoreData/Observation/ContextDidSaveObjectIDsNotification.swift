public import CoreData

/// The notification of the changes that a context has just saved. It contains IDs, which may be passed to any
/// thread.
public struct ContextDidSaveObjectIDsNotification: ContextNotification {
    /// The name of the notification.
    public static let name = Notification.Name.NSManagedObjectContextDidSaveObjectIDs
    /// The notification as it was posted.
    public let notification: Notification

    /// Makes a typed notification.
    ///
    /// Traps if it has another name, or was not posted by a context.
    public init(note: Notification) { notification = Self.checked(note) }

    /// The IDs of the objects that the save inserted.
    public var insertedObjectIDs: Set<NSManagedObjectID> { objectIDs(.insertedObjectIDs) }
    /// The IDs of the objects that the save updated.
    public var updatedObjectIDs: Set<NSManagedObjectID> { objectIDs(.updatedObjectIDs) }
    /// The IDs of the objects that the save deleted.
    public var deletedObjectIDs: Set<NSManagedObjectID> { objectIDs(.deletedObjectIDs) }
}
