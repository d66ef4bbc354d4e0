#if compiler(>=6.2)
public import Foundation

/// What a save or a merge changed, by object ID: it may be used on any queue.
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

/// A message that names what changed by object ID.
public protocol ObjectIDsMessage: NotificationMessage where Subject == NSManagedObjectContext {
    var changes: ObjectIDChanges { get }
    init(_ changes: ObjectIDChanges)
}

extension ObjectIDsMessage {
    public var context: NSManagedObjectContext { changes.context }
    public var insertedIDs: Set<NSManagedObjectID> { changes.inserted }
    public var updatedIDs: Set<NSManagedObjectID> { changes.updated }
    public var deletedIDs: Set<NSManagedObjectID> { changes.deleted }
    public var refreshedIDs: Set<NSManagedObjectID> { changes.refreshed }
    public var invalidatedIDs: Set<NSManagedObjectID> { changes.invalidated }
    /// Nil where no store keeps history.
    public var historyToken: NSPersistentHistoryToken? { changes.historyToken }
    /// Nil if the context is not pinned.
    public var queryGeneration: NSQueryGenerationToken? { changes.queryGeneration }

    public static func makeMessage(_ notification: Notification) -> Self? {
        notification.context(posting: name).map { Self(ObjectIDChanges(notification, of: $0)) }
    }

    public static func makeNotification(_ message: Self) -> Notification {
        Notification(name: name, object: message.context, userInfo: message.changes.userInfo)
    }
}

extension NSManagedObjectContext {
    /// A context of the main queue has saved.
    public struct DidSaveObjectIDsMessage: ObjectIDsMessage, MainActorNotificationMessage {
        public static var name: Notification.Name { .NSManagedObjectContextDidSaveObjectIDs }
        public let changes: ObjectIDChanges

        public init(_ changes: ObjectIDChanges) { self.changes = changes }
    }

    /// A context of any queue has saved.
    public struct DidSaveObjectIDsAsyncMessage: ObjectIDsMessage, AsyncNotificationMessage {
        public static var name: Notification.Name { .NSManagedObjectContextDidSaveObjectIDs }
        public let changes: ObjectIDChanges

        public init(_ changes: ObjectIDChanges) { self.changes = changes }
    }

    /// A context of the main queue took over what others saved.
    public struct DidMergeChangesMessage: ObjectIDsMessage, MainActorNotificationMessage {
        public static var name: Notification.Name { .NSManagedObjectContextDidMergeChangesObjectIDs }
        public let changes: ObjectIDChanges

        public init(_ changes: ObjectIDChanges) { self.changes = changes }
    }

    /// A context of any queue took over what others saved.
    public struct DidMergeChangesAsyncMessage: ObjectIDsMessage, AsyncNotificationMessage {
        public static var name: Notification.Name { .NSManagedObjectContextDidMergeChangesObjectIDs }
        public let changes: ObjectIDChanges

        public init(_ changes: ObjectIDChanges) { self.changes = changes }
    }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveObjectIDsMessage> {
    public static var didSaveObjectIDs: Self { Self() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveObjectIDsAsyncMessage> {
    public static var didSaveObjectIDsAsync: Self { Self() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidMergeChangesMessage> {
    public static var didMergeChanges: Self { Self() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidMergeChangesAsyncMessage> {
    public static var didMergeChangesAsync: Self { Self() }
}
#endif
