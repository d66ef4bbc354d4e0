/// A context or a coordinator, which run blocks on a queue; only the framework adds conformances.
///
/// The methods that return a result are in an extension of this protocol, so that an app may declare them
/// itself in an extension of the class, which takes precedence.
public protocol BlockPerforming: AnyObject {
    /// Runs a block on the queue, later.
    func perform(_ block: @escaping () -> Void)
    /// Runs a block on the queue and waits for it.
    func performAndWait(_ block: () -> Void)
}

extension NSManagedObjectContext: BlockPerforming {}

extension NSPersistentStoreCoordinator: BlockPerforming {}

extension BlockPerforming {
    /// Runs a block on the queue, waits for it, and returns its result.
    ///
    /// Unlike Apple's: throws the block's error type instead of rethrowing any error.
    ///
    /// - Throws: The error that the block throws.
    public func performAndWait<T, Failure: Error>(_ block: () throws(Failure) -> T) throws(Failure) -> T {
        var result: Result<T, Failure>?
        performAndWait { result = Result(catching: block) }
        return try Self.outcome(result)
    }

    /// Passes `run` a block without a result, waits until it has run, and returns the result of `block`.
    nonisolated(nonsending) func outcome<T, Failure: Error>(
        of block: @escaping () throws(Failure) -> T, runBy run: (@escaping () -> Void) -> Void
    ) async throws(Failure) -> T {
        nonisolated(unsafe) var result: Result<T, Failure>?
        nonisolated(unsafe) let block = block
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            run {
                result = Result(catching: block)
                continuation.resume()
            }
        }
        return try Self.outcome(result)
    }

    private static func outcome<T, Failure: Error>(_ result: Result<T, Failure>?) throws(Failure) -> T {
        guard let result else {
            programmerError(
                "\(Self.self) overrides perform or performAndWait without running the block: call super's.")
        }
        return try result.get()
    }
}

extension NSManagedObjectContext {
    /// Runs a block on the context's queue and returns its result; changes are processed when it ends.
    ///
    /// Suspends the task, and blocks no thread. Objects of the context must not leave the block.
    ///
    /// Unlike Apple's: throws the block's error type instead of rethrowing any error. A block written in an
    /// actor's code runs on the context's queue as well.
    ///
    /// - Parameters:
    ///   - schedule: Whether the block runs at once if the caller is on the context's queue, as the main
    ///     actor is on the main queue, or after the blocks that are on the queue already.
    ///   - block: The block.
    /// - Throws: The error that the block throws.
    public nonisolated(nonsending) final func perform<T, Failure: Error>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping () throws(Failure) -> T
    ) async throws(Failure) -> T {
        try await outcome(of: block) { work in
            if schedule == .immediate, queue.isCurrent {
                performAndWait(work)
                processPendingChanges()
            } else {
                perform(work)
            }
        }
    }
}

extension NSPersistentStoreCoordinator {
    /// Runs a block on the coordinator's queue and returns its result.
    ///
    /// Suspends the task, and blocks no thread.
    ///
    /// Unlike Apple's: throws the block's error type instead of rethrowing any error.
    ///
    /// - Throws: The error that the block throws.
    public nonisolated(nonsending) final func perform<T, Failure: Error>(
        _ block: @escaping () throws(Failure) -> T
    ) async throws(Failure) -> T {
        try await outcome(of: block) { perform($0) }
    }
}
