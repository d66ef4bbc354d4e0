import CoreDataModelFormat
import CoreDataValues
import Foundation

/// The migration of a coordinator's store by a copy beside it, which replaces the store when it is complete.
///
/// A process that dies, fails or runs out of space before that leaves the store as it was. Writes of other
/// connections meanwhile are not lost: see `ReplacedStore`.
struct CopyingMigration {
    private let store: NSPersistentStore
    private let url: URL
    /// The metadata of the store.
    private let metadata: [String: Any]
    private let storeClass: NSPersistentStore.Type

    init(_ store: NSPersistentStore, at url: URL, _ metadata: [String: Any]) {
        self.store = store
        self.url = url
        self.metadata = metadata
        storeClass = type(of: store)
    }

    /// Makes the copy and puts it in the place of the store.
    ///
    /// - Parameters:
    ///   - entityNames: The entities of the new model that belong to the store's configuration; nil for all.
    ///   - evolution: The change of models that the mapping was inferred from; nil for a mapping that the app
    ///     has written.
    ///   - backup: The backup to be kept before anything is done.
    /// - Throws: An error of kind `overtaken` if another process has changed the store meanwhile.
    func run(
        _ mapping: NSMappingModel, from source: NSManagedObjectModel, to destination: NSManagedObjectModel,
        _ entityNames: Set<String>?, inferredFrom evolution: ModelEvolution? = nil,
        backup: MigrationBackup? = nil
    ) throws {
        guard !store.isReadOnly else {
            throw CoreDataError.error(
                CocoaError.Code.fileWriteNoPermission.rawValue,
                reason: "A store that is opened read-only cannot be migrated.", [filePathKey: url.path])
        }
        let replaced = try store.reservedForReplacement(at: url)
        defer { replaced.release() }
        try requireVersion()
        try backup?.keep()
        let draft = try StoreDraft(of: storeClass, for: url)
        var location = StoreLocation(draft.url, store.addedType, store.options)
        location.entityNames = entityNames
        location.identifier = metadata[NSStoreUUIDKey] as? String
        location.unfinishedStage = store.options?[UnfinishedStageKey] as? String
        let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
        // A migration in place has been tried already.
        manager.usesStoreSpecificMigrationManager = false
        try manager.migrate(
            StoreLocation(url, store.addedType, store.options), to: location, mapping,
            store.options.isSet(PersistentStoreMigrationVerificationKey)
                ? CopyVerification(evolution: evolution) : nil)
        try withExtendedLifetime(draft) { try replaced.replace(with: draft.url) }
    }

    /// Throws if another process has changed the version of the store meanwhile.
    private func requireVersion() throws {
        guard storeClass.isShared else { return }
        let current = StoreMetadata(try storeClass.metadataForPersistentStore(with: url))
        try current.requireVersion(of: StoreMetadata(metadata), at: url)
    }
}
