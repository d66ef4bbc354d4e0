import CoreDataStore
import CoreDataValues
public import Foundation

extension NSPersistentStoreCoordinator {
    public final var persistentStores: [NSPersistentStore] { handles.map(\.store) }

    public final func persistentStore(for URL: URL) -> NSPersistentStore? {
        let path = URL.standardizedFileURL.path
        return persistentStores.first { $0.url?.standardizedFileURL.path == path }
    }

    public final func url(for store: NSPersistentStore) -> URL {
        store.url ?? URL(fileURLWithPath: "/dev/null")
    }

    // MARK: Adding

    /// Opens a store, making it if it does not exist.
    @discardableResult
    public final func addPersistentStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        let store = try open(storeType, configuration, storeURL, options ?? [:])
        store.didAdd(to: self)
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorStoresDidChange, object: self,
            userInfo: [NSAddedPersistentStoresKey: [store]])
        return store
    }

    @discardableResult
    public final func addPersistentStore(
        type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try addPersistentStore(
            ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
    }

    /// Opens the store a description describes and calls the block, on this thread or, asynchronously, on another.
    public final func addPersistentStore(
        with storeDescription: NSPersistentStoreDescription,
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        let add = { [self] in
            do {
                try addPersistentStore(
                    ofType: storeDescription.type, configurationName: storeDescription.configuration,
                    at: storeDescription.url, options: storeDescription.options)
                block(storeDescription, nil)
            } catch {
                block(storeDescription, error)
            }
        }
        if storeDescription.shouldAddStoreAsynchronously { perform(add) } else { add() }
    }

    private final func open(
        _ type: String, _ configuration: String?, _ url: URL?, _ options: [AnyHashable: Any]
    ) throws -> NSPersistentStore {
        let entities = try entities(of: configuration)
        let isInMemory = type == NSInMemoryStoreType || url?.path == "/dev/null"
        guard type == NSSQLiteStoreType || type == NSInMemoryStoreType else {
            throw CoreDataError.error(
                NSPersistentStoreInvalidTypeError,
                reason: "Stores of type \"\(type)\" are not supported; supported are SQLite and InMemory.")
        }
        guard let url = url ?? (isInMemory ? URL(fileURLWithPath: "/dev/null") : nil) else {
            throw CoreDataError.error(
                NSPersistentStoreOpenError, reason: "A store of type \(type) needs a URL.")
        }
        if !isInMemory, let present = persistentStore(for: url), present.type == type { return present }
        let store = SQLiteStore(
            persistentStoreCoordinator: self, configurationName: configuration, at: url, options: options)
        store.typeName = type
        let backend = try store.open(model: frozen, entities: entities, isInMemory: isInMemory)
        let cache = RowCache(model: frozen)
        register {
            StoreHandle(index: $0, store: store, backend: backend, cache: cache, entities: entities)
        }
        return store
    }

    private final func entities(of configuration: String?) throws -> Set<EntityIndex>? {
        guard let configuration, configuration != "PF_DEFAULT_CONFIGURATION_NAME" else { return nil }
        guard let entities = managedObjectModel.entities(forConfigurationName: configuration) else {
            throw CoreDataError.error(
                NSPersistentStoreOpenError,
                reason: "Unsupported configuration name: the model has no configuration \"\(configuration)\"."
            )
        }
        return Set(entities.compactMap { frozen.index(of: $0) })
    }

    // MARK: Removing

    /// Closes a store. Its objects become unusable.
    public final func remove(_ store: NSPersistentStore) throws {
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorWillRemoveStore, object: self,
            userInfo: [NSRemovedPersistentStoresKey: [store]])
        store.willRemove(from: self)
        guard let handle = unregister(store) else {
            throw CoreDataError.error(
                NSPersistentStoreOperationError, reason: "The store is not one of this coordinator's.")
        }
        handle.backend.close()
        store.persistentStoreCoordinator = nil
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorStoresDidChange, object: self,
            userInfo: [NSRemovedPersistentStoresKey: [store]])
    }

    // MARK: Files

    /// Deletes a store's files, and everything in it.
    public final func destroyPersistentStore(
        at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
    ) throws {
        guard storeType == NSSQLiteStoreType else {
            throw CoreDataError.error(
                NSPersistentStoreInvalidTypeError,
                reason: "Stores of type \"\(storeType)\" are not supported.")
        }
        if let store = persistentStore(for: url) { try remove(store) }
        try SQLiteStore.removeFiles(at: url)
    }

    public final func destroyPersistentStore(
        at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
    ) throws {
        try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
    }

    // MARK: Metadata

    public final func metadata(for store: NSPersistentStore) -> [String: Any] {
        var metadata = store.metadata ?? [:]
        metadata[NSStoreUUIDKey] = store.identifier
        return metadata
    }

    /// Changes a store's metadata; written at once.
    public final func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
        store.metadata = metadata ?? [:]
    }

    public class func metadataForPersistentStore(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try NSPersistentStore.metadataForPersistentStore(with: url)
    }

    public class func metadataForPersistentStore(
        type storeType: NSPersistentStore.StoreType, at storeURL: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try NSPersistentStore.metadataForPersistentStore(with: storeURL)
    }

    public class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try NSPersistentStore.setMetadata(metadata, forPersistentStoreAt: url)
    }

    public class func setMetadata(
        _ metadata: [String: Any]?, type storeType: NSPersistentStore.StoreType, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try NSPersistentStore.setMetadata(metadata, forPersistentStoreAt: storeURL)
    }
}
