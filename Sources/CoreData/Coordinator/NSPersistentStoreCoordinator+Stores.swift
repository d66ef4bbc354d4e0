import CoreDataStore
import CoreDataValues
import Foundation

extension NSPersistentStoreCoordinator {
    final func basePersistentStore(for url: URL) -> NSPersistentStore? {
        persistentStores.first { $0.url?.isSamePlace(as: url) ?? false }
    }

    // MARK: Adding

    final func baseAddPersistentStore(
        _ type: String, _ configuration: String?, _ url: URL?, _ options: [AnyHashable: Any],
        mustExist: Bool = false
    ) throws -> NSPersistentStore {
        let store = try open(type, configuration, url, options, mustExist: mustExist)
        store.didAdd(to: self)
        ValueTransforms.reportMissing(in: frozen)
        announceStores([NSAddedPersistentStoresKey: [store]])
        return store
    }

    final func announceStores(_ changes: [AnyHashable: Any]) {
        NotificationCenter.default.announce(.NSPersistentStoreCoordinatorStoresDidChange, of: self, changes)
    }

    final func baseAddPersistentStore(
        _ description: NSPersistentStoreDescription,
        _ block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        let add = { [self] in
            do {
                try addPersistentStore(
                    ofType: description.type, configurationName: description.configuration,
                    at: description.url, options: description.options)
                block(description, nil)
            } catch {
                block(description, error)
            }
        }
        if description.shouldAddStoreAsynchronously { perform(add) } else { add() }
    }

    /// Opens a store without announcing it.
    ///
    /// - Parameter former: The store whose place it takes; its backend goes on until it is closed.
    final func open(
        _ type: String, _ configuration: String?, _ url: URL?, _ options: [AnyHashable: Any],
        inPlaceOf former: StoreHandle? = nil, mustExist: Bool = false
    ) throws -> NSPersistentStore {
        try ProfileSetting.begin(options)
        let storeClass = try StoreTypes.storeClass(type)
        let entities = try entities(
            of: configuration,
            storedWith: url.flatMap { try? storeClass.metadataForPersistentStore(with: $0) })
        let isNowhere = storeClass == MemoryStore.self || url?.isNowhere == true
        guard let url = url ?? (isNowhere ? URL.nowhere : nil) else {
            throw CoreDataError.error(
                NSPersistentStoreOpenError, reason: "A store of type \(type) needs a URL.")
        }
        if !isNowhere, let present = persistentStore(for: url), present.type == type { return present }
        let store = storeClass.init(
            _adding: self, configurationName: configuration, at: url, options: options)
        store.addedType = type
        store.mustExist = mustExist
        try open(store, entities, inPlaceOf: former)
        return store
    }

    final func open(
        _ store: NSPersistentStore, _ entities: Set<EntityIndex>?, inPlaceOf former: StoreHandle?
    ) throws {
        let backend = try openMigrating(store, entities)
        let cache = RowCache(model: frozen, keepsNewer: backend.readsMayOvertake)
        func handle(_ index: Int16) -> StoreHandle {
            StoreHandle(index: index, store: store, backend: backend, cache: cache, entities: entities)
        }
        let new: StoreHandle
        if let former {
            new = handle(former.index)
            shelf.replace(new)
        } else {
            new = shelf.add(handle)
        }
        do {
            try announceChanges(of: new)
        } catch {
            if let former { shelf.replace(former) } else { _ = shelf.remove(store) }
            backend.close()
            throw translated(error)
        }
        // A migration has noted its own models meanwhile; the coordinator's has to be the last one noted.
        LiveModels.noteUse(of: frozen)
    }

    /// Opens a store, and migrates it first if it is of another version of the model and its options ask for
    /// that.
    private final func openMigrating(
        _ store: NSPersistentStore, _ entities: Set<EntityIndex>?
    ) throws -> any StoreBackend {
        if let url = store.url, !store.isReadOnly { type(of: store).removeLeftovers(at: url) }
        let migrator = StoreMigrator(store: store, coordinator: self, entities: entities)
        let staged = StagedMigration(store, to: managedObjectModel)
        var attempts = 0
        while true {
            do {
                if let staged, staged.isUnfinished { try staged.run() }
                do {
                    return try store.open(frozen, entities)
                } catch {
                    guard StoreMigrator.isVersionMismatch(error), staged != nil || migrator.isAsked else {
                        throw error
                    }
                    if let staged {
                        try staged.run(after: error as NSError)
                    } else {
                        try migrator.migrate(after: error as NSError)
                    }
                }
                return try store.open(frozen, entities)
            } catch let error as StoreError {
                // Another process has migrated or changed the store meanwhile: its version tells what is
                // left to do.
                attempts += 1
                guard case .overtaken = error.kind, attempts < Self.mostAttempts else {
                    throw error.nsError()
                }
            }
        }
    }

    /// How often opening starts again because another process changed the store, before it fails with an
    /// error that says so.
    private static var mostAttempts: Int { 8 }

    final func entities(
        of configuration: String?, storedWith metadata: @autoclosure () -> [String: Any]?
    ) throws -> Set<EntityIndex>? {
        guard let configuration, configuration != "PF_DEFAULT_CONFIGURATION_NAME" else { return nil }
        guard let entities = managedObjectModel.entities(of: configuration, storedWith: metadata()) else {
            throw CoreDataError.error(
                NSPersistentStoreOpenError,
                reason: "Unsupported configuration name: the model has no configuration \"\(configuration)\"."
            )
        }
        return Set(entities.compactMap { frozen.index(of: $0) })
    }

    // MARK: Removing

    final func baseRemove(_ store: NSPersistentStore) throws {
        NotificationCenter.default.announce(
            .NSPersistentStoreCoordinatorWillRemoveStore, of: store, [NSRemovedPersistentStoresKey: [store]])
        store.willRemove(from: self)
        guard let handle = shelf.remove(store) else {
            throw CoreDataError.error(
                NSPersistentStoreOperationError, reason: "The store is not one of this coordinator's.")
        }
        handle.backend.close()
        store.persistentStoreCoordinator = nil
        announceStores([NSRemovedPersistentStoresKey: [store]])
    }

    final func baseDestroyPersistentStore(at url: URL, _ type: String, _ options: [AnyHashable: Any]) throws {
        let storeClass = try StoreTypes.storeClass(type)
        if storeClass == MemoryStore.self { return }
        if let store = persistentStore(for: url) { try remove(store) }
        try storeClass.removeStore(at: url, options)
    }
}
