#if compiler(>=6.2)
public import Foundation

extension NSManagedObjectContext {
    /// The message that a context of the main queue is about to save, posted before it does.
    public struct WillSaveMessage: MainActorNotificationMessage {
        /// The subject of an observation: a context, or its type for all contexts.
        public typealias Subject = NSManagedObjectContext
        /// The notification that the message stands for.
        public static var name: Notification.Name { .NSManagedObjectContextWillSave }

        /// The context that is about to save.
        public let context: NSManagedObjectContext

        /// Returns the message of a notification, or nil if the notification has another name or no context.
        @MainActor public static func makeMessage(_ notification: Notification) -> Self? {
            notification.context(posting: name).map { Self(context: $0) }
        }

        /// Returns the notification that corresponds to a message.
        @MainActor public static func makeNotification(_ message: Self) -> Notification {
            Notification(name: name, object: message.context)
        }
    }

    /// The message that a context of the main queue has saved, with the objects that it saved.
    ///
    /// Contexts of other queues post `DidSaveObjectIDsAsyncMessage`, since objects stay on their queue.
    public struct DidSaveMessage: MainActorNotificationMessage {
        /// The subject of an observation: a context, or its type for all contexts.
        public typealias Subject = NSManagedObjectContext
        /// The notification that the message stands for.
        public static var name: Notification.Name { .NSManagedObjectContextDidSave }

        /// The context that has saved.
        public let context: NSManagedObjectContext
        /// The objects that the save inserted.
        public var inserted: Set<NSManagedObject>
        /// The objects that the save updated.
        public var updated: Set<NSManagedObject>
        /// The objects that the save deleted.
        public var deleted: Set<NSManagedObject>
        /// The moment in the history right after the save; nil where no store keeps history.
        public let historyToken: NSPersistentHistoryToken?
        /// The generation that the context reads since the save; nil if it is not pinned.
        public let queryGeneration: NSQueryGenerationToken?

        /// Returns the message of a notification, or nil if the notification has another name or no context.
        @MainActor public static func makeMessage(_ notification: Notification) -> Self? {
            notification.context(posting: name).map { context in
                Self(
                    context: context,
                    inserted: notification.set(NSInsertedObjectsKey),
                    updated: notification.set(NSUpdatedObjectsKey),
                    deleted: notification.set(NSDeletedObjectsKey),
                    historyToken: notification.historyToken,
                    queryGeneration: notification.queryGeneration)
            }
        }

        /// Returns the notification that corresponds to a message.
        @MainActor public static func makeNotification(_ message: Self) -> Notification {
            var info: [AnyHashable: Any] = [
                NSInsertedObjectsKey: message.inserted, NSUpdatedObjectsKey: message.updated,
                NSDeletedObjectsKey: message.deleted,
            ]
            info[NSPersistentHistoryTokenKey] = message.historyToken
            info[NSManagedObjectContextQueryGenerationKey] = message.queryGeneration
            return Notification(name: name, object: message.context, userInfo: info)
        }
    }

    /// The message that objects of a context of the main queue changed in one event.
    public struct ObjectsDidChangeMessage: MainActorNotificationMessage {
        /// The subject of an observation: a context, or its type for all contexts.
        public typealias Subject = NSManagedObjectContext
        /// The notification that the message stands for.
        public static var name: Notification.Name { .NSManagedObjectContextObjectsDidChange }

        /// The context whose objects changed.
        public let context: NSManagedObjectContext
        /// The objects that were inserted.
        public var inserted: Set<NSManagedObject>
        /// The objects that were updated.
        public var updated: Set<NSManagedObject>
        /// The objects that were deleted.
        public var deleted: Set<NSManagedObject>
        /// The objects that were read again: merged, refreshed or rolled back.
        public var refreshed: Set<NSManagedObject>
        /// The objects that the context has forgotten.
        public var invalidated: Set<NSManagedObject>
        /// True if the context was reset; nil otherwise.
        public let invalidatedAll: Bool?

        /// Returns the message of a notification, or nil if the notification has another name or no context.
        @MainActor public static func makeMessage(_ notification: Notification) -> Self? {
            notification.context(posting: name).map { context in
                Self(
                    context: context,
                    inserted: notification.set(NSInsertedObjectsKey),
                    updated: notification.set(NSUpdatedObjectsKey),
                    deleted: notification.set(NSDeletedObjectsKey),
                    refreshed: notification.set(NSRefreshedObjectsKey),
                    invalidated: notification.set(NSInvalidatedObjectsKey),
                    invalidatedAll: notification.userInfo?[NSInvalidatedAllObjectsKey].map { _ in true })
            }
        }

        /// Returns the notification that corresponds to a message.
        @MainActor public static func makeNotification(_ message: Self) -> Notification {
            var info: [AnyHashable: Any] = [
                NSInsertedObjectsKey: message.inserted, NSUpdatedObjectsKey: message.updated,
                NSDeletedObjectsKey: message.deleted, NSRefreshedObjectsKey: message.refreshed,
                NSInvalidatedObjectsKey: message.invalidated,
            ]
            if message.invalidatedAll == true { info[NSInvalidatedAllObjectsKey] = [NSManagedObjectID]() }
            return Notification(name: name, object: message.context, userInfo: info)
        }
    }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.WillSaveMessage> {
    /// The identifier of messages that a context of the main queue is about to save.
    public static var willSave: Self { Self() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveMessage> {
    /// The identifier of messages that a context of the main queue has saved.
    public static var didSave: Self { Self() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.ObjectsDidChangeMessage> {
    /// The identifier of messages that objects of a context of the main queue changed.
    public static var objectsDidChange: Self { Self() }
}

extension Notification {
    func context(posting name: Notification.Name) -> NSManagedObjectContext? {
        self.name == name ? object as? NSManagedObjectContext : nil
    }

    func set<Member>(_ key: String) -> Set<Member> { userInfo?[key] as? Set<Member> ?? [] }

    var historyToken: NSPersistentHistoryToken? {
        userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
    }

    var queryGeneration: NSQueryGenerationToken? {
        userInfo?[NSManagedObjectContextQueryGenerationKey] as? NSQueryGenerationToken
    }
}
#endif
