import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
public import Foundation

/// A unit of work: the objects that were fetched, inserted, changed and deleted, until they are saved or the
/// changes are thrown away.
///
/// A context is an identity map as well: it has at most one object of a row. It holds unchanged objects
/// weakly and changed ones strongly. It belongs to a queue; use it and its objects inside `perform` or
/// `performAndWait`, a main-queue context also on the main thread.
///
/// The class body has the methods that subclasses override. Each is one call into the extension that
/// implements it: `+Registering` (objects by ID), `+Fetching`, `+Changes` (insert, delete, processing),
/// `+Refreshing` (refresh, rollback, reset), `+Saving`, `+Merging`, `+Perform`. The framework itself calls
/// the overridable methods.
///
/// Unlike Apple's: `perform` on a main-queue context needs a program that runs the main queue, by a run loop,
/// `dispatchMain()` or an `async` main. A fault that is filled may see the store as it was up to a tenth of a
/// second ago, unless this process committed since; fetches, refreshed objects and merges see the latest
/// commit.
open class NSManagedObjectContext: NSObject, NSLocking, @unchecked Sendable {
    final private(set) var queue: BlockQueue
    final let link = Backlink<NSManagedObjectContext>()
    /// The coordinator; of a nested context, the one of the root.
    @exclusivity(unchecked) final var coordinator: NSPersistentStoreCoordinator?
    /// The parent as the stores that a nested context reads and saves.
    @exclusivity(unchecked) final var source: ContextParent?
    /// Nested contexts that automatically merge what is saved to this one.
    final let children = MergingContexts(turns: nil)
    /// Saves of other contexts that wait to be merged, if the context merges automatically.
    final var inbox: MergeInbox?
    /// The permanent references that were given to objects of the tree of nested contexts; only the root's
    /// are used.
    final let references = PermanentReferences()
    /// How many of the tree's permanent references this context has taken over.
    @exclusivity(unchecked) final var knownReferences = 0
    final var undoRecorder: UndoRecorder?
    /// Whether a merge is under way.
    final var isMerging = false
    /// The owner of the context, if its objects stand behind models of another class.
    package final weak var host: (any ContextHost)?
    /// Whether saves check objects first; a migration saves objects before they are complete.
    package final var validatesSaves = true
    /// Whether use of the context off its queue traps.
    final let checksQueue = ConcurrencyDebug.isOn
    @exclusivity(unchecked) private final var registryReference: UncountedReference<ContextRegistry>
    /// The row of the object that is made next; nil if that object is to be inserted.
    @exclusivity(unchecked) final var birth: ContextRegistry.Birth?
    final let tracker = ChangeTracker()
    final let faultHandler = FaultHandler()
    @exclusivity(unchecked) final var generation = ReadGeneration.latest
    /// The store that was read last, which the next read mostly needs too, and `StoreShelf.arrangement` at
    /// that time.
    @exclusivity(unchecked) final var lastRead: (arrangement: Int, handle: StoreHandle)?
    /// Objects kept alive although they have no changes: `retainsRegisteredObjects`.
    final var retained: Set<NSManagedObject> = []
    /// The handles, by store index, of stores of an app's own class, which have one backend per context.
    final var boundHandles: [Int16: StoreHandle] = [:]
    final var assignedStores: [ObjectIdentifier: NSPersistentStore] = [:]
    /// Tells controllers and observations of the changes of each event.
    final lazy var changeFeed = ContextChangeFeed(self)
    private let recursiveLock = NSRecursiveLock()

    /// Makes a context that belongs to a private queue, to the main queue or, for confinement, to none.
    ///
    /// It has no coordinator and no parent yet: set `persistentStoreCoordinator` or `parent` before it is
    /// used.
    public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
        queue = BlockQueue(ct)
        registryReference = UncountedReference(ContextRegistry(of: link, model: nil))
        super.init()
        link.lead(to: self)
    }

    /// Makes a context that belongs to a private queue or to the main queue.
    ///
    /// It has no coordinator and no parent yet: set `persistentStoreCoordinator` or `parent` before it is
    /// used.
    public convenience init(_ type: ConcurrencyType) {
        self.init(concurrencyType: type.rawValue)
    }

    /// Makes a context of the confinement type, without a queue: the caller keeps it to one thread at a time.
    ///
    /// `perform` traps on it; `performAndWait` runs the block at once.
    public convenience override init() {
        self.init(concurrencyType: .confinementConcurrencyType)
    }

    deinit {
        mergingContexts?.remove(inbox)
        undoRecorder?.stop(for: self)
        for object in registry.objectsWithSides + tracker.departed { object.side = [] }
    }

    /// The context's class, address and name.
    open override var description: String { Printing.head(self, named: name) }

    /// Returns what the framework keeps of an entity, in the model that the context works with.
    final func runtime(of entity: NSEntityDescription) -> EntityRuntime {
        withRegistry { $0.runtime(of: entity) }
    }

    final var registry: ContextRegistry { registryReference.object }

    /// Runs `body` with the registry without counting a reference to it, for loops over many objects.
    ///
    /// `body` must not replace the registry.
    @inline(__always)
    final func withRegistry<Result>(_ body: (ContextRegistry) -> Result) -> Result {
        registryReference.uncounted._withUnsafeGuaranteedRef(body)
    }

    // MARK: Configuration

    /// The queue that the context belongs to, set when the context is made.
    open var concurrencyType: NSManagedObjectContextConcurrencyType { queue.type }

    /// The coordinator whose stores the context reads and saves; a nested context has that of its parent.
    ///
    /// Traps if it is set for a context that has a parent, or replaced while the context has objects.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { coordinator }
        set { attach(newValue) }
    }

    /// The context to fetch from and to save to instead of a coordinator's stores; nil for a root.
    ///
    /// A nested context sees the unsaved changes of its parent in what it fetches, and its saves become
    /// unsaved changes of the parent, which the parent's own save writes. It fetches and faults on its own
    /// queue, which waits for the parent's; code on a parent's queue must never wait for a child. Set the
    /// parent once, before the context has objects; otherwise the setter traps.
    ///
    /// Unlike Apple's: a nested context sees the parent's values of objects that the parent has read, and the
    /// store's values of all others. Its changes to an object that the parent deleted meanwhile are dropped
    /// when it saves. Transient values reach the parent with a save, but a child never reads its parent's
    /// transient values.
    open var parent: NSManagedObjectContext? {
        get { source?.context }
        set { nest(in: newValue) }
    }

    /// The undo manager that records changes, event by event; nil, the default, records nothing.
    ///
    /// With an undo manager, a relationship is read before its members change, which costs a statement if it
    /// was not loaded.
    ///
    /// Unlike Apple's: what a merge, a merge policy or a rollback changes is not undone. Outside of the main
    /// run loop, `undo` and `redo` end the group of the event.
    open var undoManager: UndoManager? {
        get { undoRecorder?.manager }
        set { setUndoManager(newValue) }
    }

    /// A name for messages and debugging.
    open var name: String?
    /// The author of the changes, which the history of a store keeps with each transaction of this context;
    /// nil for none.
    open var transactionAuthor: String?
    /// Values of the app's own, which the framework does not use.
    open private(set) lazy var userInfo = NSMutableDictionary()
    /// The `NSMergePolicy` that decides what a save does about rows that changed since the context read them,
    /// and about unique values that are taken; `NSMergePolicy.error` unless set.
    ///
    /// A save traps if it is anything else.
    open var mergePolicy: Any = NSMergePolicy.error

    /// Whether delete rules are applied at the end of the event that deletes, rather than before the next
    /// save; true unless set.
    open var propagatesDeletesAtEndOfEvent = true
    /// Whether the context keeps unchanged objects alive as well; false unless set.
    @exclusivity(unchecked) open var retainsRegisteredObjects = false {
        didSet { retained = retainsRegisteredObjects ? Set(registry.objects) : [] }
    }
    /// Whether a fault whose row is gone becomes a deleted object without values; true unless set. If false,
    /// use of the fault traps.
    open var shouldDeleteInaccessibleFaults = true
    /// How old a cached row of another context may be, in seconds, to fill a fault: negative, the default,
    /// for any age. With any other number each fault reads the store.
    ///
    /// Unlike Apple's: every number that is not negative counts as 0, since cached rows do not have a time.
    @exclusivity(unchecked) open var stalenessInterval: TimeInterval = -1
    /// Whether the context merges by itself what other contexts of the coordinator save, or what is saved to
    /// its parent; false unless set.
    ///
    /// The merge runs on the context's queue soon after the save, or before the next block of the context. A
    /// context without a queue merges before its next `performAndWait`.
    ///
    /// Unlike Apple's: a nested context also takes over what its parent merges.
    open var automaticallyMergesChangesFromParent = false {
        didSet { mergingContexts?.set(automaticallyMergesChangesFromParent, for: self) }
    }

    /// Whether `withObservationTracking` sees which properties of the context's objects are read; false
    /// unless set.
    ///
    /// Reads then cost several times as much; nothing is added to those of other contexts.
    ///
    /// An addition to Apple's interface.
    @exclusivity(unchecked) public final var tracksObservation = false {
        didSet { for object in registry.objects { object.trackReads(tracksReads) } }
    }

    // The next two methods are not final, so that tests can override them to decide when a context merges.

    /// Returns the inbox for saves to merge; makes a new one if `turns` differs from the present inbox's.
    func inbox(waitingFor turns: MergeTurns?) -> MergeInbox {
        if let inbox, inbox.waits(for: turns) { return inbox }
        let new = MergeInbox(of: self, waitingFor: turns)
        inbox = new
        return new
    }

    /// Has the queue merge the saves in the inbox. The waiting block does not keep the context alive.
    func enqueueMerge(from inbox: MergeInbox) { queue.async { inbox.merge() } }

    /// Takes the context's recursive lock, which the framework itself does not use.
    open func lock() { recursiveLock.lock() }
    /// Releases the context's recursive lock.
    open func unlock() { recursiveLock.unlock() }
    /// Takes the context's recursive lock if no other thread holds it, and returns whether it did.
    open func tryLock() -> Bool { recursiveLock.try() }

    // MARK: Queue

    /// Runs a block on the context's queue, later, and processes changes when it ends.
    ///
    /// Returns at once; blocks run in the order of the calls. Traps for a context without a queue.
    ///
    /// Unlike Apple's: on a main-queue context the program has to run the main queue. A block written in an
    /// actor's code runs on the context's queue as well.
    open func perform(_ block: @escaping () -> Void) { basePerform(block) }

    /// Runs a block on the context's queue, waits for it, and processes changes when it ends.
    ///
    /// On the queue itself, and inside a block of another queue that this one waits for, the block runs at
    /// once and its changes belong to the event that goes on. A context without a queue runs it on this
    /// thread.
    open func performAndWait(_ block: () -> Void) { basePerformAndWait(block) }

    // MARK: Objects by ID

    /// Every object that the context has, including faults and objects that merges deleted since the last
    /// save.
    open var registeredObjects: Set<NSManagedObject> {
        checkQueue("registeredObjects")
        return Set(registry.objects + tracker.departed)
    }

    /// Returns the object of an ID if the context has it already; never reads the store.
    ///
    /// Unlike Apple's: nil for an object that a merge deleted.
    open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
        baseRegisteredObject(for: objectID)
    }

    /// Returns the object of an ID, as a fault if the context does not have it.
    ///
    /// Does not ask the store whether there is a row: using the object then does, and follows
    /// `shouldDeleteInaccessibleFaults`. Traps if the ID is of a store that the coordinator does not have.
    open func object(with objectID: NSManagedObjectID) -> NSManagedObject { baseObject(with: objectID) }

    /// Returns the object of an ID with its values, reading the store if need be.
    ///
    /// An object that the context has loaded is returned as it is, also one that is to be deleted. Traps if
    /// the ID is of a store that the coordinator does not have, or the store cannot be read.
    ///
    /// - Throws: `NSManagedObjectReferentialIntegrityError` (133000) in `NSCocoaErrorDomain` if there is no
    ///   such row.
    open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        try baseExistingObject(with: objectID)
    }

    /// Gives inserted objects the IDs that they will have in their stores, before they are saved.
    ///
    /// Objects that have permanent IDs are passed over. Costs one transaction per store; keys that are not
    /// used later stay unused.
    ///
    /// - Throws: In `NSCocoaErrorDomain`, `NSPersistentStoreSaveError` (134030) if no writable store holds
    ///   the entity, `NSPersistentStoreTimeoutError` (134090) if other connections lock the store too long,
    ///   `NSSQLiteError` (134180) or a file error of `CocoaError` if it cannot be written; whatever a store
    ///   of an app's own class throws.
    open func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
        try baseObtainPermanentIDs(for: objects)
    }

    /// Decides which store an inserted object is saved to, where several could take it.
    ///
    /// An object that is not assigned goes to the first writable store whose configuration has its entity.
    /// Traps if the object is saved already, or the store does not hold its entity.
    open func assign(_ object: Any, to store: NSPersistentStore) { baseAssign(object, to: store) }

    // MARK: Fetching

    /// Returns the results of a request, with the unsaved changes of this context on top unless the request
    /// leaves them aside.
    ///
    /// The typed `fetch` of a subclass goes through here. Traps for a request without an entity that the
    /// model has.
    ///
    /// Unlike Apple's: what SQL cannot express of the predicate or sort order (closures, comparators,
    /// functions) is tested and sorted in memory, on the objects.
    ///
    /// - Throws: In `NSCocoaErrorDomain`, `NSCoreDataError` (134060) for keys that the model does not have,
    ///   transient properties and what no store can answer; `NSPersistentStoreTimeoutError` (134090) if other
    ///   connections lock a store too long; `NSSQLiteError` (134180) or `CocoaError.fileReadCorruptFile`
    ///   (259) if it cannot be read; whatever a store of an app's own class throws.
    open func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
        try fetchResult(request.storage).boxed
    }

    /// Returns how many results a request would have, with its limit and offset; of dictionaries, how many
    /// groups or distinct ones.
    ///
    /// The typed `count` goes through here. Makes no objects, unless the predicate has parts that SQL cannot
    /// express.
    ///
    /// - Throws: The errors of `fetch(_:)`.
    open func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int {
        try countResults(request.storage)
    }

    /// Executes a batch, a request on history or an asynchronous fetch, and returns its result.
    ///
    /// Fetch requests are for `fetch(_:)`. A batch writes to the stores at once and bypasses the context:
    /// merge its result to update objects.
    ///
    /// - Throws: In `NSCocoaErrorDomain`, `NSPersistentStoreUnsupportedRequestTypeError` (134091) for a
    ///   request of another kind, or one that no store of the coordinator answers; `NSCoreDataError` (134060)
    ///   for keys and values that the model does not have; `NSPersistentStoreOperationError` (134070) for a
    ///   store that is not the coordinator's; `NSValidationRelationshipDeniedDeleteError` (1600) for a
    ///   deletion that a rule denies; `NSManagedObjectConstraintMergeError` (133021) for values that are
    ///   taken; `NSPersistentHistoryTokenExpiredError` (134301); those of reading and writing a store:
    ///   `NSPersistentStoreTimeoutError` (134090), `NSSQLiteError` (134180), file errors of `CocoaError`.
    @discardableResult
    open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        checkQueue("execute(_:)")
        return try requiredCoordinator.executeForResult(request, in: self)
    }

    // MARK: Changes

    /// Whether objects were inserted, changed or deleted since the last save, also by a merge.
    ///
    /// True as well if all values were set back to what the store has.
    open var hasChanges: Bool {
        checkQueue("hasChanges")
        return tracker.hasChanges || !tracker.departed.isEmpty
    }

    /// The objects that the next save inserts.
    open var insertedObjects: Set<NSManagedObject> {
        checkQueue("insertedObjects")
        return Set(tracker.inserted)
    }

    /// The objects that changed since the last save, without inserted and deleted ones.
    open var updatedObjects: Set<NSManagedObject> {
        checkQueue("updatedObjects")
        return Set(tracker.updated)
    }

    /// The objects that the next save deletes, and those that merges deleted since the last save.
    open var deletedObjects: Set<NSManagedObject> {
        checkQueue("deletedObjects")
        return Set(tracker.deleted + tracker.departed)
    }

    /// Inserts a transient object into the context, which calls its `awakeFromInsert()`.
    ///
    /// An object of this context that is to be deleted is kept instead. Traps if the object is in another
    /// context, or the context has no coordinator.
    open func insert(_ object: NSManagedObject) { baseInsert(object) }

    /// Marks an object to be deleted by the next save, after calling its `prepareForDeletion()`.
    ///
    /// Delete rules are applied when changes are processed, or before a fetch. An object that was never saved
    /// leaves the context then. Traps if the object is in another context.
    open func delete(_ object: NSManagedObject) { baseDelete(object) }

    /// Ends the present event: applies delete rules, notes the changes for undo, and tells observers what
    /// changed.
    ///
    /// Posts `NSManagedObjectContextObjectsDidChange` if anything did. A block of `perform` ends its event by
    /// itself.
    open func processPendingChanges() { baseProcessPendingChanges() }

    /// Has the next save check that the row of an object is still the one that this context read, even if the
    /// object does not change.
    open func detectConflicts(for object: NSManagedObject) { baseDetectConflicts(for: object) }

    // MARK: Undo

    /// Takes back the last group of changes; does nothing without an undo manager.
    open func undo() {
        processPendingChanges()
        undoManager?.undo()
    }

    /// Makes the changes again that were undone last; does nothing without an undo manager.
    open func redo() {
        processPendingChanges()
        undoManager?.redo()
    }

    // MARK: Refreshing

    /// Drops the values of an object, to be read from the store again.
    ///
    /// Unlike Apple's: an inserted object that is refreshed without merging leaves its relationships and has
    /// the values of a new object when it is used next.
    ///
    /// - Parameters:
    ///   - object: An object of the context.
    ///   - flag: Whether the object's changes are put on top of what is read now; otherwise they are lost and
    ///     the object becomes a fault.
    open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        baseRefresh(object, mergeChanges: flag)
    }

    /// Refreshes every object of the context, keeping changes.
    open func refreshAllObjects() {
        for object in registry.objects { refresh(object, mergeChanges: true) }
    }

    /// Puts every object back to what was last saved or fetched, and takes inserted objects out of the
    /// context.
    ///
    /// The store is not read. Drops all actions of the undo manager. A pinned context stays pinned.
    ///
    /// Unlike Apple's: also detaches objects that a merge deleted.
    open func rollback() { baseRollback() }

    /// Detaches every object: the context is as empty as a new one, and unsaved changes are lost.
    ///
    /// Objects that the app still holds belong to no context and read as nil. Posts
    /// `NSManagedObjectContextObjectsDidChange` with `NSInvalidatedAllObjectsKey`.
    open func reset() {
        baseReset()
        advanceGeneration()
    }

    /// Returns whether an object whose row is gone becomes a deleted one without values; otherwise its use
    /// traps.
    ///
    /// Returns `shouldDeleteInaccessibleFaults` unless overridden.
    ///
    /// - Parameters:
    ///   - fault: The object that is used.
    ///   - oid: Its ID.
    ///   - property: The property that was read, if it is known.
    open func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID,
        triggeredByProperty property: NSPropertyDescription?
    ) -> Bool {
        shouldDeleteInaccessibleFaults
    }

    // MARK: Saving and merging

    /// Writes every change to the stores, in one transaction per store; a nested context's changes become its
    /// parent's.
    ///
    /// Calls `willSave()` of changed objects, checks them, and writes. If a store fails, nothing is written
    /// to it and the context keeps the changes; other stores may have been saved (134040). Without changes
    /// nothing is written, but the notifications are posted: check `hasChanges` first. `mergePolicy` resolves
    /// conflicts, repeatedly while other writers commit newer rows.
    ///
    /// Unlike Apple's: a policy that leaves the same conflicts eight times fails the save with 134050.
    ///
    /// - Throws: In `NSCocoaErrorDomain`, the errors of `validateForInsert()`, `validateForUpdate()` and
    ///   `validateForDelete()` (1550-1680), several as `NSValidationMultipleErrorsError` (1560);
    ///   `NSManagedObjectExternalRelationshipError` (133010) for relationships between stores;
    ///   `NSManagedObjectMergeError` (133020) and `NSManagedObjectConstraintMergeError` (133021) for
    ///   conflicts that the policy reports, and `NSPersistentStoreSaveConflictsError` (134050) for those it
    ///   does not resolve; `NSPersistentStoreSaveError` (134030) if no writable store holds an entity, or
    ///   another process has replaced the file; `NSPersistentStoreIncompleteSaveError` (134040) if some of
    ///   several stores are saved; `NSCoreDataError` (134060) for values that a store cannot hold;
    ///   `NSPersistentStoreTimeoutError` (134090); `NSSQLiteError` (134180);
    ///   `CocoaError.fileWriteNoPermission` (513), `.fileWriteOutOfSpace` (640) and other file errors.
    open func save() throws {
        try baseSave()
        advanceGeneration()
    }

    /// Merges the changes that another context saved, which its notification lists.
    ///
    /// Updated objects that this context has are refreshed, keeping its own changes; inserted ones become
    /// faults; deleted ones count as deleted until the next save, which writes nothing for them, a rollback
    /// or a reset. Posts `NSManagedObjectContextDidMergeChangesObjectIDs`.
    ///
    /// Unlike Apple's: an object that a merge deleted is not found by its ID any more, and
    /// `prepareForDeletion()`, `willSave()` and `didSave()` are not called for it. A changed row that the
    /// context does not have becomes a fault if a fetched results controller follows its entity.
    ///
    /// - Parameter notification: A did-save notification of a context, with objects or with IDs, or that of a
    ///   history transaction.
    open func mergeChanges(fromContextDidSave notification: Notification) {
        let isRemote = notification.object is NSPersistentHistoryTransaction
        merge(SavedChanges(notification.userInfo ?? [:], isRemote: isRemote, in: self))
    }

    /// Takes changes over into several contexts, on their queues, one after the other, and waits for them.
    ///
    /// - Parameters:
    ///   - changeNotificationData: Objects, IDs or URIs under the keys of a save notification, as the results
    ///     of batches and history have them.
    ///   - contexts: The contexts that take the changes over.
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

    /// The query generation that reads are pinned to; nil if reads see every commit, and `.current` until a
    /// pinned context reads.
    open var queryGenerationToken: NSQueryGenerationToken? { generationToken }

    /// Pins the snapshot of the stores that the context reads from: the current one, or that of another
    /// context of the coordinator; nil ends it.
    ///
    /// Objects keep the values that they have until they are refreshed. Saving, merging and resetting move a
    /// pinned context to the then current snapshot. While a SQLite store is pinned, its write-ahead log
    /// cannot be checkpointed, and grows.
    ///
    /// Unlike Apple's: stores in one file and in memory can be pinned as well; a SQLite store in another
    /// journal mode than WAL cannot.
    ///
    /// - Throws: In `NSCocoaErrorDomain`, `NSPersistentStoreUnsupportedRequestTypeError` (134091) if a store
    ///   has no query generations; `NSCoreDataError` (134060) for a nested context, or a token of another
    ///   coordinator; the error of a store that cannot be read.
    open func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
        try baseSetQueryGeneration(from: generation)
    }
}

extension NSManagedObjectContext {
    /// The coordinator; traps if there is none, saying how to set one.
    final var requiredCoordinator: NSPersistentStoreCoordinator {
        guard let coordinator else {
            programmerError(
                "The context \(name.map { "\($0) " } ?? "")has no persistent store coordinator: set "
                    + "persistentStoreCoordinator before objects are inserted or fetched.")
        }
        return coordinator
    }

    /// Gives a context of the confinement type a private queue, on which it is used from now on.
    ///
    /// The caller is the only one that uses the context, and has it in no block.
    package final func moveToPrivateQueue() {
        guard queue.type == .confinementConcurrencyType else { return }
        queue = BlockQueue(.privateQueueConcurrencyType)
        inbox?.useQueue()
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
        mergingContexts?.set(false, for: self)
        use(new)
    }

    final func use(_ coordinator: NSPersistentStoreCoordinator?) {
        self.coordinator = coordinator
        lastRead = nil
        advanceGeneration()
        mergingContexts?.set(automaticallyMergesChangesFromParent, for: self)
        registryReference = UncountedReference(ContextRegistry(of: link, model: coordinator?.frozen))
    }
}
