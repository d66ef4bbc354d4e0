import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
public import Foundation
import Synchronization

/// The link between contexts and stores: it has the model, opens stores, holds the rows that contexts share,
/// and turns URIs into object IDs.
///
/// Safe to use from any thread. The class body has what subclasses override; the work is in the extensions.
open class NSPersistentStoreCoordinator: NSObject, NSLocking, @unchecked Sendable {
    private let model: NSManagedObjectModel
    final let frozen: FrozenModel
    final let shelf = StoreShelf()
    final let syncLog = SyncLog()
    final let merging = MergingContexts(turns: .shared)
    final let foreignCommits = ForeignCommits()
    final let queue = BlockQueue(.privateQueueConcurrencyType)
    private let nameStorage = Mutex<String?>(nil)
    final let link = Backlink<NSPersistentStoreCoordinator>()
    private let recursiveLock = NSRecursiveLock()

    /// Makes a coordinator for a model, which is immutable from then on.
    ///
    /// Traps on a model that cannot be used, naming every fault.
    public init(managedObjectModel model: NSManagedObjectModel) {
        self.model = model
        do {
            frozen = try model.freeze()
        } catch {
            programmerError(
                "The model cannot be used: \((error as NSError).localizedFailureReason ?? "\(error)")")
        }
        super.init()
        link.lead(to: self)
        AppleArchives.prepare()
        LiveModels.noteUse(of: frozen)
    }

    /// Makes a coordinator for a model without entities.
    public convenience override init() {
        self.init(managedObjectModel: NSManagedObjectModel())
    }

    /// The model of the coordinator, which is immutable.
    open var managedObjectModel: NSManagedObjectModel { model }

    /// The coordinator's class, address and name.
    open override var description: String { Printing.head(self, named: name) }

    /// A name for messages and debugging.
    open var name: String? {
        get { nameStorage.withLock { $0 } }
        set { nameStorage.withLock { $0 = newValue } }
    }

    // MARK: Stores

    /// The stores that are open, in the order in which they were added.
    open var persistentStores: [NSPersistentStore] { handles.map(\.store) }

    /// Returns the open store at a URL; nil if there is none.
    open func persistentStore(for URL: URL) -> NSPersistentStore? { basePersistentStore(for: URL) }

    /// Returns the URL of a store; `/dev/null` for one that has none.
    open func url(for store: NSPersistentStore) -> URL { store.url ?? .nowhere }

    /// Moves a store to another URL, and returns whether it could.
    ///
    /// A store in one file, also of an app's own atomic class, goes there with its next save. A SQLite store
    /// reads and writes the file at the URL from now on, which must exist and fit the model; objects that
    /// contexts have keep the values they have read. If the store cannot be moved, it stays where it is and
    /// the log says why.
    open func setURL(_ url: URL, for store: NSPersistentStore) -> Bool { baseSetURL(url, for: store) }

    // MARK: Store classes

    /// The types of stores that can be added, with their classes.
    ///
    /// Unlike Apple's: the values are classes, not `NSValue`s.
    open class var registeredStoreTypes: [String: NSPersistentStore.Type] { StoreTypes.all }

    /// Registers the class of a store type, for all coordinators of the process.
    ///
    /// - Parameters:
    ///   - storeClass: A subclass of `NSAtomicStore` or `NSIncrementalStore`; nil takes the type away. Traps
    ///     for a class that is no store.
    ///   - storeType: The type, as stores of it are added.
    open class func registerStoreClass(_ storeClass: AnyClass?, forStoreType storeType: String) {
        StoreTypes.register(storeClass, as: storeType)
    }

    /// Registers the class of a store type, for all coordinators of the process.
    ///
    /// - Parameters:
    ///   - storeClass: A subclass of `NSAtomicStore` or `NSIncrementalStore`; nil takes the type away. Traps
    ///     for a class that is no store.
    ///   - storeType: The type, as stores of it are added.
    public final class func registerStoreClass(
        _ storeClass: AnyClass?, type storeType: NSPersistentStore.StoreType
    ) {
        registerStoreClass(storeClass, forStoreType: storeType.rawValue)
    }

    /// Opens a store, and makes it if it does not exist.
    ///
    /// A store of another version of the model is migrated first, if the options ask for that. Waits for
    /// other users of the store as long as `NSPersistentStoreTimeoutOption` says. A store of the type that
    /// the coordinator has open at the URL already is returned as it is. Posts
    /// `NSPersistentStoreCoordinatorStoresDidChange`.
    ///
    /// Unlike Apple's: a SQLite store at `/dev/null` is a file in a folder of the process, deleted with the
    /// store. A store that has history continues it, with or without the tracking option. While a SQLite
    /// store migrates by a copy, others may read it. A known fault: processes that make stores of different
    /// types at one place at the same moment can lose one of the stores.
    ///
    /// - Parameters:
    ///   - storeType: `NSSQLiteStoreType` and its siblings, or a registered type.
    ///   - configuration: The configuration of the model whose entities the store holds; nil for all.
    ///   - storeURL: The place of the file; needed unless the store is in memory.
    ///   - options: Values under the keys of store options, `NSReadOnlyPersistentStoreOption` and its
    ///     siblings.
    /// - Throws: In `NSCocoaErrorDomain`, `NSPersistentStoreInvalidTypeError` (134000) for an unknown type;
    ///   `NSPersistentStoreOpenError` (134080) without a URL or for an unknown configuration;
    ///   `NSPersistentStoreIncompatibleVersionHashError` (134100) for a store of another model version that
    ///   is not to be migrated; for a migration that fails `NSMigrationError` (134110),
    ///   `NSMigrationConstraintViolationError` (134111), `NSMigrationMissingSourceModelError` (134130),
    ///   `NSMigrationMissingMappingModelError` (134140), `NSMigrationManagerSourceStoreError` (134150),
    ///   `NSMigrationManagerDestinationStoreError` (134160), `NSEntityMigrationPolicyError` (134170),
    ///   `NSInferredMappingModelError` (134190), `NSManagedObjectModelReferenceNotFoundError` (134504) or
    ///   `NSStagedMigrationBackwardMigrationError` (134506), and `NSPersistentStoreSaveError` (134030) if
    ///   another process keeps changing the file; `NSPersistentStoreTimeoutError` (134090); `NSSQLiteError`
    ///   (134180); `NSCoreDataError` (134060) for a model that the store cannot hold;
    ///   `CocoaError.fileReadCorruptFile` (259) for a file that is no store, `.fileReadNoSuchFile` (260),
    ///   `.fileReadNoPermission` (257), `.fileWriteNoPermission` (513), `.fileWriteUnknown` (512),
    ///   `.fileWriteOutOfSpace` (640); whatever a store of an app's own class throws.
    @discardableResult
    open func addPersistentStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try baseAddPersistentStore(storeType, configuration, storeURL, options ?? [:])
    }

    /// Opens a store, and makes it if it does not exist.
    ///
    /// A store of another version of the model is migrated first, if the options ask for that. Calls the
    /// method with a string for the type, which subclasses override.
    ///
    /// - Throws: The errors of `addPersistentStore(ofType:configurationName:at:options:)`.
    @discardableResult
    public final func addPersistentStore(
        type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try addPersistentStore(
            ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
    }

    /// Opens the store that a description describes, makes it if it does not exist, and calls a block.
    ///
    /// Opens the store on this thread before the method returns, or later on the coordinator's queue if
    /// `shouldAddStoreAsynchronously` is set.
    ///
    /// - Parameters:
    ///   - storeDescription: The description of the store.
    ///   - block: Called with the description and, if the store could not be opened, the error of
    ///     `addPersistentStore(ofType:configurationName:at:options:)`.
    open func addPersistentStore(
        with storeDescription: NSPersistentStoreDescription,
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        baseAddPersistentStore(storeDescription, block)
    }

    /// Closes a store; its objects cannot be read any more.
    ///
    /// Posts `NSPersistentStoreCoordinatorWillRemoveStore` before and
    /// `NSPersistentStoreCoordinatorStoresDidChange` after.
    ///
    /// Unlike Apple's: the last connection to a SQLite store removes its `-wal` and `-shm` files.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070) in `NSCocoaErrorDomain` if the store is not one
    ///   of this coordinator.
    open func remove(_ store: NSPersistentStore) throws { try baseRemove(store) }

    /// Deletes everything in a store, and its files; does nothing if there is no file.
    ///
    /// A store that this coordinator has open there is removed first. Of a SQLite store an empty database
    /// stays, with an empty log and its index: other connections that have it open find nothing in it from
    /// then on. Connections that write to it are waited for, as long as `NSPersistentStoreTimeoutOption`
    /// says, unless `NSPersistentStoreForceDestroyOption` has the files removed all the same. A file that is
    /// no store is removed as well.
    ///
    /// - Throws: In `NSCocoaErrorDomain`, `NSPersistentStoreInvalidTypeError` (134000) for an unknown type;
    ///   `NSPersistentStoreTimeoutError` (134090); `CocoaError.fileReadNoPermission` (257),
    ///   `.fileWriteNoPermission` (513) and other file errors.
    open func destroyPersistentStore(
        at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
    ) throws {
        try baseDestroyPersistentStore(at: url, storeType, options ?? [:])
    }

    /// Deletes everything in a store, and its files; does nothing if there is no store.
    ///
    /// Calls the method with a string for the type, which subclasses override and which has the details.
    ///
    /// - Throws: The errors of `destroyPersistentStore(at:ofType:options:)`.
    public final func destroyPersistentStore(
        at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
    ) throws {
        try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
    }

    // MARK: Moving stores

    /// Puts everything that a store has into another one, of any type, and returns that; the former store is
    /// removed from the coordinator and keeps its files.
    ///
    /// Whatever is at the URL is replaced, once the new store is complete: if the process dies or the call
    /// fails before, the destination stays as it was, and the former store stays in the coordinator. Other
    /// connections that have the destination open continue with the new store; if it is a file of another
    /// type, the call waits for them.
    ///
    /// A SQLite store that becomes a SQLite store is copied whole, with its history, keys and identifier, and
    /// the objects of contexts go on in the new one. In any other case objects have new IDs and contexts have
    /// to be reset; the call costs a pass over all rows, and the memory for all of them at once. A store of
    /// an app's own class gets its objects by a save.
    ///
    /// Unlike Apple's: objects stay valid only between SQLite stores, and what lies at the destination is
    /// replaced.
    ///
    /// - Throws: In `NSCocoaErrorDomain`, `NSPersistentStoreOperationError` (134070) if the store is not one
    ///   of this coordinator, or another of its stores is at the URL; `CocoaError.fileReadNoSuchFile` (260)
    ///   or `.fileReadCorruptFile` (259) for a value that cannot be read; the errors of
    ///   `addPersistentStore(ofType:configurationName:at:options:)`, and for an app's own class those of
    ///   `NSManagedObjectContext.save()`.
    @discardableResult
    open func migratePersistentStore(
        _ store: NSPersistentStore, to URL: URL, options: [AnyHashable: Any]? = nil,
        withType storeType: String
    ) throws -> NSPersistentStore {
        try baseMigratePersistentStore(store, to: URL, options ?? [:], storeType)
    }

    /// Puts everything that a store has into another one, of any type, and returns that; the former store is
    /// removed from the coordinator and keeps its files.
    ///
    /// Calls the method with a string for the type, which subclasses override and which has the details.
    ///
    /// - Throws: The errors of `migratePersistentStore(_:to:options:withType:)`.
    @discardableResult
    public final func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
        type storeType: NSPersistentStore.StoreType
    ) throws -> NSPersistentStore {
        try migratePersistentStore(store, to: storeURL, options: options, withType: storeType.rawValue)
    }

    /// Makes the store at one place a copy of the one at another, with its log and its external files.
    ///
    /// Other connections may have both open; if the process dies in between, the old store or the new one is
    /// there. A store that this coordinator has open at the destination is removed from it first.
    ///
    /// - Parameters:
    ///   - destinationURL: The place of the store to be replaced; it may be free.
    ///   - destinationOptions: Only `NSPersistentStoreTimeoutOption` has an effect.
    ///   - sourceURL: The place of the store to be copied.
    ///   - sourceOptions: Not used.
    ///   - storeType: The type of both stores.
    /// - Throws: In `NSCocoaErrorDomain`, `NSPersistentStoreInvalidTypeError` (134000) for an unknown type;
    ///   `NSPersistentStoreOperationError` (134070) for a type without files, in memory or of an app's own
    ///   class; `NSPersistentStoreTimeoutError` (134090); `CocoaError.fileReadNoSuchFile` (260),
    ///   `.fileReadCorruptFile` (259), `.fileWriteOutOfSpace` (640) and other file errors.
    open func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
        ofType storeType: String
    ) throws {
        try baseReplacePersistentStore(
            at: destinationURL, from: sourceURL, storeType, destinationOptions ?? [:])
    }

    /// Makes the store at one place a copy of the one at another, with its log and its external files.
    ///
    /// Calls the method with a string for the type, which subclasses override and which has the details.
    ///
    /// - Throws: The errors of
    ///   `replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)`.
    public final func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
        type sourceType: NSPersistentStore.StoreType
    ) throws {
        try replacePersistentStore(
            at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
            sourceOptions: sourceOptions, ofType: sourceType.rawValue)
    }

    // MARK: Metadata

    /// Returns the metadata of an open store, with its identifier under `NSStoreUUIDKey`.
    open func metadata(for store: NSPersistentStore) -> [String: Any] {
        var metadata = store.metadata ?? [:]
        metadata[NSStoreUUIDKey] = store.identifier
        return metadata
    }

    /// Sets the metadata of an open store; a failure to write it is logged.
    ///
    /// Keys that the framework needs to open the store (hashes, type) stay if they are left out.
    ///
    /// Unlike Apple's: the metadata is written at once, except by a store of an app's own class, which writes
    /// it with its next save.
    open func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
        store.metadata = metadata ?? [:]
    }

    /// Returns the metadata of a store's file, without opening it as a store.
    ///
    /// - Parameters:
    ///   - storeType: The type of the store.
    ///   - url: The file of the store.
    ///   - options: Not used.
    /// - Throws: In `NSCocoaErrorDomain`, `NSPersistentStoreInvalidTypeError` (134000) for an unknown type;
    ///   `NSPersistentStoreOperationError` (134070) for a store in memory; `CocoaError.fileReadNoSuchFile`
    ///   (260), `.fileReadCorruptFile` (259) or `.fileReadNoPermission` (257) if there is no such file or it
    ///   is no store; `NSPersistentStoreTimeoutError` (134090).
    open class func metadataForPersistentStore(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try StoreTypes.storeClass(storeType).metadataForPersistentStore(with: url)
    }

    /// Returns the metadata of a store's file, without opening it as a store.
    ///
    /// - Throws: The errors of `metadataForPersistentStore(ofType:at:options:)`.
    public final class func metadataForPersistentStore(
        type storeType: NSPersistentStore.StoreType, at storeURL: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: storeType.rawValue, at: storeURL, options: options)
    }

    /// Returns the metadata of a store's file, whatever its type.
    ///
    /// - Throws: In `NSCocoaErrorDomain`, `CocoaError.fileReadNoSuchFile` (260), `.fileReadCorruptFile` (259)
    ///   or `.fileReadNoPermission` (257) if there is no such file or it is no store;
    ///   `NSPersistentStoreTimeoutError` (134090).
    open class func metadataForPersistentStore(with url: URL) throws -> [AnyHashable: Any] {
        try NSPersistentStore.metadataForPersistentStore(with: url)
    }

    /// Returns the model that a SQLite store was made with or last migrated to, from the store itself.
    ///
    /// - Parameters:
    ///   - url: The file of the store.
    ///   - options: Not used.
    /// - Throws: In `NSCocoaErrorDomain`, `CocoaError.fileReadNoSuchFile` (260) if there is no store or it
    ///   carries no model; `.fileReadCorruptFile` (259) if the file is no SQLite store or its model is
    ///   damaged; `NSPersistentStoreTimeoutError` (134090).
    open class func cachedModelForPersistentStore(
        at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> NSManagedObjectModel {
        try StoreTypes.databaseClass(at: url).readModel(at: url)
    }

    /// Sets the metadata of a store's file, without opening it as a store.
    ///
    /// The identifier of the store stays what it is. Metadata without the version hashes of the model leaves
    /// a store that cannot be opened: change what `metadataForPersistentStore` returns.
    ///
    /// - Parameters:
    ///   - metadata: The new metadata.
    ///   - storeType: The type of the store.
    ///   - url: The file of the store.
    ///   - options: Not used.
    /// - Throws: In `NSCocoaErrorDomain`, `NSPersistentStoreInvalidTypeError` (134000) for an unknown type;
    ///   `NSPersistentStoreOperationError` (134070) for a store in memory; `CocoaError.fileReadNoSuchFile`
    ///   (260), `.fileReadCorruptFile` (259), `.fileWriteNoPermission` (513) and other file errors;
    ///   `NSPersistentStoreTimeoutError` (134090).
    open class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try StoreTypes.storeClass(storeType).setMetadata(metadata, forPersistentStoreAt: url)
    }

    /// Sets the metadata of a store's file, without opening it as a store.
    ///
    /// - Throws: The errors of `setMetadata(_:forPersistentStoreOfType:at:options:)`.
    public final class func setMetadata(
        _ metadata: [String: Any]?, type storeType: NSPersistentStore.StoreType, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try setMetadata(
            metadata, forPersistentStoreOfType: storeType.rawValue, at: storeURL, options: options)
    }

    // MARK: Requests

    /// Executes a request for a context, on whose queue it is called.
    ///
    /// Returns an array for a fetch request, an empty array for a save request, which saves the context, and
    /// the result object for a batch, a request on history or an asynchronous fetch.
    ///
    /// - Throws: The errors of `NSManagedObjectContext.fetch(_:)`, `save()` and `execute(_:)`, by the kind of
    ///   the request.
    @discardableResult
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any
    {
        try answer(request, for: context)
    }

    // MARK: IDs

    /// Returns the object ID that a URI stands for.
    ///
    /// Nil if no store of this coordinator has the identifier in the URI, or the model has no such entity.
    /// Does not ask whether the row exists.
    open func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
        let parts = url.path(percentEncoded: true).split(separator: "/").map(String.init)
        guard url.scheme == "x-coredata", parts.count == 2, parts[1].hasPrefix("p"),
            let entity = frozen.compiled.indexByName[parts[0].removingPercentEncoding ?? parts[0]],
            let handle = handles.first(where: {
                $0.store.identifier.caseInsensitiveCompare(url.host ?? "") == .orderedSame
            }),
            let key = handle.store.key(
                ofReferenceText: String(parts[1].dropFirst()), root: frozen.compiled[entity].root)
        else { return nil }
        return NSManagedObjectID(
            ObjectReference(entity: entity, key: key), runtime: frozen.runtime(entity), store: handle.store)
    }

    // MARK: Queue

    /// Runs a block on the coordinator's queue, later.
    ///
    /// Returns at once; blocks run in the order of the calls.
    open func perform(_ block: @escaping () -> Void) { queue.async(block) }

    /// Runs a block on the coordinator's queue and waits for it.
    ///
    /// On the queue itself, the block runs at once.
    open func performAndWait(_ block: () -> Void) { queue.sync(block) }

    /// Drops the columns and tables that lightweight migrations of the stores have put aside, and makes the
    /// indexes that they have left.
    ///
    /// Migrations put columns and tables aside if `NSPersistentStoreDeferredLightweightMigrationOptionKey` is
    /// set, and leave indexes in PostgreSQL stores. Costs a rewrite of each table of a SQLite store that lost a
    /// column; indexes are made while others write to their tables.
    ///
    /// - Throws: In `NSCocoaErrorDomain`, `NSPersistentStoreTimeoutError` (134090), `NSSQLiteError` (134180),
    ///   `CocoaError.fileWriteNoPermission` (513) or `.fileWriteOutOfSpace` (640), and
    ///   `NSMigrationConstraintViolationError` (134111) if objects break a uniqueness constraint whose index is
    ///   to be made.
    open func finishDeferredLightweightMigration() throws { try finishMigrations(isWhole: true) }

    /// Makes the next index, or drops the next column or table, of each store that a lightweight migration has
    /// left or put aside.
    ///
    /// - Throws: The errors of `finishDeferredLightweightMigration()`.
    open func finishDeferredLightweightMigrationTask() throws { try finishMigrations(isWhole: false) }

    private func finishMigrations(isWhole: Bool) throws {
        for case let store as DatabaseStore in persistentStores {
            try store.finishMigration(isWhole: isWhole)
        }
    }

    /// Takes the coordinator's recursive lock, which the framework itself does not use.
    open func lock() { recursiveLock.lock() }
    /// Releases the coordinator's recursive lock.
    open func unlock() { recursiveLock.unlock() }
    /// Takes the coordinator's recursive lock if no other thread holds it, and returns whether it did.
    open func tryLock() -> Bool { recursiveLock.try() }
}
