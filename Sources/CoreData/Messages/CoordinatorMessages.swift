#if compiler(>=6.2)
public import Foundation

/// A message that stores were added to or removed from a coordinator.
public protocol StoresMessage: NotificationMessage where Subject == NSPersistentStoreCoordinator {
    /// The stores that were added, removed or exchanged.
    var changes: StoreChanges { get }
    /// Makes a message from the changes of a notification.
    init(_ changes: StoreChanges)
}

/// The stores of a coordinator that were added, removed or exchanged.
///
/// Clients read them through the properties of the messages.
public struct StoreChanges: Sendable {
    fileprivate let coordinator: NSPersistentStoreCoordinator
    fileprivate let added: [NSPersistentStore]
    fileprivate let removed: [NSPersistentStore]
    fileprivate let changed: [NSPersistentStore]

    fileprivate init(_ notification: Notification, of coordinator: NSPersistentStoreCoordinator) {
        self.coordinator = coordinator
        func stores(_ key: String) -> [NSPersistentStore] {
            notification.userInfo?[key] as? [NSPersistentStore] ?? []
        }
        added = stores(NSAddedPersistentStoresKey)
        removed = stores(NSRemovedPersistentStoresKey)
        changed = stores(NSUUIDChangedPersistentStoresKey)
    }

    fileprivate var userInfo: [AnyHashable: Any] {
        [
            NSAddedPersistentStoresKey: added, NSRemovedPersistentStoresKey: removed,
            NSUUIDChangedPersistentStoresKey: changed,
        ].filter { !$0.value.isEmpty }
    }
}

extension StoresMessage {
    /// The notification that the message stands for.
    public static var name: Notification.Name { .NSPersistentStoreCoordinatorStoresDidChange }
    /// The coordinator whose stores changed.
    public var persistentStoreCoordinator: NSPersistentStoreCoordinator { changes.coordinator }
    /// The stores that were added.
    public var addedStores: [NSPersistentStore] { changes.added }
    /// The stores that were removed.
    public var removedStores: [NSPersistentStore] { changes.removed }
    /// The store before and after its file was moved; nil if none was.
    public var uuidChangedStores: (oldValue: NSPersistentStore, newValue: NSPersistentStore)? {
        changes.changed.count < 2 ? nil : (changes.changed[0], changes.changed[1])
    }

    /// Returns the message of a notification, or nil if the notification has another name or no coordinator.
    public static func makeMessage(_ notification: Notification) -> Self? {
        guard notification.name == name,
            let coordinator = notification.object as? NSPersistentStoreCoordinator
        else { return nil }
        return Self(StoreChanges(notification, of: coordinator))
    }

    /// Returns the notification that corresponds to a message.
    public static func makeNotification(_ message: Self) -> Notification {
        Notification(
            name: name, object: message.persistentStoreCoordinator, userInfo: message.changes.userInfo)
    }
}

extension NSPersistentStoreCoordinator {
    /// The message that the stores of a coordinator changed, posted if they changed on the main queue.
    public struct StoresDidChangeMessage: StoresMessage, MainActorNotificationMessage {
        /// The stores that were added, removed or exchanged.
        public let changes: StoreChanges

        /// Makes a message from the changes of a notification.
        public init(_ changes: StoreChanges) { self.changes = changes }
    }

    /// The message that the stores of a coordinator changed, on any queue.
    public struct StoresDidChangeAsyncMessage: StoresMessage, AsyncNotificationMessage {
        /// The stores that were added, removed or exchanged.
        public let changes: StoreChanges

        /// Makes a message from the changes of a notification.
        public init(_ changes: StoreChanges) { self.changes = changes }
    }

    /// The message that a commit changed a store, by this coordinator, another one or another process.
    ///
    /// Several commits may be one message, with the token of the last commit. Unlike Apple's: every change of
    /// the file is announced; if the system has no inotify watch left, the file is checked only every half
    /// second.
    public struct RemoteChangeMessage: AsyncNotificationMessage {
        /// The subject of an observation: a coordinator, or its type for all coordinators.
        public typealias Subject = NSPersistentStoreCoordinator
        /// The notification that the message stands for.
        public static var name: Notification.Name { .NSPersistentStoreRemoteChange }

        /// The coordinator that has the store.
        public let persistentStoreCoordinator: NSPersistentStoreCoordinator
        /// The identifier of the store.
        public let storeUUID: String
        /// The place of the store.
        public let storeURL: URL
        /// The moment in the history right after the last of the commits; nil if the store keeps no history.
        public let historyToken: NSPersistentHistoryToken?

        /// Returns the message of a notification, or nil if the notification has another name or lacks
        /// coordinator or store.
        public static func makeMessage(_ notification: Notification) -> Self? {
            guard notification.name == name,
                let coordinator = notification.object as? NSPersistentStoreCoordinator,
                let uuid = notification.userInfo?[NSStoreUUIDKey] as? String,
                let url = notification.userInfo?[NSPersistentStoreURLKey] as? URL
            else { return nil }
            return Self(
                persistentStoreCoordinator: coordinator, storeUUID: uuid, storeURL: url,
                historyToken: notification.historyToken)
        }

        /// Returns the notification that corresponds to a message.
        public static func makeNotification(_ message: Self) -> Notification {
            var info: [AnyHashable: Any] = [
                NSStoreUUIDKey: message.storeUUID, NSPersistentStoreURLKey: message.storeURL,
            ]
            info[NSPersistentHistoryTokenKey] = message.historyToken
            return Notification(name: name, object: message.persistentStoreCoordinator, userInfo: info)
        }
    }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSPersistentStoreCoordinator.StoresDidChangeMessage> {
    /// The identifier of messages that the stores of a coordinator changed, on the main queue.
    public static var storesDidChange: Self { Self() }
}

extension NotificationCenter.MessageIdentifier
where
    Self == NotificationCenter.BaseMessageIdentifier<
        NSPersistentStoreCoordinator.StoresDidChangeAsyncMessage
    >
{
    /// The identifier of messages that the stores of a coordinator changed, on any queue.
    public static var storesDidChangeAsync: Self { Self() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSPersistentStoreCoordinator.RemoteChangeMessage> {
    /// The identifier of messages that a commit changed a store.
    public static var remoteChange: Self { Self() }
}
#endif
