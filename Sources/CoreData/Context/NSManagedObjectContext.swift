import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
public import Foundation

/// A scratch pad of objects: what was fetched, inserted, changed and deleted, until it is saved or thrown away.
///
/// A context belongs to a queue; use it and its objects inside `perform` or `performAndWait`, a main-queue context
/// also on the main thread. It holds unchanged objects weakly and changed ones strongly.
///
/// The class body is what subclasses override, each method one call into the extension that holds the concept:
/// `+Registering` (objects by ID), `+Fetching`, `+Changes` (insert, delete, processing), `+Refreshing` (refresh,
/// rollback, reset), `+Saving`, `+Merging`, `+Perform`. The framework itself calls the overridable methods.
open class NSManagedObjectContext: NSObject, NSLocking, @unchecked Sendable {
    final let queue: BlockQueue
    final let link = Backlink<NSManagedObjectContext>()
    /// The root's, for a nested context.
    @exclusivity(unchecked) final var coordinator: NSPersistentStoreCoordinator?
    /// The parent, which stands in the place of the coordinator's stores.
    @exclusivity(unchecked) final var source: ContextParent?
    /// Nested contexts that take over by themselves what is saved to this one.
    final let children = MergingContexts(turns: nil)
    /// What others saved, if the context merges that by itself.
    final var inbox: MergeInbox?
    /// What objects became, for the tree that this context is the root of.
    final let references = PermanentReferences()
    /// How many of those this context has taken over.
    @exclusivity(unchecked) final var knownReferences = 0
    final var undoRecorder: UndoRecorder?
    /// Whether saves check objects first; a migration saves objects before they are whole.
    package final var validatesSaves = true
    /// Whether use of the context off its queue is a mistake to stop at.
    final let checksQueue = ConcurrencyDebug.isOn
    @exclusivity(unchecked) private final var lentRegistry: Lent<ContextRegistry>
    /// What the next object that is made is to be; nil if it is to be inserted.
    @exclusivity(unchecked) final var birth: ContextRegistry.Birth?
    final let tracker = ChangeTracker()
    final let faultHandler = FaultHandler()
    @exclusivity(unchecked) final var generation = ReadGeneration.latest
    /// The store that was read from last, which is the next one's mostly, and the arrangement of stores at that time.
    @exclusivity(unchecked) final var lastRead: (arrangement: Int, handle: StoreHandle)?
    /// Objects kept alive although nothing changed: `retainsRegisteredObjects`.
    final var retained: Set<NSManagedObject> = []
    /// Stores of classes of the app's own, as this context uses them.
    final var boundHandles: [Int16: StoreHandle] = [:]
    final var assignedStores: [ObjectIdentifier: NSPersistentStore] = [:]
    /// Whoever follows the objects of the context from event to event.
    final lazy var changeFeed = ContextChangeFeed(self)
    private let recursiveLock = NSRecursiveLock()

    public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
        queue = BlockQueue(ct)
        lentRegistry = Lent(ContextRegistry(of: link, model: nil))
        super.init()
        link.lead(to: self)
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
        publisher?.remove(inbox)
        undoRecorder?.stop(for: self)
        for object in registry.objectsWithSides + tracker.departed { object.side = [] }
    }

    open override var description: String { Printing.head(self, named: name) }

    /// The entity at work, as it is in the model that the context works with.
    final func runtime(of entity: NSEntityDescription) -> EntityRuntime {
        withRegistry { $0.runtime(of: entity) }
    }

    final var registry: ContextRegistry { lentRegistry.object }

    /// The same for one of many objects. It must not be exchanged meanwhile.
    @inline(__always)
    final func withRegistry<Result>(_ body: (ContextRegistry) -> Result) -> Result {
        lentRegistry.uncounted._withUnsafeGuaranteedRef(body)
    }

    // MARK: What it works with

    open var concurrencyType: NSManagedObjectContextConcurrencyType { queue.type }

    /// The coordinator that answers fetches and takes saves; a nested context's is that of its parent.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { coordinator }
        set { attach(newValue) }
    }

    /// The context to fetch from and to save to instead of a coordinator's stores.
    ///
    /// A nested context sees the unsaved changes of its parent in what it fetches, and its saves become unsaved changes
    /// of the parent: only the parent's own save goes further. It may fetch and fault on its own queue, which waits for
    /// the parent's; a parent must never wait for its child. Set once, before the context has objects.
    open var parent: NSManagedObjectContext? {
        get { source?.context }
        set { nest(in: newValue) }
    }

    /// Keeps what changed, event by event, to take it back; nil, the default, keeps nothing. With one, a relationship
    /// is read before its members change.
    open var undoManager: UndoManager? {
        get { undoRecorder?.manager }
        set { setUndoManager(newValue) }
    }

    open var name: String?
    /// Who makes the changes, for the store's history.
    open var transactionAuthor: String?
    open private(set) lazy var userInfo = NSMutableDictionary()
    /// An `NSMergePolicy`, which decides what a save does when the store is not what the context read.
    open var mergePolicy: Any = NSMergePolicy.error

    /// Whether delete rules are applied at the end of the event that deletes, rather than before the next save.
    open var propagatesDeletesAtEndOfEvent = true
    /// Whether unchanged objects are kept alive as well.
    @exclusivity(unchecked) open var retainsRegisteredObjects = false {
        didSet { retained = retainsRegisteredObjects ? Set(registry.objects) : [] }
    }
    /// Whether an object whose row is gone counts as deleted, instead of trapping when it is used.
    open var shouldDeleteInaccessibleFaults = true
    /// Seconds after which faults are filled from the store rather than from rows held in memory; negative: never.
    /// Every limit counts as 0.
    @exclusivity(unchecked) open var stalenessInterval: TimeInterval = -1
    open var automaticallyMergesChangesFromParent = false {
        didSet { publisher?.set(automaticallyMergesChangesFromParent, for: self) }
    }

    /// Whether Swift's `withObservationTracking` sees which properties of the context's objects are read. Reads then
    /// cost several times as much; nothing is added to those of other contexts. An addition to Apple's framework.
    @exclusivity(unchecked) public final var tracksObservation = false {
        didSet { for object in registry.objects { object.trackReads(tracksReads) } }
    }

    // These two are not final: tests override them, and so decide when a context merges.

    func inbox(waitingFor turns: MergeTurns?) -> MergeInbox {
        if let inbox, inbox.waits(for: turns) { return inbox }
        let new = MergeInbox(of: self, waitingFor: turns)
        inbox = new
        return new
    }

    /// Has the queue take over what the inbox holds. Until then nothing keeps the context.
    func enqueueMerge(from inbox: MergeInbox) { queue.async { inbox.merge() } }

    open func lock() { recursiveLock.lock() }
    open func unlock() { recursiveLock.unlock() }
    open func tryLock() -> Bool { recursiveLock.try() }

    // MARK: Queue

    /// Runs a block on the context's queue, later. Changes are processed when it ends.
    open func perform(_ block: @escaping () -> Void) { enqueue(block) }

    /// Runs a block on the context's queue and waits for it.
    open func performAndWait(_ block: () -> Void) { runAndWait(block) }

    // MARK: Objects by ID

    /// Every object the context knows, faults included, and what merges deleted since the last save.
    open var registeredObjects: Set<NSManagedObject> {
        checkQueue("registeredObjects")
        return Set(registry.objects + tracker.departed)
    }

    /// The object of an ID if the context has it already; never goes to the store.
    open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? { knownObject(objectID) }

    /// The object of an ID, as a fault if the context does not have it. Does not ask the store whether the row
    /// exists: using the object then does.
    open func object(with objectID: NSManagedObjectID) -> NSManagedObject { objectOrFault(objectID) }

    /// The object of an ID, read from the store if need be; throws if there is no such row. One that the context
    /// has is handed back as it is, also when it is to be deleted.
    open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        try storedObject(objectID)
    }

    /// Gives inserted objects the IDs they will have in their stores.
    open func obtainPermanentIDs(for objects: [NSManagedObject]) throws { try makeIDsPermanent(of: objects) }

    /// Binds an inserted object to one of several stores that could take it.
    open func assign(_ object: Any, to store: NSPersistentStore) { bind(object, to: store) }

    // MARK: Fetching

    /// The results of a request, unsaved changes of this context included. The typed `fetch` goes through here.
    open func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
        try fetchResult(request.storage).boxed
    }

    /// How many results the request would have. The typed `count` goes through here.
    open func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int {
        try countResults(request.storage)
    }

    /// Executes a request of any kind.
    @discardableResult
    open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        checkQueue("execute(_:)")
        return try requiredCoordinator.executeForResult(request, in: self)
    }

    // MARK: Changes

    /// Whether objects were inserted, changed or deleted since the last save, by a merge, too.
    open var hasChanges: Bool {
        checkQueue("hasChanges")
        return tracker.hasChanges || !tracker.departed.isEmpty
    }

    open var insertedObjects: Set<NSManagedObject> {
        checkQueue("insertedObjects")
        return Set(tracker.inserted)
    }

    open var updatedObjects: Set<NSManagedObject> {
        checkQueue("updatedObjects")
        return Set(tracker.updated)
    }

    open var deletedObjects: Set<NSManagedObject> {
        checkQueue("deletedObjects")
        return Set(tracker.deleted + tracker.departed)
    }

    /// Takes in an object that was made without a context.
    open func insert(_ object: NSManagedObject) { takeIn(object) }

    /// Marks an object to be deleted with the next save. Delete rules are applied when changes are processed.
    open func delete(_ object: NSManagedObject) { markDeleted(object) }

    /// Ends the present event: applies delete rules and tells observers what changed since the last time. A
    /// block of `perform` ends with it by itself.
    open func processPendingChanges() { endEvent() }

    /// Checks at the next save that the row is still what this context read, though it does not change.
    open func detectConflicts(for object: NSManagedObject) { watch(object) }

    // MARK: Undo

    /// Takes back the last group of changes.
    open func undo() {
        processPendingChanges()
        undoManager?.undo()
    }

    /// Makes the changes again that were undone last.
    open func redo() {
        processPendingChanges()
        undoManager?.redo()
    }

    // MARK: Refreshing

    /// Throws away the object's values; `flag` puts its changes on top of what is read next, otherwise they are
    /// lost and the object becomes a fault.
    open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        refreshFromStore(object, keepingChanges: flag)
    }

    /// Refreshes every object, keeping changes.
    open func refreshAllObjects() {
        for object in registry.objects { refresh(object, mergeChanges: true) }
    }

    /// Puts everything back to what was last saved or fetched.
    open func rollback() { revert() }

    /// Forgets every object; those still held elsewhere are of no context any more.
    open func reset() {
        forgetObjects()
        advanceGeneration()
    }

    /// Whether an object whose row is gone becomes a deleted one without values; otherwise its use traps.
    open func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID,
        triggeredByProperty property: NSPropertyDescription?
    ) -> Bool {
        shouldDeleteInaccessibleFaults
    }

    // MARK: Saving and merging

    /// Writes every change to the stores, in one transaction a store. On an error nothing of that store is
    /// written and the context keeps its changes. Without changes nothing is written, and observers are told all the same:
    /// ask `hasChanges` first.
    open func save() throws {
        try saveChanges()
        advanceGeneration()
    }

    /// Takes over what another context saved: objects this one has are refreshed, keeping its own changes;
    /// deleted ones are deleted here too. They leave with the next save, which writes nothing for them, with a rollback
    /// or a reset; until then the context keeps them.
    open func mergeChanges(fromContextDidSave notification: Notification) {
        let isRemote = notification.object is NSPersistentHistoryTransaction
        merge(SavedChanges(notification.userInfo ?? [:], isRemote: isRemote, in: self))
    }

    /// The same for changes known by their IDs or URIs only, for several contexts.
    open class func mergeChanges(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any],
        into contexts: [NSManagedObjectContext]
    ) {
        for context in contexts {
            context.performAndWait {
                context.merge(SavedChanges(changeNotificationData, isRemote: true, in: context))
            }
        }
    }

    // MARK: Query generations

    /// The moment that reads are pinned to; nil if they see all that is committed, and the current one until a pinned
    /// context reads.
    open var queryGenerationToken: NSQueryGenerationToken? { generationToken }

    /// Pins what the context reads from now on to a moment: the current one, or that of another context of the same
    /// coordinator; nil ends it. Objects keep the values they have until they are refreshed.
    ///
    /// Saving, merging and resetting move a pinned context on to what is then current. Throws if a store has no
    /// write-ahead log, or the token is of another coordinator.
    open func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws { try pin(to: generation) }
}

extension NSManagedObjectContext {
    /// The coordinator, or a trap that says how to get one.
    final var requiredCoordinator: NSPersistentStoreCoordinator {
        guard let coordinator else {
            programmerError(
                "The context \(name.map { "\($0) " } ?? "")has no persistent store coordinator: set "
                    + "persistentStoreCoordinator before objects are inserted or fetched.")
        }
        return coordinator
    }

    private final func attach(_ new: NSPersistentStoreCoordinator?) {
        guard new !== coordinator else { return }
        if source != nil {
            programmerError(
                "A context that has a parent uses its parent's coordinator: set parent to nil first.")
        }
        if let new, coordinator != nil, !registry.objects.isEmpty {
            programmerError(
                "A context that has objects cannot change its coordinator to \(new): reset it first.")
        }
        publisher?.set(false, for: self)
        use(new)
    }

    final func use(_ coordinator: NSPersistentStoreCoordinator?) {
        self.coordinator = coordinator
        lastRead = nil
        advanceGeneration()
        publisher?.set(automaticallyMergesChangesFromParent, for: self)
        lentRegistry = Lent(ContextRegistry(of: link, model: coordinator?.frozen))
    }
}
