public import CoreData

/// The notification of the changes that a context has just merged from another one. It contains IDs, which
/// may be passed to any thread.
public struct ContextDidMergeObjectIDsNotification: ContextNotification {
    /// The name of the notification.
    public static let name = Notification.Name.NSManagedObjectContextDidMergeChangesObjectIDs
    /// The notification as it was posted.
    public let notification: Notification

    /// Makes a typed notification.
    ///
    /// Traps if it has another name, or was not posted by a context.
    public init(note: Notification) { notification = Self.checked(note) }

    /// The IDs of objects that the other context inserted.
    public var insertedObjectIDs: Set<NSManagedObjectID> { objectIDs(.insertedObjectIDs) }
    /// The IDs of updated objects that this context had and has refreshed.
    public var refreshedObjectIDs: Set<NSManagedObjectID> { objectIDs(.refreshedObjectIDs) }
    /// The IDs of objects that the other context deleted.
    public var deletedObjectIDs: Set<NSManagedObjectID> { objectIDs(.deletedObjectIDs) }
}
