public import CoreData

/// Keeps a context in step with a service through change processors.
///
/// What any context of the same coordinator saves to the store wakes the processors, and so does what the app
/// merges into the synced context; when syncing starts, they are offered what still waits. Everything happens on
/// the queue of the synced context, which takes over what others save. Objects that fail wait for their turn, a
/// save that fails is taken back and what waits is offered again: nothing is lost, as what is to be done lies in
/// the store.
public final class SyncCoordinator: ChangeProcessorContext, @unchecked Sendable {
    /// The synced context. Used by the coordinator and its processors only.
    public let context: NSManagedObjectContext
    /// Told of errors of the store, on the context's queue; syncing goes on. Set before syncing starts.
    public var onError: (any Error) -> Void = { _ in }
    /// How long to wait before what waits is offered again after an error of the store. Set before syncing starts.
    public var backoff = Backoff()

    let changeProcessors: [any ChangeProcessor]
    var tokens: [any NSObjectProtocol] = []
    var isRunning: Bool { !tokens.isEmpty }
    private var failures = 0

    /// - Parameter context: Has a queue of its own, a merge policy that settles conflicts between what the service
    ///   and the user say, and merges nothing by itself.
    public init(context: NSManagedObjectContext, changeProcessors: [any ChangeProcessor]) {
        self.context = context
        self.changeProcessors = changeProcessors
    }

    /// Syncs a new background context of a container, named "Sync", with the service winning conflicts property by
    /// property. The view context takes over what is synced, from now on; its queue is waited for.
    public convenience init(container: NSPersistentContainer, changeProcessors: [any ChangeProcessor]) {
        let context = container.newBackgroundContext()
        context.name = "Sync"
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let viewContext = container.viewContext
        viewContext.performAndWait { viewContext.automaticallyMergesChangesFromParent = true }
        self.init(context: context, changeProcessors: changeProcessors)
    }

    deinit { tokens.forEach(NotificationCenter.default.removeObserver) }

    // MARK: Running

    /// Begins to sync: sets up the processors, asks the service for what it has, deletes what was marked a while
    /// ago, and offers what waits. Does nothing if it has begun.
    public func start() {
        perform { [self] in
            guard !isRunning else { return }
            observe()
            // What was saved until now was not followed.
            context.refreshAllObjects()
            for processor in changeProcessors { processor.setup(for: self) }
            for processor in changeProcessors { processor.fetchLatestRemoteRecords(in: self) }
            deleteMarkedObjects()
            processLocallyTrackedObjects()
        }
    }

    /// Ends syncing and waits until processors are told of nothing more. What was sent is still noted when it is
    /// answered, but nothing else is sent.
    public func stop() {
        context.performAndWait {
            tokens.forEach(NotificationCenter.default.removeObserver)
            tokens = []
        }
    }

    /// Asks the service for what it has, as when syncing starts.
    public func fetchLatestRemoteRecords() {
        perform { [self] in
            for processor in changeProcessors where isRunning { processor.fetchLatestRemoteRecords(in: self) }
        }
    }

    /// Offers the processors what waits in the store. Syncing does so by itself when it starts; call it when another
    /// process may have written to the store.
    public func fetchLocallyTrackedObjects() {
        perform { [self] in processLocallyTrackedObjects() }
    }

    /// Has all processors take in what changed at the service, and saves. Throws if that fails: nothing was taken
    /// in then.
    public nonisolated(nonsending) func processRemoteChanges<Record: Sendable>(
        _ changes: [RemoteRecordChange<Record>]
    ) async throws {
        try await context.perform { [self] in
            // What processors noted before is not to be taken back with it.
            try save()
            for processor in changeProcessors { processor.processRemoteChanges(changes, in: self) }
            try save()
        }
    }

    // MARK: ChangeProcessorContext

    public func perform(_ block: @escaping () -> Void) {
        context.perform(block)
    }

    public func perform(after delay: Duration, _ block: @escaping () -> Void) {
        let run: @Sendable () -> Void = perform(block)
        Task {
            try await Task.sleep(for: delay)
            run()
        }
    }

    public func delayedSaveOrRollback() {
        perform { [self] in try? save() }
    }

    public func processChangedLocalObjects(_ objects: [NSManagedObject]) {
        guard !objects.isEmpty else { return }
        for processor in changeProcessors where isRunning {
            processor.processChangedLocalObjects(objects, in: self)
        }
    }

    // MARK: The store

    private func deleteMarkedObjects() {
        do { try context.batchDeleteObjectsMarkedForLocalDeletion() } catch { lookAgain(after: error) }
    }

    private func processLocallyTrackedObjects() {
        guard isRunning else { return }
        do {
            var objects: Set<NSManagedObject> = []
            for processor in changeProcessors {
                guard let tracked = processor.entityAndPredicateForLocallyTrackedObjects(in: self) else {
                    continue
                }
                objects.formUnion(try context.fetch(tracked.fetchRequest))
            }
            processChangedLocalObjects(Array(objects))
        } catch {
            lookAgain(after: error)
        }
    }

    private func save() throws {
        guard context.hasChanges else { return }
        do {
            try context.saveRollingBack()
            failures = 0
        } catch {
            lookAgain(after: error)
            throw error
        }
    }

    /// After an error of the store nobody else knows what is to be done: it is looked for in a while.
    private func lookAgain(after error: any Error) {
        failures += 1
        onError(error)
        perform(after: backoff.delay(afterFailures: failures)) { [self] in processLocallyTrackedObjects() }
    }
}
