import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
public import Foundation
import Synchronization

/// Connects contexts with stores: it knows the model, opens stores, holds rows in memory and turns references
/// into object IDs.
///
/// Safe to use from any thread. The class body is what subclasses override; the work is in the extensions
/// `+Stores` (adding, removing), `+Requests`, `+Perform`.
open class NSPersistentStoreCoordinator: NSObject, NSLocking, @unchecked Sendable {
    private let model: NSManagedObjectModel
    final let frozen: FrozenModel
    final let shelf = StoreShelf()
    final let merging = MergingContexts(turns: .shared)
    final let queue = BlockQueue(.privateQueueConcurrencyType)
    private let nameStorage = Mutex<String?>(nil)
    final let link = Backlink<NSPersistentStoreCoordinator>()
    private let recursiveLock = NSRecursiveLock()

    /// Takes a model into use, which makes it immutable. Traps on a model that cannot be used, naming every
    /// fault.
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

    public convenience override init() {
        self.init(managedObjectModel: NSManagedObjectModel())
    }

    open var managedObjectModel: NSManagedObjectModel { model }

    open override var description: String { Printing.head(self, named: name) }

    open var name: String? {
        get { nameStorage.withLock { $0 } }
        set { nameStorage.withLock { $0 = newValue } }
    }

    // MARK: Stores

    open var persistentStores: [NSPersistentStore] { handles.map(\.store) }

    open func persistentStore(for URL: URL) -> NSPersistentStore? { store(at: URL) }

    open func url(for store: NSPersistentStore) -> URL { store.url ?? .nowhere }

    /// Has a store lie elsewhere. One that is written as a whole goes there with its next save, an app's own
    /// atomic one too. A SQLite store reads and writes the file there from now on, which must exist and fit
    /// the model; objects that contexts have keep the values they have read. False if the store cannot, and
    /// stays where it is.
    open func setURL(_ url: URL, for store: NSPersistentStore) -> Bool { relocate(store, to: url) }

    // MARK: Store classes

    /// The types of stores that can be added, with their classes.
    open class var registeredStoreTypes: [String: NSPersistentStore.Type] { StoreTypes.all }

    /// Has stores of a type be of a class: a subclass of `NSAtomicStore` or `NSIncrementalStore`. Nil takes
    /// the type away.
    open class func registerStoreClass(_ storeClass: AnyClass?, forStoreType storeType: String) {
        StoreTypes.register(storeClass, as: storeType)
    }

    public final class func registerStoreClass(
        _ storeClass: AnyClass?, type storeType: NSPersistentStore.StoreType
    ) {
        registerStoreClass(storeClass, forStoreType: storeType.rawValue)
    }

    /// Opens a store, making it if it does not exist.
    @discardableResult
    open func addPersistentStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try add(storeType, configuration, storeURL, options ?? [:])
    }

    @discardableResult
    public final func addPersistentStore(
        type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try addPersistentStore(
            ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
    }

    /// Opens the store a description describes and calls the block, on this thread or, asynchronously, on
    /// another.
    open func addPersistentStore(
        with storeDescription: NSPersistentStoreDescription,
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        add(storeDescription, block)
    }

    /// Closes a store. Its objects become unusable.
    open func remove(_ store: NSPersistentStore) throws { try close(store) }

    /// Deletes everything in a store, and its files. Of a SQLite store an empty database stays, with an empty
    /// log and its index: others may have it open, who find nothing in it from then on. Whoever writes to it
    /// is waited for, as long as `NSPersistentStoreTimeoutOption` says, unless
    /// `NSPersistentStoreForceDestroyOption` has the files removed all the same. Where nothing is, nothing is
    /// done.
    open func destroyPersistentStore(
        at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
    ) throws {
        try destroyStore(at: url, storeType, options ?? [:])
    }

    public final func destroyPersistentStore(
        at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
    ) throws {
        try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
    }

    // MARK: Moving stores

    /// Puts everything that a store has into another one, of the same type or of another, and hands that
    /// back; the store is removed from the coordinator and stays where it lies. Whatever is at the URL is
    /// replaced.
    ///
    /// A SQLite store that becomes a SQLite store is copied whole, with its history, its keys and its
    /// identifier, and the objects of contexts go on in the new one. In any other the objects have new IDs;
    /// it costs a pass over all rows, in memory at once, and contexts have to be reset. A store of an app's
    /// own class gets them by a save.
    ///
    /// The new store comes as a whole: whoever dies or fails before leaves what is at the URL, and whoever
    /// has it open there goes on with the new one, or is waited for where that is a file of another kind. If
    /// it fails, the store stays one of the coordinator.
    @discardableResult
    open func migratePersistentStore(
        _ store: NSPersistentStore, to URL: URL, options: [AnyHashable: Any]? = nil,
        withType storeType: String
    ) throws -> NSPersistentStore {
        try move(store, to: URL, options ?? [:], storeType)
    }

    @discardableResult
    public final func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
        type storeType: NSPersistentStore.StoreType
    ) throws -> NSPersistentStore {
        try migratePersistentStore(store, to: storeURL, options: options, withType: storeType.rawValue)
    }

    /// Makes the store at one place what the store at another is, with its log and its external files. Both
    /// may be open elsewhere; whoever dies in between leaves the old store or the new one. An open store of
    /// this coordinator at the destination is removed from it.
    open func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
        ofType storeType: String
    ) throws {
        try replaceStore(at: destinationURL, from: sourceURL, storeType, destinationOptions ?? [:])
    }

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

    open func metadata(for store: NSPersistentStore) -> [String: Any] {
        var metadata = store.metadata ?? [:]
        metadata[NSStoreUUIDKey] = store.identifier
        return metadata
    }

    /// Changes a store's metadata; written at once.
    open func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
        store.metadata = metadata ?? [:]
    }

    open class func metadataForPersistentStore(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try StoreTypes.storeClass(storeType).metadataForPersistentStore(with: url)
    }

    public final class func metadataForPersistentStore(
        type storeType: NSPersistentStore.StoreType, at storeURL: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: storeType.rawValue, at: storeURL, options: options)
    }

    /// The metadata of a store's file, whatever its type.
    open class func metadataForPersistentStore(with url: URL) throws -> [AnyHashable: Any] {
        try NSPersistentStore.metadataForPersistentStore(with: url)
    }

    /// The model that a store was made with or last migrated to, from the store itself.
    open class func cachedModelForPersistentStore(
        at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> NSManagedObjectModel {
        try SQLiteStore.readModel(at: url)
    }

    open class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try StoreTypes.storeClass(storeType).setMetadata(metadata, forPersistentStoreAt: url)
    }

    public final class func setMetadata(
        _ metadata: [String: Any]?, type storeType: NSPersistentStore.StoreType, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try setMetadata(
            metadata, forPersistentStoreOfType: storeType.rawValue, at: storeURL, options: options)
    }

    // MARK: Requests

    /// Executes a request for a context and hands back an array of results, or a result object.
    @discardableResult
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any
    {
        try answer(request, for: context)
    }

    // MARK: IDs

    /// The ID a URI stands for; nil if no store of this coordinator has its UUID or the model lacks its
    /// entity.
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
    open func perform(_ block: @escaping () -> Void) { queue.async(block) }

    /// Runs a block on the coordinator's queue and waits for it.
    open func performAndWait(_ block: () -> Void) { queue.sync(block) }

    /// Drops the columns and tables that lightweight migrations of the stores have put aside, as they were
    /// asked to by `NSPersistentStoreDeferredLightweightMigrationOptionKey`. Costs a rewrite of each table
    /// that lost a column.
    open func finishDeferredLightweightMigration() throws { try finishMigrations(isWhole: true) }

    /// The next piece of the same work: one column or one table of each store.
    open func finishDeferredLightweightMigrationTask() throws { try finishMigrations(isWhole: false) }

    private func finishMigrations(isWhole: Bool) throws {
        for case let store as SQLiteStore in persistentStores { try store.finishMigration(isWhole: isWhole) }
    }

    open func lock() { recursiveLock.lock() }
    open func unlock() { recursiveLock.unlock() }
    open func tryLock() -> Bool { recursiveLock.try() }
}
