internal import CoreData
internal import Foundation

/// The app's store, as the engine reaches it: by contexts of its own.
struct StoreAccess: Sendable {
    let coordinator: NSPersistentStoreCoordinator
    let store: NSPersistentStore
    let identifier: String

    /// The author of imports, by which captures know them.
    static let author = "OpenCoreData.sync"

    /// - Throws: `StoreSyncError.store` for a store that keeps no history, or cannot be written.
    init(_ store: NSPersistentStore, in coordinator: NSPersistentStoreCoordinator) throws {
        try self.init(reading: store, in: coordinator)
        guard !store.isReadOnly else { throw StoreSyncError.store("it is read-only") }
        let isTracked = (store.options?[NSPersistentHistoryTrackingKey] as? NSNumber)?.boolValue ?? false
        guard isTracked else {
            throw StoreSyncError.store("it keeps no history: set NSPersistentHistoryTrackingKey")
        }
    }

    /// Reaches a store that is only read.
    ///
    /// - Throws: `StoreSyncError.store` for a store of a type without a history.
    init(reading store: NSPersistentStore, in coordinator: NSPersistentStoreCoordinator) throws {
        guard store.type == NSSQLiteStoreType else {
            throw StoreSyncError.store("a store of the type \(store.type) keeps no history")
        }
        self.coordinator = coordinator
        self.store = store
        identifier = store.identifier ?? ""
    }

    /// The synced entities of the store.
    var entities: [NSEntityDescription] {
        let model = coordinator.managedObjectModel
        return model.entities(forConfigurationName: store.configurationName) ?? model.entities
    }

    /// Makes a context that sees only what is committed, and merges nothing.
    func makeContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
        context.transactionAuthor = Self.author
        context.mergePolicy = NSErrorMergePolicy
        return context
    }

    /// Where the history ends; nil if it cannot be read.
    var historyEnd: NSPersistentHistoryToken? {
        coordinator.currentPersistentHistoryToken(fromStores: [store])
    }

    /// What migrations have added to the keys of objects, by entities, in their order; nothing for a migration that has
    /// given all objects other keys. Only this framework's stores tell.
    var keyMoves: [[String: Int64]] {
        let moves = coordinator.metadata(for: store)["PersistentStoreKeyMoves"] as? [Any] ?? []
        return moves.map { ($0 as? [String: NSNumber] ?? [:]).mapValues(\.int64Value) }
    }

    /// Notes in the store's metadata how far its history was read, so that its retention spares the rest. Only
    /// this framework's stores look at it.
    func noteHistoryRead(through number: Int64) {
        let key = "PersistentHistoryConsumers"
        var metadata = coordinator.metadata(for: store)
        var consumers = metadata[key] as? [String: Any] ?? [:]
        consumers["CoreDataSync"] = NSNumber(value: number)
        metadata[key] = consumers
        coordinator.setMetadata(metadata, for: store)
    }
}
