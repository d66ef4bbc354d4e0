import Foundation

/// Room for a method that clients declare in the same form for themselves: theirs, in an extension of the class,
/// comes before one of a protocol's extension.
public protocol ContextPerforming {}

extension NSManagedObjectContext: ContextPerforming {}

extension ContextPerforming where Self: NSManagedObjectContext {
    /// Runs a block on the context's queue, waits, and hands back what it returns or throws.
    public func performAndWait<T, Failure: Error>(_ block: () throws(Failure) -> T) throws(Failure) -> T {
        var result: Result<T, Failure>?
        performAndWait { result = Result(catching: block) }
        return try Self.outcome(result)
    }
}

extension NSManagedObjectContext {
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

    fileprivate static func outcome<T, Failure: Error>(_ result: Result<T, Failure>?) throws(Failure) -> T {
        guard let result else {
            programmerError(
                "\(Self.self) overrides perform or performAndWait without running the block: call super's.")
        }
        return try result.get()
    }

    final func enqueue(_ block: @escaping () -> Void) {
        queue.async { [self] in
            CurrentContext.run(block, in: self)
            processPendingChanges()
        }
    }

    final func runAndWait(_ block: () -> Void) {
        if queue.isCurrent { return CurrentContext.run(block, in: self) }
        queue.sync {
            CurrentContext.run(block, in: self)
            processPendingChanges()
        }
    }
}
