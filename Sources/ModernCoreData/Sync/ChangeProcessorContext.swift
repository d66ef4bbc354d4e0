public import CoreData

/// The surroundings that a change processor works with: a ``SyncCoordinator``, or a double in a test.
public protocol ChangeProcessorContext: AnyObject, Sendable {
    /// The context that is synced, on whose queue processors are called.
    var context: NSManagedObjectContext { get }

    /// Runs a block on the context's queue, later.
    func perform(_ block: @escaping () -> Void)

    /// Runs a block on the context's queue when some time has passed.
    func perform(after delay: Duration, _ block: @escaping () -> Void)

    /// Saves once what is running and waiting on the queue is done, or rolls back what was not saved.
    ///
    /// However often it is called until then, it saves once.
    func delayedSaveOrRollback()

    /// Offers objects to all processors, as if they had just been saved.
    func processChangedLocalObjects(_ objects: [NSManagedObject])
}

extension ChangeProcessorContext {
    /// Turns a block that works with objects into one that may be called on any thread, such as the
    /// completion handler of a request: it runs on the context's queue, later.
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
    /// The request runs on any thread and cannot use objects: take from them what it needs before.
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
