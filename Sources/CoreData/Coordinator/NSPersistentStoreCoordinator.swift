import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
public import Foundation
import Synchronization

/// Connects contexts with stores: it knows the model, opens stores, holds rows in memory and turns references into
/// object IDs.
///
/// Safe to use from any thread. Extensions: `+Stores` (adding, removing, metadata), `+Requests`.
open class NSPersistentStoreCoordinator: NSObject, NSLocking, @unchecked Sendable {
    public final let managedObjectModel: NSManagedObjectModel
    final let frozen: FrozenModel
    private let nameStorage = Mutex<String?>(nil)
    private let state = Mutex<[StoreHandle?]>([])
    private let merging = Mutex<[WeakContext]>([])
    private let queue = DispatchQueue(label: "NSPersistentStoreCoordinator")
    private let queueKey = DispatchSpecificKey<Bool>()
    private let recursiveLock = NSRecursiveLock()

    private struct WeakContext {
        weak var context: NSManagedObjectContext?
    }

    /// Takes a model into use, which makes it immutable. Traps on a model that cannot be used, naming every fault.
    public init(managedObjectModel model: NSManagedObjectModel) {
        managedObjectModel = model
        do {
            frozen = try model.freeze()
        } catch {
            programmerError(
                "The model cannot be used: \((error as NSError).localizedFailureReason ?? "\(error)")")
        }
        super.init()
        queue.setSpecific(key: queueKey, value: true)
    }

    public convenience override init() {
        self.init(managedObjectModel: NSManagedObjectModel())
    }

    open var name: String? {
        get { nameStorage.withLock { $0 } }
        set { nameStorage.withLock { $0 = newValue } }
    }

    // MARK: Stores at hand

    final var handles: [StoreHandle] { state.withLock { $0.compactMap { $0 } } }

    final func handle(at index: Int16) -> StoreHandle? {
        state.withLock { index >= 0 && Int(index) < $0.count ? $0[Int(index)] : nil }
    }

    final func index(of store: NSPersistentStore) -> Int16? {
        state.withLock { handles in
            handles.firstIndex { $0?.store === store }.map(Int16.init)
        }
    }

    /// Puts a store in under a number that is never used again.
    final func register(_ make: (Int16) -> StoreHandle) {
        state.withLock { $0.append(make(Int16($0.count))) }
    }

    final func unregister(_ store: NSPersistentStore) -> StoreHandle? {
        state.withLock { handles in
            guard let index = handles.firstIndex(where: { $0?.store === store }) else { return nil }
            defer { handles[index] = nil }
            return handles[index]
        }
    }

    // MARK: IDs

    /// The ID a URI stands for; nil if no store of this coordinator has its UUID or the model lacks its entity.
    open func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
        let parts = url.path.split(separator: "/").map(String.init)
        guard url.scheme == "x-coredata", parts.count == 2, parts[1].hasPrefix("p"),
            let key = Int64(parts[1].dropFirst()), key > 0,
            let entity = frozen.compiled.indexByName[parts[0]],
            let handle = handles.first(where: {
                $0.store.identifier.caseInsensitiveCompare(url.host ?? "") == .orderedSame
            })
        else { return nil }
        return NSManagedObjectID(
            ObjectReference(entity: entity, key: key), runtime: frozen.runtime(entity), store: handle.store)
    }

    // MARK: Queue

    open func perform(_ block: @escaping () -> Void) {
        nonisolated(unsafe) let block = block
        queue.async { block() }
    }

    open func performAndWait(_ block: () -> Void) { runAndWait { block() } }

    @_disfavoredOverload
    public final func performAndWait<T, Failure: Error>(_ block: () throws(Failure) -> T) throws(Failure) -> T
    {
        try runAndWait(block)
    }

    private func runAndWait<T, Failure: Error>(_ block: () throws(Failure) -> T) throws(Failure) -> T {
        if DispatchQueue.getSpecific(key: queueKey) == true { return try block() }
        var result: Result<T, Failure>?
        queue.sync { result = Result(catching: block) }
        return try result!.get()
    }

    public nonisolated(nonsending) final func perform<T, Failure: Error>(
        _ block: @escaping () throws(Failure) -> T
    ) async throws(Failure) -> T {
        nonisolated(unsafe) var result: Result<T, Failure>?
        nonisolated(unsafe) let block = block
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async {
                result = Result(catching: block)
                continuation.resume()
            }
        }
        return try result!.get()
    }

    open func lock() { recursiveLock.lock() }
    open func unlock() { recursiveLock.unlock() }
    open func tryLock() -> Bool { recursiveLock.try() }

    // MARK: Automatic merging

    final func setAutomaticMerging(_ merges: Bool, for context: NSManagedObjectContext) {
        merging.withLock { contexts in
            contexts.removeAll { $0.context == nil || $0.context === context }
            if merges { contexts.append(WeakContext(context: context)) }
        }
    }

    /// Tells contexts that merge automatically what another one saved.
    final func publish(_ idInfo: [AnyHashable: Any], from source: NSManagedObjectContext) {
        let contexts = merging.withLock { $0.compactMap(\.context) }
        for context in contexts where context !== source {
            nonisolated(unsafe) let notification = Notification(
                name: .NSManagedObjectContextDidSaveObjectIDs, object: source, userInfo: idInfo)
            context.perform { context.mergeChanges(fromContextDidSave: notification) }
        }
    }
}

extension NSNotification.Name {
    public static let NSPersistentStoreCoordinatorStoresWillChange = NSNotification.Name(
        "NSPersistentStoreCoordinatorStoresWillChangeNotification")
    public static let NSPersistentStoreCoordinatorStoresDidChange = NSNotification.Name(
        "NSPersistentStoreCoordinatorStoresDidChangeNotification")
    public static let NSPersistentStoreCoordinatorWillRemoveStore = NSNotification.Name(
        "NSPersistentStoreCoordinatorWillRemoveStoreNotification")
    public static let NSPersistentStoreRemoteChange = NSNotification.Name(
        "NSPersistentStoreRemoteChangeNotification")
}
