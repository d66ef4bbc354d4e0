public import CoreData

/// A coordinator that keeps a context in step with a service through change processors.
///
/// Processors are called for what any context of the same coordinator saves to the store, for what the app
/// merges into the synced context and, when syncing starts, for what still waits. All this happens on the
/// queue of the synced context, which merges what other contexts save. Objects that fail wait for their turn;
/// a save that fails is rolled back, and what waits is offered again: nothing is lost, since what is to be
/// done lies in the store.
///
/// The methods may be called on any thread, except those of `ChangeProcessorContext` that are called with
/// objects.
public final class SyncCoordinator: ChangeProcessorContext, @unchecked Sendable {
    /// The synced context, which only the coordinator and its processors use.
    public let context: NSManagedObjectContext
    /// The handler for errors of the store, called on the context's queue; syncing continues.
    ///
    /// Set it before syncing starts.
    public var onError: (any Error) -> Void = { _ in }
    /// The time to wait before what waits is offered again after an error of the store.
    ///
    /// Set it before syncing starts.
    public var backoff = Backoff()

    let changeProcessors: [any ChangeProcessor]
    var tokens: [any NSObjectProtocol] = []
    var isRunning: Bool { !tokens.isEmpty }
    private var failures = 0

    /// Makes a coordinator that syncs a context.
    ///
    /// - Parameters:
    ///   - context: The context. It has a queue of its own and a merge policy that resolves conflicts between
    ///     the service and the user, and does not merge automatically.
    ///   - changeProcessors: The processors, called in this order.
    public init(context: NSManagedObjectContext, changeProcessors: [any ChangeProcessor]) {
        self.context = context
        self.changeProcessors = changeProcessors
    }

    /// Makes a coordinator that syncs a new background context of a container, named "Sync".
    ///
    /// The service wins conflicts property by property. The view context merges what is synced, from now on;
    /// its queue is waited for.
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

    /// Begins to sync: sets up the processors, asks the service for its records, deletes objects marked a
    /// while ago, and offers what waits.
    ///
    /// It does nothing if syncing has begun.
    public func start() {
        perform { [self] in
            guard !isRunning else { return }
            observe()
            // Saves before now were not followed.
            context.refreshAllObjects()
            for processor in changeProcessors { processor.setup(for: self) }
            for processor in changeProcessors { processor.fetchLatestRemoteRecords(in: self) }
            deleteMarkedObjects()
            processLocallyTrackedObjects()
        }
    }

    /// Ends syncing and waits until processors are told of nothing more.
    ///
    /// An answer to what was sent is still noted, but nothing else is sent.
    public func stop() {
        context.performAndWait {
            tokens.forEach(NotificationCenter.default.removeObserver)
            tokens = []
        }
    }

    /// Asks the service for its records, as when syncing starts.
    public func fetchLatestRemoteRecords() {
        perform { [self] in
            for processor in changeProcessors where isRunning { processor.fetchLatestRemoteRecords(in: self) }
        }
    }

    /// Offers the processors what waits in the store.
    ///
    /// Syncing does so by itself when it starts; call it when another process may have written to the store.
    public func fetchLocallyTrackedObjects() {
        perform { [self] in processLocallyTrackedObjects() }
    }

    /// Has all processors take in changes made at the service, and saves.
    ///
    /// - Throws: The error of the save; nothing was taken in then.
    public nonisolated(nonsending) func processRemoteChanges<Record: Sendable>(
        _ changes: [RemoteRecordChange<Record>]
    ) async throws {
        try await context.perform { [self] in
            // Earlier changes of processors must not be rolled back with this one.
            try save()
            for processor in changeProcessors { processor.processRemoteChanges(changes, in: self) }
            try save()
        }
    }

    // MARK: ChangeProcessorContext

    /// Runs a block on the context's queue, later.
    public func perform(_ block: @escaping () -> Void) {
        context.perform(block)
    }

    /// Runs a block on the context's queue when some time has passed.
    public func perform(after delay: Duration, _ block: @escaping () -> Void) {
        let run: @Sendable () -> Void = perform(block)
        Task {
            try await Task.sleep(for: delay)
            run()
        }
    }

    /// Saves once what is running and waiting on the queue is done, or rolls back what was not saved.
    public func delayedSaveOrRollback() {
        perform { [self] in try? save() }
    }

    /// Offers objects to all processors, if syncing has begun.
    ///
    /// Call it on the context's queue.
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

    /// Fetches what is to be done again in a while, since after an error of the store only the store knows
    /// it.
    private func lookAgain(after error: any Error) {
        failures += 1
        onError(error)
        perform(after: backoff.delay(afterFailures: failures)) { [self] in processLocallyTrackedObjects() }
    }
}
