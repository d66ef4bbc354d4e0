import Foundation

extension NSManagedObjectContext {
    /// Runs a block on the context's queue, waits, and hands back what it returns or throws.
    @_disfavoredOverload
    public final func performAndWait<T, Failure: Error>(_ block: () throws(Failure) -> T) throws(Failure) -> T
    {
        var result: Result<T, Failure>?
        performAndWait { result = Result(catching: block) }
        return try Self.outcome(result)
    }

    /// Runs a block on the context's queue and hands back what it returns or throws.
    public nonisolated(nonsending) final func perform<T, Failure: Error>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping () throws(Failure) -> T
    ) async throws(Failure) -> T {
        nonisolated(unsafe) var result: Result<T, Failure>?
        nonisolated(unsafe) let block = block
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let work = {
                result = Result(catching: block)
                continuation.resume()
            }
            if schedule == .immediate, concurrencyType == .confinementConcurrencyType {
                work()
            } else {
                perform(work)
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

    final func enqueue(_ block: @escaping () -> Void) {
        queue.async { [self] in
            block()
            processPendingChanges()
        }
    }

    final func runAndWait(_ block: () -> Void) {
        if queue.isCurrent { return block() }
        queue.sync {
            block()
            processPendingChanges()
        }
    }
}
