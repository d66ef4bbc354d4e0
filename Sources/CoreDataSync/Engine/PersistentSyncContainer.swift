public import CoreData
internal import Foundation
internal import Synchronization

/// A persistent container whose stores are synced.
///
/// Its store descriptions get the history and the notifications that syncing needs. Syncing begins when a
/// store is loaded.
open class PersistentSyncContainer: NSPersistentContainer, @unchecked Sendable {
    /// Returns how a store is synced; nil for one that is not.
    public typealias Options = @Sendable (NSPersistentStoreDescription) throws -> SyncOptions?

    private let options: Options
    private let hub = SyncHub()
    private let synchronizers = Mutex<[ObjectIdentifier: StoreSynchronizer]>([:])

    /// Makes a container with the model of that name among the program's resources.
    public convenience init(name: String, sync options: SyncOptions) {
        let model = NSPersistentContainer(name: name).managedObjectModel
        self.init(name: name, managedObjectModel: model, sync: options)
    }

    /// Makes a container for a model.
    public init(name: String, managedObjectModel model: NSManagedObjectModel, sync options: SyncOptions) {
        self.options = { _ in options }
        super.init(name: name, managedObjectModel: model)
    }

    /// Makes a container for a model, whose stores are synced each in a way of its own: with zones of their own, such as
    /// one that several users share.
    ///
    /// - Parameters:
    ///   - name: The name of the container, and of the store's file unless descriptions name another one.
    ///   - model: The model of all stores.
    ///   - options: Returns how a store is synced. What it throws is the error with which the store is loaded.
    public init(
        name: String, managedObjectModel model: NSManagedObjectModel, sync options: @escaping Options
    ) {
        self.options = options
        super.init(name: name, managedObjectModel: model)
    }

    /// Opens a store for every description, and begins to sync it.
    ///
    /// - Parameter block: Called once for each description, also with a `StoreSyncError` if the store cannot be
    ///   synced. What keeps syncing from starting later is in `syncStatus`.
    open override func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        for description in persistentStoreDescriptions {
            let isOn = NSNumber(value: true)
            description.setOption(isOn, forKey: NSPersistentHistoryTrackingKey)
            description.setOption(isOn, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        }
        super.loadPersistentStores { [self] description, error in
            if let error { return block(description, error) }
            do {
                try sync(description)
                block(description, nil)
            } catch {
                block(description, error)
            }
        }
    }

    private func sync(_ description: NSPersistentStoreDescription) throws {
        let coordinator = persistentStoreCoordinator
        guard let url = description.url, let store = coordinator.persistentStore(for: url),
            let options = try options(description)
        else { return }
        let synchronizer = try StoreSynchronizer(store, in: coordinator, options: options)
        synchronizers.withLock { $0[ObjectIdentifier(store)] = synchronizer }
        Task { [hub] in await hub.start(synchronizer) }
    }

    /// Returns the synchronizer of a store that was loaded; nil for one that is not synced.
    public func synchronizer(of store: NSPersistentStore) -> StoreSynchronizer? {
        synchronizers.withLock { $0[ObjectIdentifier(store)] }
    }

    /// The synchronizer of the container's store; of the first one, if there are several. Waits until a store
    /// is loaded.
    public var synchronizer: StoreSynchronizer {
        get async { await hub.first }
    }

    /// The states of the first store's synchronizer; the present one comes first.
    public var syncStatus: AsyncStream<SyncStatus> { stream { $0.status } }

    /// The issues of the first store that were not acknowledged, again whenever one comes or goes; the
    /// present ones come first.
    public var syncIssues: AsyncStream<SyncIssues> { stream { $0.issueUpdates } }

    /// Returns a stream of the first synchronizer, as soon as there is one.
    private func stream<Value: Sendable>(
        _ source: @escaping @Sendable (StoreSynchronizer) -> AsyncStream<Value>
    ) -> AsyncStream<Value> {
        AsyncStream { [hub] continuation in
            let task = Task {
                for await value in source(await hub.first) { continuation.yield(value) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

/// The synchronizers of a container.
private actor SyncHub {
    private var synchronizers: [StoreSynchronizer] = []
    private var waiting: [CheckedContinuation<StoreSynchronizer, Never>] = []

    /// Starts a synchronizer. Why it does not start is in its status.
    func start(_ synchronizer: StoreSynchronizer) async {
        synchronizers.append(synchronizer)
        for continuation in waiting { continuation.resume(returning: synchronizers[0]) }
        waiting = []
        try? await synchronizer.start()
    }

    var first: StoreSynchronizer {
        get async {
            if let first = synchronizers.first { return first }
            return await withCheckedContinuation { waiting.append($0) }
        }
    }
}
