/// Room for a method that clients declare in the same form for themselves: see `ContextPerforming`.
public protocol CoordinatorPerforming {}

extension NSPersistentStoreCoordinator: CoordinatorPerforming {}

extension CoordinatorPerforming where Self: NSPersistentStoreCoordinator {
    /// Runs a block on the coordinator's queue, waits, and hands back what it returns or throws.
    public func performAndWait<T, Failure: Error>(_ block: () throws(Failure) -> T) throws(Failure) -> T {
        var result: Result<T, Failure>?
        performAndWait { result = Result(catching: block) }
        return try Self.outcome(result)
    }
}

extension NSPersistentStoreCoordinator {
    /// Runs a block on the coordinator's queue and hands back what it returns or throws.
    public nonisolated(nonsending) final func perform<T, Failure: Error>(
        _ block: @escaping () throws(Failure) -> T
    ) async throws(Failure) -> T {
        nonisolated(unsafe) var result: Result<T, Failure>?
        nonisolated(unsafe) let block = block
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            perform {
                result = Result(catching: block)
                continuation.resume()
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
}
