public import CoreData

/// A coordinator that keeps a context synchronized with a service by means of change processors.
///
/// Processors are called for changes that any context of the same persistent store coordinator saves, for
/// changes that the app merges into the synced context and, when syncing starts, for objects that still need
/// processing. All this happens on the queue of the synced context, which merges the changes that other
/// contexts save. Objects that failed are processed again later. A save that fails is rolled back, and
/// objects that still need processing are offered again. Nothing is lost, since the store holds what is to be
/// done.
///
/// The methods may be called on any thread, except the methods of `ChangeProcessorContext` that take objects.
public final class SyncCoordinator: ChangeProcessorContext, @unchecked Sendable {
    /// The synced context, which only the coordinator and its processors use.
    public let context: NSManagedObjectContext
    /// The handler for errors of the store, called on the context's queue; syncing continues.
    ///
    /// Set it before syncing starts.
    public var onError: (any Error) -> Void = { _ in }
    /// The time to wait after an error of the store before objects that still need processing are offered
    /// again.
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
    ///   - context: The context. It needs a queue of its own and a merge policy that resolves conflicts
    ///     between the service and the user, and must not merge changes automatically.
    ///   - changeProcessors: The processors, called in this order.
    public init(context: NSManagedObjectContext, changeProcessors: [any ChangeProcessor]) {
        self.context = context
        self.changeProcessors = changeProcessors
    }

    /// Makes a coordinator that syncs a new background context of a container, named "Sync".
    ///
    /// The service wins conflicts property by property. The view context merges synced changes from now on;
    /// the initializer waits for its queue.
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

    /// Starts syncing: sets up the processors, requests the service's records, deletes objects that were
    /// marked some time ago, and offers the objects that need processing.
    ///
    /// It does nothing if syncing has already started.
    public func start() {
        perform { [self] in
            guard !isRunning else { return }
            observe()
            // Saves before this moment were not observed.
            context.refreshAllObjects()
            for processor in changeProcessors { processor.setup(for: self) }
            for processor in changeProcessors { processor.fetchLatestRemoteRecords(in: self) }
            deleteMarkedObjects()
            processLocallyTrackedObjects()
        }
    }

    /// Ends syncing, and returns when no processor will be called with changes any more.
    ///
    /// Answers to requests that were already sent are still recorded, but nothing else is sent.
    public func stop() {
        context.performAndWait {
            tokens.forEach(NotificationCenter.default.removeObserver)
            tokens = []
        }
    }

    /// Requests the service's records, as when syncing starts.
    public func fetchLatestRemoteRecords() {
        perform { [self] in
            for processor in changeProcessors where isRunning { processor.fetchLatestRemoteRecords(in: self) }
        }
    }

    /// Offers the processors the objects in the store that need processing.
    ///
    /// This happens automatically when syncing starts; call it when another process may have written to the
    /// store.
    public func fetchLocallyTrackedObjects() {
        perform { [self] in processLocallyTrackedObjects() }
    }

    /// Has all processors apply changes made at the service, and saves.
    ///
    /// - Throws: The error of the save. In that case no change was applied.
    public nonisolated(nonsending) func processRemoteChanges<Record: Sendable>(
        _ changes: [RemoteRecordChange<Record>]
    ) async throws {
        try await context.perform { [self] in
            // Earlier changes of processors must not be rolled back together with these.
            try save()
            for processor in changeProcessors { processor.processRemoteChanges(changes, in: self) }
            try save()
        }
    }

    // MARK: ChangeProcessorContext

    /// Schedules a block on the context's queue and returns at once.
    public func perform(_ block: @escaping () -> Void) {
        context.perform(block)
    }

    /// Schedules a block on the context's queue after a delay, and returns at once.
    public func perform(after delay: Duration, _ block: @escaping () -> Void) {
        let run: @Sendable () -> Void = perform(block)
        Task {
            try await Task.sleep(for: delay)
            run()
        }
    }

    /// Schedules a save after the work that is running and waiting on the queue. If the save fails, unsaved
    /// changes are rolled back.
    public func delayedSaveOrRollback() {
        perform { [self] in try? save() }
    }

    /// Offers objects to all processors, if syncing has started.
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

    /// Schedules another fetch of the objects that need processing. After an error of the store, only the
    /// store knows which these are.
    private func lookAgain(after error: any Error) {
        failures += 1
        onError(error)
        perform(after: backoff.delay(afterFailures: failures)) { [self] in processLocallyTrackedObjects() }
    }
}
