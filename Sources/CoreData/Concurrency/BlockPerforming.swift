/// Contexts and coordinators: they run blocks on a queue. The forms that hand back a result lie in the protocol's
/// extension to leave room for clients that declare them for themselves: those, in an extension of the class, come
/// first.
public protocol BlockPerforming: AnyObject {
    func perform(_ block: @escaping () -> Void)
    func performAndWait(_ block: () -> Void)
}

extension NSManagedObjectContext: BlockPerforming {}

extension NSPersistentStoreCoordinator: BlockPerforming {}

extension BlockPerforming {
    /// Runs a block on the queue, waits, and hands back what it returns or throws.
    public func performAndWait<T, Failure: Error>(_ block: () throws(Failure) -> T) throws(Failure) -> T {
        var result: Result<T, Failure>?
        performAndWait { result = Result(catching: block) }
        return try Self.outcome(result)
    }

    /// Hands `run` a block without a result, waits until it has run, and hands back what `block` returned or threw.
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
    /// Runs a block on the context's queue and hands back what it returns or throws.
    public nonisolated(nonsending) final func perform<T, Failure: Error>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping () throws(Failure) -> T
    ) async throws(Failure) -> T {
        try await outcome(of: block) { work in
            if schedule == .immediate, concurrencyType == .confinementConcurrencyType {
                work()
            } else {
                perform(work)
            }
        }
    }
}

extension NSPersistentStoreCoordinator {
    /// Runs a block on the coordinator's queue and hands back what it returns or throws.
    public nonisolated(nonsending) final func perform<T, Failure: Error>(
        _ block: @escaping () throws(Failure) -> T
    ) async throws(Failure) -> T {
        try await outcome(of: block) { perform($0) }
    }
}
