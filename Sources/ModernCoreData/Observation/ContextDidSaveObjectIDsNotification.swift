public import CoreData

/// What a context has just saved, by IDs, which may go to any thread.
public struct ContextDidSaveObjectIDsNotification: ContextNotification {
    public static let name = Notification.Name.NSManagedObjectContextDidSaveObjectIDs
    public let notification: Notification

    public init(note: Notification) { notification = Self.checked(note) }

    public var insertedObjectIDs: Set<NSManagedObjectID> { objectIDs(.insertedObjectIDs) }
    public var updatedObjectIDs: Set<NSManagedObjectID> { objectIDs(.updatedObjectIDs) }
    public var deletedObjectIDs: Set<NSManagedObjectID> { objectIDs(.deletedObjectIDs) }
}
