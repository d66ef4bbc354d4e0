#if compiler(>=6.2)
public import Foundation

extension NSManagedObjectContext {
    /// A context is about to save.
    public struct WillSaveMessage: MainActorNotificationMessage {
        public typealias Subject = NSManagedObjectContext
        public static var name: Notification.Name { .NSManagedObjectContextWillSave }

        public let context: NSManagedObjectContext

        @MainActor public static func makeMessage(_ notification: Notification) -> Self? {
            notification.context(posting: name).map { Self(context: $0) }
        }

        @MainActor public static func makeNotification(_ message: Self) -> Notification {
            Notification(name: name, object: message.context)
        }
    }

    /// A context of the main queue has saved.
    public struct DidSaveMessage: MainActorNotificationMessage {
        public typealias Subject = NSManagedObjectContext
        public static var name: Notification.Name { .NSManagedObjectContextDidSave }

        public let context: NSManagedObjectContext
        public var inserted: Set<NSManagedObject>
        public var updated: Set<NSManagedObject>
        public var deleted: Set<NSManagedObject>
        /// Nil where no store keeps history.
        public let historyToken: NSPersistentHistoryToken?
        /// Nil if the context is not pinned.
        public let queryGeneration: NSQueryGenerationToken?

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

    /// Objects of a context of the main queue changed.
    public struct ObjectsDidChangeMessage: MainActorNotificationMessage {
        public typealias Subject = NSManagedObjectContext
        public static var name: Notification.Name { .NSManagedObjectContextObjectsDidChange }

        public let context: NSManagedObjectContext
        public var inserted: Set<NSManagedObject>
        public var updated: Set<NSManagedObject>
        public var deleted: Set<NSManagedObject>
        public var refreshed: Set<NSManagedObject>
        public var invalidated: Set<NSManagedObject>
        /// True if the context was reset; nil otherwise.
        public let invalidatedAll: Bool?

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
    public static var willSave: Self { Self() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveMessage> {
    public static var didSave: Self { Self() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.ObjectsDidChangeMessage> {
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
