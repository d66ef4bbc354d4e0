public import CoreData

/// What a context has just taken over from another one, by IDs, which may go to any thread.
public struct ContextDidMergeObjectIDsNotification: ContextNotification {
    public static let name = Notification.Name.NSManagedObjectContextDidMergeChangesObjectIDs
    public let notification: Notification

    public init(note: Notification) { notification = Self.checked(note) }

    public var insertedObjectIDs: Set<NSManagedObjectID> { objectIDs(.insertedObjectIDs) }
    /// Of the updated objects those that the context had.
    public var refreshedObjectIDs: Set<NSManagedObjectID> { objectIDs(.refreshedObjectIDs) }
    public var deletedObjectIDs: Set<NSManagedObjectID> { objectIDs(.deletedObjectIDs) }
}
