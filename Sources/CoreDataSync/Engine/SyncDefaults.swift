public import CoreData
internal import CoreDataSyncCore
internal import Foundation
internal import Synchronization

/// How the stores of every `NSPersistentCloudKitContainer` are synced.
public enum SyncDefaults {
    /// Returns how a store is synced, by the identifier in its description's options and its model.
    public typealias Options =
        @Sendable (
            _ containerIdentifier: String, _ model: NSManagedObjectModel
        ) throws -> SyncOptions

    /// Has the stores synced that are loaded from now on.
    ///
    /// ```swift
    /// SyncDefaults.use { identifier, model in
    ///     SyncOptions(
    ///         transport: try HTTPSyncTransport(server: url, zone: identifier, model: model, token: login))
    /// }
    /// ```
    public static func use(_ options: @escaping Options) {
        NSPersistentCloudKitContainer.syncing = ContainerSyncing(options: options)
    }

    private static let synchronizers = Mutex<[ObjectIdentifier: StoreSynchronizer]>([:])

    /// Returns the synchronizer of a store that such a container has loaded; nil for another store.
    public static func synchronizer(of store: NSPersistentStore) -> StoreSynchronizer? {
        synchronizers.withLock { $0[ObjectIdentifier(store)] }
    }

    fileprivate static func note(_ synchronizer: StoreSynchronizer, of store: NSPersistentStore) {
        // A synchronizer keeps its store, so that no other one gets the identifier.
        synchronizers.withLock { $0[ObjectIdentifier(store)] = synchronizer }
    }
}

/// What syncs the stores of containers, as the app has said.
private struct ContainerSyncing: PersistentStoreSyncing {
    let options: SyncDefaults.Options

    func schema(of entities: [NSEntityDescription]) throws -> String {
        let schema = try ModelBinding(entities).schema
        return schema.entities.values.sorted { $0.name < $1.name }.map { entity in
            let names = entity.values.map(\.name) + entity.collections.keys.sorted()
            return ([entity.name] + names.map { "    " + $0 }).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    func sync(
        _ store: NSPersistentStore, in coordinator: NSPersistentStoreCoordinator, containerIdentifier: String,
        report: @escaping @Sendable (PersistentStoreSyncStep) -> Void
    ) throws {
        let options = try options(containerIdentifier, coordinator.managedObjectModel)
        let synchronizer = try StoreSynchronizer(store, in: coordinator, options: options)
        SyncDefaults.note(synchronizer, of: store)
        let statuses = synchronizer.status
        report(.began(.setup))
        Task {
            do {
                try await synchronizer.start()
                report(.ended(nil))
            } catch {
                report(.ended(error))
            }
            for await status in statuses { for step in status.steps { report(step) } }
        }
    }

    func mayChange(_ store: NSPersistentStore) -> Bool {
        SyncDefaults.synchronizer(of: store)?.role?.mayWrite ?? true
    }
}

extension SyncStatus {
    /// The steps that a container's events tell of.
    fileprivate var steps: [PersistentStoreSyncStep] {
        switch self {
        case .working: []
        case .pulling: [.began(.import)]
        case .importing(let count): [.began(.import), .left(count)]
        case .pushing(let count): [.began(.export), .left(count)]
        case .upToDate, .stopped(reason: nil): [.ended(nil)]
        case .needsDecision(let count): [.ended(SyncFailure.undecided(objects: count))]
        case .elsewhere(let zone): [.ended(SyncFailure.elsewhere(zone))]
        case .outdated(let version): [.ended(SyncFailure.outdated(version))]
        case .waiting(_, let reason), .stopped(let reason?): [.ended(SyncFailure(reason: reason))]
        }
    }
}
