#if compiler(>=6.2)
public import Foundation

/// A message on stores that were added to or removed from a coordinator.
public protocol StoresMessage: NotificationMessage where Subject == NSPersistentStoreCoordinator {
    var changes: StoreChanges { get }
    init(_ changes: StoreChanges)
}

/// The stores that came, went, or took another's place.
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
    public static var name: Notification.Name { .NSPersistentStoreCoordinatorStoresDidChange }
    public var persistentStoreCoordinator: NSPersistentStoreCoordinator { changes.coordinator }
    public var addedStores: [NSPersistentStore] { changes.added }
    public var removedStores: [NSPersistentStore] { changes.removed }
    /// A store whose file was moved, before and after; nil if there is none.
    public var uuidChangedStores: (oldValue: NSPersistentStore, newValue: NSPersistentStore)? {
        changes.changed.count < 2 ? nil : (changes.changed[0], changes.changed[1])
    }

    public static func makeMessage(_ notification: Notification) -> Self? {
        guard notification.name == name,
            let coordinator = notification.object as? NSPersistentStoreCoordinator
        else { return nil }
        return Self(StoreChanges(notification, of: coordinator))
    }

    public static func makeNotification(_ message: Self) -> Notification {
        Notification(
            name: name, object: message.persistentStoreCoordinator, userInfo: message.changes.userInfo)
    }
}

extension NSPersistentStoreCoordinator {
    /// The stores of a coordinator changed, on the main queue.
    public struct StoresDidChangeMessage: StoresMessage, MainActorNotificationMessage {
        public let changes: StoreChanges

        public init(_ changes: StoreChanges) { self.changes = changes }
    }

    /// The stores of a coordinator changed, on any queue.
    public struct StoresDidChangeAsyncMessage: StoresMessage, AsyncNotificationMessage {
        public let changes: StoreChanges

        public init(_ changes: StoreChanges) { self.changes = changes }
    }

    /// Somebody committed to a store: this coordinator, another one or another process.
    public struct RemoteChangeMessage: AsyncNotificationMessage {
        public typealias Subject = NSPersistentStoreCoordinator
        public static var name: Notification.Name { .NSPersistentStoreRemoteChange }

        public let persistentStoreCoordinator: NSPersistentStoreCoordinator
        public let storeUUID: String
        public let storeURL: URL
        /// Nil if the store keeps no history.
        public let historyToken: NSPersistentHistoryToken?

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
    public static var storesDidChange: Self { Self() }
}

extension NotificationCenter.MessageIdentifier
where
    Self == NotificationCenter.BaseMessageIdentifier<
        NSPersistentStoreCoordinator.StoresDidChangeAsyncMessage
    >
{
    public static var storesDidChangeAsync: Self { Self() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSPersistentStoreCoordinator.RemoteChangeMessage> {
    public static var remoteChange: Self { Self() }
}
#endif
