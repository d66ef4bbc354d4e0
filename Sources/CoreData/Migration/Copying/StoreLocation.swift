import CoreDataModelFormat
import CoreDataValues
import Foundation

/// A store that takes part in a migration: where it lies and how it is opened.
struct StoreLocation {
    var url: URL
    let type: String
    let options: [AnyHashable: Any]
    /// The entities that the store has; nil for all of the model.
    var entityNames: Set<String>?
    /// The identifier that the store gets if it is made; nil for a new one.
    var identifier: String?
    /// The unfinished stage to note in the store's metadata; nil for none.
    var unfinishedStage: String?

    /// Makes the location of a copy.
    ///
    /// Options that have a store migrated or its history kept are left out: they are meant for the store in
    /// use.
    init(_ url: URL, _ type: String, _ options: [AnyHashable: Any]?) {
        self.url = url
        self.type = type
        self.options = (options ?? [:]).filter { key, _ in
            !Self.ownOptions.contains(key.base as? String ?? "")
        }
    }

    private static let ownOptions: Set<String> = [
        NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption,
        NSPersistentStoreStagedMigrationManagerOptionKey,
        NSPersistentStoreDeferredLightweightMigrationOptionKey,
        PersistentStoreMigrationBackupKey, PersistentStoreMigrationVerificationKey,
        PersistentStoreMigrationSourceModelKey,
        NSPersistentHistoryTrackingKey, PersistentHistoryRetentionKey, NSReadOnlyPersistentStoreOption,
    ]

    /// The metadata of the store; nil if it has none before it is opened.
    var metadata: [String: Any]? {
        guard url.mayHaveStore else { return nil }
        return try? StoreTypes.storeClass(type).metadataForPersistentStore(with: url)
    }

    /// Returns whether a store can be made at the location.
    ///
    /// Throws if something else is there.
    func isFree() throws -> Bool {
        guard FileManager.default.fileExists(atPath: url.path) else { return true }
        do {
            _ = try StoreTypes.storeClass(type).metadataForPersistentStore(with: url)
            return false
        } catch CocoaError.fileReadNoSuchFile {
            return true
        }
    }

    /// Whether the store consists of files of a format that this framework reads.
    var isFileBased: Bool { (try? StoreTypes.storeClass(type)) is any FileBasedStore.Type }

    /// Whether the store is a SQLite file.
    var isSQLite: Bool { (try? StoreTypes.storeClass(type)) == SQLiteStore.self }

    /// Whether a save writes only the changed rows of the store, not the whole store.
    var isWrittenPiecewise: Bool { (try? StoreTypes.storeClass(type)) is DatabaseStore.Type }
}

extension NSPersistentStoreCoordinator {
    /// Opens a store for a migration.
    final func open(_ location: StoreLocation, isReadOnly: Bool = false) throws -> NSPersistentStore {
        var options = location.options
        if isReadOnly { options[NSReadOnlyPersistentStoreOption] = true as NSNumber }
        let store = try StoreTypes.storeClass(location.type).init(
            _adding: self, configurationName: nil, at: location.url, options: options)
        store.addedType = location.type
        if let identifier = location.identifier { store.identifier = identifier }
        let entities = location.entityNames.map { Set($0.compactMap { frozen.compiled.indexByName[$0] }) }
        try open(store, entities, inPlaceOf: nil)
        store.didAdd(to: self)
        return store
    }
}
