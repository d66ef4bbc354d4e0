public import CoreData

/// The environment in which a change processor works: a ``SyncCoordinator``, or a test double.
public protocol ChangeProcessorContext: AnyObject, Sendable {
    /// The synced context, on whose queue processors are called.
    var context: NSManagedObjectContext { get }

    /// Schedules a block on the context's queue and returns at once.
    func perform(_ block: @escaping () -> Void)

    /// Schedules a block on the context's queue after a delay, and returns at once.
    func perform(after delay: Duration, _ block: @escaping () -> Void)

    /// Schedules a save after the work that is running and waiting on the queue. If the save fails, unsaved
    /// changes are rolled back.
    ///
    /// Several calls before that lead to one save.
    func delayedSaveOrRollback()

    /// Offers objects to all processors, as if they had just been saved.
    func processChangedLocalObjects(_ objects: [NSManagedObject])
}

extension ChangeProcessorContext {
    /// Turns a block that works with objects into one that may be called on any thread, such as the
    /// completion handler of a request. A call schedules the block on the context's queue.
    ///
    ///     service.upload(drafts, completion: context.perform { ids, error in
    ///         note.remoteIdentifier = ids.first
    ///     })
    public func perform<each Argument: Sendable>(
        _ block: @escaping (repeat each Argument) -> Void
    ) -> @Sendable (repeat each Argument) -> Void {
        nonisolated(unsafe) let block = CallerIsolation.keeping(block)
        return { (argument: repeat each Argument) in
            self.perform { block(repeat each argument) }
        }
    }

    /// Sends a request and runs a block with its result on the context's queue.
    ///
    /// The request runs on any thread and cannot use objects: copy the values that it needs beforehand.
    ///
    ///     let drafts = notes.map(Draft.init)
    ///     context.request { [service] in try await service.upload(drafts) } then: { result in … }
    public func request<Answer: Sendable>(
        _ request: @escaping @Sendable () async throws -> Answer,
        then handler: @escaping (Result<Answer, any Error>) -> Void
    ) {
        let finish: @Sendable (Result<Answer, any Error>) -> Void = perform(handler)
        Task {
            do {
                finish(.success(try await request()))
            } catch {
                finish(.failure(error))
            }
        }
    }
}
