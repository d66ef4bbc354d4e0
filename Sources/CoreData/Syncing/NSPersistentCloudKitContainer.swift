public import Foundation

/// A container whose stores are synced with those of other devices, if their descriptions have
/// `cloudKitContainerOptions`.
///
/// The default description has: their identifier is the container's name.
///
/// Unlike Apple's: there is no CloudKit. The product `CoreDataSync` syncs the stores by a server that anybody
/// can run; without it, loading such a store is an error that names the product. What takes types of CloudKit
/// is absent.
open class NSPersistentCloudKitContainer: NSPersistentContainer, @unchecked Sendable {
    /// Posted by a container when an event begins and when it ends, with the event in `userInfo`.
    public static let eventChangedNotification = NSNotification.Name(
        "NSPersistentCloudKitContainerEventChangedNotification")
    /// The key of the event in a notification's `userInfo`.
    public static let eventNotificationUserInfoKey = "event"

    /// Makes a container for a model, which is immutable from then on.
    ///
    /// Traps on a model that cannot be used, naming every fault.
    public override init(name: String, managedObjectModel model: NSManagedObjectModel) {
        super.init(name: name, managedObjectModel: model)
        let options = NSPersistentCloudKitContainerOptions(containerIdentifier: name)
        persistentStoreDescriptions.first?.cloudKitContainerOptions = options
    }

    /// Opens a store for every description, and makes those that do not exist. Those with
    /// `cloudKitContainerOptions` get a history and notifications of remote changes, and are synced from then
    /// on.
    ///
    /// - Parameter block: Called once for each description: with the error of
    ///   `NSPersistentContainer.loadPersistentStores(completionHandler:)`; with 134060 (`NSCoreDataError`),
    ///   before the store is opened, if nothing syncs stores; or with the error that says why the store, which
    ///   is open, cannot be synced.
    open override func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        for description in persistentStoreDescriptions {
            guard let options = description.cloudKitContainerOptions else {
                load(description, block)
                continue
            }
            do {
                let syncing = try Self.requireSyncing()
                load(description, syncedWith: options.containerIdentifier, by: syncing, block)
            } catch {
                block(description, error)
            }
        }
    }

    private func load(
        _ description: NSPersistentStoreDescription, syncedWith identifier: String,
        by syncing: any PersistentStoreSyncing,
        _ block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        let isOn = NSNumber(value: true)
        description.setOption(isOn, forKey: NSPersistentHistoryTrackingKey)
        description.setOption(isOn, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        load(description) { [self] description, error in
            if let error { return block(description, error) }
            do {
                try sync(description, with: identifier, by: syncing)
                block(description, nil)
            } catch {
                block(description, error)
            }
        }
    }

    private func sync(
        _ description: NSPersistentStoreDescription, with identifier: String,
        by syncing: any PersistentStoreSyncing
    ) throws {
        let coordinator = persistentStoreCoordinator
        guard let url = description.url, let store = coordinator.persistentStore(for: url) else { return }
        let log = coordinator.syncLog
        let storeIdentifier = store.identifier ?? ""
        try syncing.sync(store, in: coordinator, containerIdentifier: identifier) { [weak self] step in
            for event in log.note(step, of: storeIdentifier) { self?.post(event) }
        }
    }

    private func post(_ event: Event) {
        NotificationCenter.default.post(
            name: Self.eventChangedNotification, object: self,
            userInfo: [Self.eventNotificationUserInfoKey: event])
    }

    // MARK: Schema

    /// Checks that the entities of all stores with `cloudKitContainerOptions` can be synced. The server
    /// learns the model when it is first asked.
    ///
    /// - Throws: 134060 (`NSCoreDataError`) if nothing syncs stores, or an error that names what cannot be synced.
    open func initializeCloudKitSchema(
        options: NSPersistentCloudKitContainerSchemaInitializationOptions = []
    ) throws {
        let syncing = try Self.requireSyncing()
        for description in persistentStoreDescriptions where description.cloudKitContainerOptions != nil {
            let model = managedObjectModel
            let schema = try syncing.schema(
                of: model.entities(forConfigurationName: description.configuration) ?? model.entities)
            if options.contains(.printSchema) { print(schema) }
        }
    }

    // MARK: Rights

    /// Returns whether an object may be changed: whether its store may be.
    ///
    /// Unlike Apple's: what a server's policy denies for single entities comes back as rejections, in the issues of the
    /// store's synchronizer.
    open func canUpdateRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool {
        objectID.persistentStore.map(canModifyManagedObjects) ?? true
    }

    /// Returns whether an object may be deleted: whether its store may be changed.
    open func canDeleteRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool {
        objectID.persistentStore.map(canModifyManagedObjects) ?? true
    }

    /// Returns whether a store may be changed: whether it is this container's and not read-only, and the server has
    /// not said that this user only reads what the store is synced with.
    open func canModifyManagedObjects(in store: NSPersistentStore) -> Bool {
        persistentStoreCoordinator.persistentStores.contains { $0 === store } && !store.isReadOnly
            && Self.syncing?.mayChange(store) ?? true
    }
}

/// The options of `NSPersistentCloudKitContainer.initializeCloudKitSchema(options:)`.
public struct NSPersistentCloudKitContainerSchemaInitializationOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt

    /// Makes options from bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Only checks. It never does more.
    public static let dryRun = Self(rawValue: 1 << 1)
    /// Prints what is synced.
    public static let printSchema = Self(rawValue: 1 << 2)
}
