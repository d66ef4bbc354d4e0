import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
public import Foundation

/// A scratch pad of objects: what was fetched, inserted, changed and deleted, until it is saved or thrown away.
///
/// A context belongs to a queue; use it and its objects inside `perform` or `performAndWait`, a main-queue context
/// also on the main thread. It holds unchanged objects weakly and changed ones strongly.
///
/// Extensions: `+Registering` (objects by ID), `+Fetching`, `+Changes` (insert, delete, refresh, processing),
/// `+Saving`, `+Merging`, `+Perform`.
open class NSManagedObjectContext: NSObject, NSLocking, @unchecked Sendable {
    public let concurrencyType: NSManagedObjectContextConcurrencyType
    final let queue: ContextQueue
    final var coordinator: NSPersistentStoreCoordinator?
    final var registry: ContextRegistry
    final let tracker = ChangeTracker()
    final let faultHandler = FaultHandler()
    /// Objects kept alive although nothing changed: `retainsRegisteredObjects`.
    final var retained: Set<NSManagedObject> = []
    final var assignedStores: [ObjectIdentifier: NSPersistentStore] = [:]
    private let recursiveLock = NSRecursiveLock()

    public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
        concurrencyType = ct
        queue = ContextQueue(ct)
        registry = ContextRegistry(model: nil)
        super.init()
        registry.context = self
        faultHandler.context = self
    }

    public convenience init(_ type: ConcurrencyType) {
        self.init(concurrencyType: type.rawValue)
    }

    /// A context without a queue of its own, as before queues were introduced.
    public convenience override init() {
        self.init(concurrencyType: .confinementConcurrencyType)
    }

    deinit {
        for object in registry.objects { object.side = [] }
    }

    /// The coordinator that answers fetches and takes saves.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { coordinator }
        set {
            guard newValue !== coordinator else { return }
            if let newValue, coordinator != nil, !registry.objects.isEmpty {
                programmerError(
                    "A context that has objects cannot change its coordinator to \(newValue): reset it first."
                )
            }
            coordinator = newValue
            registry = ContextRegistry(model: newValue?.frozen)
            registry.context = self
        }
    }

    /// Nested contexts are not supported yet; setting one traps.
    open var parent: NSManagedObjectContext? {
        get { nil }
        set {
            if newValue != nil {
                programmerError(
                    "Nested contexts are not supported: set persistentStoreCoordinator instead of parent.")
            }
        }
    }

    open var name: String?
    /// Who makes the changes, for the store's history.
    open var transactionAuthor: String?
    public final let userInfo = NSMutableDictionary()
    open var mergePolicy: Any = NSMergePolicy.error

    /// Whether delete rules are applied when changes are processed rather than at once.
    open var propagatesDeletesAtEndOfEvent = true
    /// Whether unchanged objects are kept alive as well.
    open var retainsRegisteredObjects = false {
        didSet { retained = retainsRegisteredObjects ? Set(registry.objects) : [] }
    }
    /// Whether an object whose row is gone counts as deleted, instead of trapping when it is used.
    open var shouldDeleteInaccessibleFaults = true
    /// Seconds after which rows held in memory are read anew; negative: never.
    open var stalenessInterval: TimeInterval = -1
    open var automaticallyMergesChangesFromParent = false {
        didSet { coordinator?.setAutomaticMerging(automaticallyMergesChangesFromParent, for: self) }
    }

    open func lock() { recursiveLock.lock() }
    open func unlock() { recursiveLock.unlock() }
    open func tryLock() -> Bool { recursiveLock.try() }

    /// The coordinator, or a trap that says how to get one.
    final var requiredCoordinator: NSPersistentStoreCoordinator {
        guard let coordinator else {
            programmerError(
                "The context \(name ?? "") has no persistent store coordinator: set persistentStoreCoordinator "
                    + "before objects are inserted or fetched.")
        }
        return coordinator
    }
}

extension NSManagedObjectContext {
    /// How a context is used across threads, in Swift's spelling.
    public struct ConcurrencyType: Hashable, RawRepresentable, Sendable {
        public let rawValue: NSManagedObjectContextConcurrencyType
        public init(rawValue: NSManagedObjectContextConcurrencyType) { self.rawValue = rawValue }

        public static let privateQueue = ConcurrencyType(rawValue: .privateQueueConcurrencyType)
        public static let mainQueue = ConcurrencyType(rawValue: .mainQueueConcurrencyType)
    }

    /// When a block given to `perform` runs.
    public enum ScheduledTaskType: Sendable {
        /// At once if the caller is on the context's queue already.
        case immediate
        case enqueued
    }
}

/// How a context is used across threads.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    case confinementConcurrencyType = 0
    case privateQueueConcurrencyType = 1
    case mainQueueConcurrencyType = 2
}
