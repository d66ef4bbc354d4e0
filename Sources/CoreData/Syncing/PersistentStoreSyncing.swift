import Foundation
import Synchronization

/// What keeps the stores of an `NSPersistentCloudKitContainer` equal with those of other devices.
///
/// The product `CoreDataSync` has one: `SyncDefaults.use(_:)` provides it. The framework itself has none.
public protocol PersistentStoreSyncing: Sendable {
    /// Returns the entities as they are synced, as text for people.
    ///
    /// - Throws: An error that names what cannot be synced.
    func schema(of entities: [NSEntityDescription]) throws -> String

    /// Begins to sync a store that was just opened. It keeps a history and posts remote changes.
    ///
    /// - Parameters:
    ///   - store: The store, which is open.
    ///   - coordinator: The coordinator of the store.
    ///   - containerIdentifier: The name in the options of the store's description.
    ///   - report: To be called with what is being done, in its order.
    /// - Throws: An error that says why the store cannot be synced.
    func sync(
        _ store: NSPersistentStore, in coordinator: NSPersistentStoreCoordinator, containerIdentifier: String,
        report: @escaping @Sendable (PersistentStoreSyncStep) -> Void
    ) throws

    /// Returns whether the user may change what is in a store, as far as that is known.
    func mayChange(_ store: NSPersistentStore) -> Bool
}

/// What a store's synchronization does.
public enum PersistentStoreSyncStep: Sendable {
    /// It does something of that kind. What was being done before has ended well.
    case began(NSPersistentCloudKitContainer.EventType)
    /// So much of it is left to be done.
    case left(Int)
    /// It rests, after an error or without.
    case ended((any Error)?)
}

extension NSPersistentCloudKitContainer {
    private static let provider = Mutex<(any PersistentStoreSyncing)?>(nil)

    /// What syncs the stores of all containers of this class; nil until the app has chosen it.
    public static var syncing: (any PersistentStoreSyncing)? {
        get { provider.withLock { $0 } }
        set { provider.withLock { $0 = newValue } }
    }

    /// Returns what syncs stores.
    ///
    /// - Throws: An error that names the product which has it.
    static func requireSyncing() throws -> any PersistentStoreSyncing {
        if let syncing { return syncing }
        throw CoreDataError.error(
            NSCoreDataError,
            reason: "A store with cloudKitContainerOptions needs the product CoreDataSync: add it, and call "
                + "SyncDefaults.use(_:) before stores are loaded, or set cloudKitContainerOptions to nil.")
    }
}
