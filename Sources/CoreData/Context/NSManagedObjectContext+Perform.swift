import Foundation

extension NSManagedObjectContext {
    /// Runs a block on the context's queue, later. Changes are processed when it ends.
    public final func perform(_ block: @escaping () -> Void) {
        queue.async { [self] in
            block()
            processPendingChanges()
        }
    }

    /// Runs a block on the context's queue and waits for it.
    public final func performAndWait(_ block: () -> Void) {
        runAndWait { block() }
    }

    /// Runs a block on the context's queue, waits, and hands back what it returns or throws.
    @_disfavoredOverload
    public final func performAndWait<T, Failure: Error>(_ block: () throws(Failure) -> T) throws(Failure) -> T
    {
        try runAndWait(block)
    }

    private final func runAndWait<T, Failure: Error>(_ block: () throws(Failure) -> T) throws(Failure) -> T {
        if queue.isCurrent { return try block() }
        return try queue.sync { () throws(Failure) -> T in
            defer { processPendingChanges() }
            return try block()
        }
    }

    /// Runs a block on the context's queue and hands back what it returns or throws.
    public nonisolated(nonsending) final func perform<T, Failure: Error>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping () throws(Failure) -> T
    ) async throws(Failure) -> T {
        nonisolated(unsafe) var result: Result<T, Failure>?
        nonisolated(unsafe) let block = block
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let work = { [self] in
                result = Result(catching: block)
                processPendingChanges()
                continuation.resume()
            }
            if schedule == .immediate, concurrencyType == .confinementConcurrencyType {
                work()
            } else {
                queue.async(work)
            }
        }
        return try result!.get()
    }
}
