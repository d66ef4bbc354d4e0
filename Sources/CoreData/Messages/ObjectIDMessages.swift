#if compiler(>=6.2)
public import Foundation

/// The changes of a save or a merge by object ID, a value that may be used on any queue.
///
/// Clients read them through the properties of the messages.
public struct ObjectIDChanges: Sendable {
    fileprivate let context: NSManagedObjectContext
    fileprivate let inserted: Set<NSManagedObjectID>
    fileprivate let updated: Set<NSManagedObjectID>
    fileprivate let deleted: Set<NSManagedObjectID>
    fileprivate let refreshed: Set<NSManagedObjectID>
    fileprivate let invalidated: Set<NSManagedObjectID>
    fileprivate let historyToken: NSPersistentHistoryToken?
    fileprivate let queryGeneration: NSQueryGenerationToken?

    fileprivate init(_ notification: Notification, of context: NSManagedObjectContext) {
        self.context = context
        inserted = notification.set(NSInsertedObjectIDsKey)
        updated = notification.set(NSUpdatedObjectIDsKey)
        deleted = notification.set(NSDeletedObjectIDsKey)
        refreshed = notification.set(NSRefreshedObjectIDsKey)
        invalidated = notification.set(NSInvalidatedObjectIDsKey)
        historyToken = notification.historyToken
        queryGeneration = notification.queryGeneration
    }

    fileprivate var userInfo: [AnyHashable: Any] {
        var info: [AnyHashable: Any] = [
            NSInsertedObjectIDsKey: inserted, NSUpdatedObjectIDsKey: updated,
            NSDeletedObjectIDsKey: deleted, NSRefreshedObjectIDsKey: refreshed,
            NSInvalidatedObjectIDsKey: invalidated,
        ]
        info[NSPersistentHistoryTokenKey] = historyToken
        info[NSManagedObjectContextQueryGenerationKey] = queryGeneration
        return info
    }
}

/// A message that lists changed objects by ID.
public protocol ObjectIDsMessage: NotificationMessage where Subject == NSManagedObjectContext {
    /// The changes of the save or merge.
    var changes: ObjectIDChanges { get }
    /// Makes a message from the changes of a notification.
    init(_ changes: ObjectIDChanges)
}

extension ObjectIDsMessage {
    /// The context that has saved or merged.
    public var context: NSManagedObjectContext { changes.context }
    /// The IDs of the inserted objects.
    public var insertedIDs: Set<NSManagedObjectID> { changes.inserted }
    /// The IDs of the updated objects.
    public var updatedIDs: Set<NSManagedObjectID> { changes.updated }
    /// The IDs of the deleted objects.
    public var deletedIDs: Set<NSManagedObjectID> { changes.deleted }
    /// The IDs of the objects that were read again.
    public var refreshedIDs: Set<NSManagedObjectID> { changes.refreshed }
    /// The IDs of the objects that the context has forgotten.
    public var invalidatedIDs: Set<NSManagedObjectID> { changes.invalidated }
    /// The moment in the history right after the save; nil where no store keeps history.
    public var historyToken: NSPersistentHistoryToken? { changes.historyToken }
    /// The generation that the context reads; nil if it is not pinned.
    public var queryGeneration: NSQueryGenerationToken? { changes.queryGeneration }

    /// Returns the message of a notification, or nil if the notification has another name or no context.
    public static func makeMessage(_ notification: Notification) -> Self? {
        notification.context(posting: name).map { Self(ObjectIDChanges(notification, of: $0)) }
    }

    /// Returns the notification that corresponds to a message.
    public static func makeNotification(_ message: Self) -> Notification {
        Notification(name: name, object: message.context, userInfo: message.changes.userInfo)
    }
}

extension NSManagedObjectContext {
    /// The message that a context of the main queue has saved, by object ID.
    public struct DidSaveObjectIDsMessage: ObjectIDsMessage, MainActorNotificationMessage {
        /// The notification that the message stands for.
        public static var name: Notification.Name { .NSManagedObjectContextDidSaveObjectIDs }
        /// The changes of the save.
        public let changes: ObjectIDChanges

        /// Makes a message from the changes of a notification.
        public init(_ changes: ObjectIDChanges) { self.changes = changes }
    }

    /// The message that a context of any queue has saved, by object ID.
    public struct DidSaveObjectIDsAsyncMessage: ObjectIDsMessage, AsyncNotificationMessage {
        /// The notification that the message stands for.
        public static var name: Notification.Name { .NSManagedObjectContextDidSaveObjectIDs }
        /// The changes of the save.
        public let changes: ObjectIDChanges

        /// Makes a message from the changes of a notification.
        public init(_ changes: ObjectIDChanges) { self.changes = changes }
    }

    /// The message that a context of the main queue has merged what other contexts or processes saved.
    public struct DidMergeChangesMessage: ObjectIDsMessage, MainActorNotificationMessage {
        /// The notification that the message stands for.
        public static var name: Notification.Name { .NSManagedObjectContextDidMergeChangesObjectIDs }
        /// The changes that were merged.
        public let changes: ObjectIDChanges

        /// Makes a message from the changes of a notification.
        public init(_ changes: ObjectIDChanges) { self.changes = changes }
    }

    /// The message that a context of any queue has merged what other contexts or processes saved.
    public struct DidMergeChangesAsyncMessage: ObjectIDsMessage, AsyncNotificationMessage {
        /// The notification that the message stands for.
        public static var name: Notification.Name { .NSManagedObjectContextDidMergeChangesObjectIDs }
        /// The changes that were merged.
        public let changes: ObjectIDChanges

        /// Makes a message from the changes of a notification.
        public init(_ changes: ObjectIDChanges) { self.changes = changes }
    }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveObjectIDsMessage> {
    /// The identifier of messages that a context of the main queue has saved, by object ID.
    public static var didSaveObjectIDs: Self { Self() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveObjectIDsAsyncMessage> {
    /// The identifier of messages that a context of any queue has saved, by object ID.
    public static var didSaveObjectIDsAsync: Self { Self() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidMergeChangesMessage> {
    /// The identifier of messages that a context of the main queue has merged changes.
    public static var didMergeChanges: Self { Self() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidMergeChangesAsyncMessage> {
    /// The identifier of messages that a context of any queue has merged changes.
    public static var didMergeChangesAsync: Self { Self() }
}
#endif
