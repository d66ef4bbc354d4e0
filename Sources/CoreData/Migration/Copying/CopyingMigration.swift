import CoreDataModelFormat
import CoreDataValues
import Foundation

/// Migrates a store of a coordinator by a copy beside it, which takes its place when it is whole.
///
/// Whoever dies, fails or runs out of space before that leaves the store as it was; what a process that died has left is
/// removed by the next migration of the store. What others would write to it meanwhile is not lost: see `ReplacedStore`.
struct CopyingMigration {
    private let store: NSPersistentStore
    private let url: URL
    /// What the store says of itself.
    private let metadata: [String: Any]
    private let storeClass: NSPersistentStore.Type

    init(_ store: NSPersistentStore, at url: URL, _ metadata: [String: Any]) {
        self.store = store
        self.url = url
        self.metadata = metadata
        storeClass = type(of: store)
    }

    /// - Parameters:
    ///   - entityNames: Of the new model, those of the store's configuration; nil for all.
    ///   - evolution: What the mapping was inferred from; nil for one that somebody has written.
    func run(
        _ mapping: NSMappingModel, from source: NSManagedObjectModel, to destination: NSManagedObjectModel,
        _ entityNames: Set<String>?, inferredFrom evolution: ModelEvolution? = nil
    ) throws {
        guard !store.isReadOnly else {
            throw CoreDataError.error(
                CocoaError.Code.fileWriteNoPermission.rawValue,
                reason: "A store that is opened read-only cannot be migrated.", [filePathKey: url.path])
        }
        let replaced = try store.reservedForReplacement(at: url)
        defer { replaced.release() }
        try requireVersion()
        removeLeftovers(all: replaced.isExclusive)
        let copy = url.deletingLastPathComponent().appendingPathComponent(
            "\(prefix)\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString).store")
        defer { try? storeClass.removeStore(at: copy) }
        var place = StorePlace(copy, store.addedType, store.options)
        place.entityNames = entityNames
        place.identifier = metadata[NSStoreUUIDKey] as? String
        let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
        // What can be done in place has been tried there.
        manager.usesStoreSpecificMigrationManager = false
        try manager.migrate(
            StorePlace(url, store.addedType, store.options), to: place, mapping,
            store.options.isSet(PersistentStoreMigrationVerificationKey)
                ? CopyVerification(evolution: evolution) : nil)
        try replaced.replace(with: copy)
    }

    /// Another process may have been faster.
    private func requireVersion() throws {
        guard storeClass is any FileBasedStore.Type else { return }
        let now = try storeClass.metadataForPersistentStore(with: url)
        let key = NSStoreModelVersionHashesKey
        guard now[key] as? [String: Data] == metadata[key] as? [String: Data] else {
            throw CoreDataError.error(
                NSMigrationError, reason: "The store was migrated by somebody else meanwhile: open it again.",
                [filePathKey: url.path])
        }
    }

    // MARK: Leftovers

    /// What copies of this store are called, but for the process and a unique end.
    private var prefix: String { ".\(url.lastPathComponent).migration-" }

    /// Removes the copies of processes that are gone.
    ///
    /// - Parameter all: Whether nobody else can be at work. A number may be that of another process by now, and is often this
    ///   one's where each start has a system of its own.
    private func removeLeftovers(all: Bool) {
        let folder = url.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.contains(prefix) {
            let rest = name[name.range(of: prefix)!.upperBound...]
            guard let process = Int32(rest.prefix { $0 != "-" }) else { continue }
            let isGone = process == getpid() || kill(process, 0) != 0 && errno == ESRCH
            guard all || isGone else { continue }
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }
}
