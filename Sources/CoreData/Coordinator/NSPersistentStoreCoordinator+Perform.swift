extension NSPersistentStoreCoordinator {
    /// Runs a block on the coordinator's queue, waits, and hands back what it returns or throws.
    @_disfavoredOverload
    public final func performAndWait<T, Failure: Error>(_ block: () throws(Failure) -> T) throws(Failure) -> T
    {
        var result: Result<T, Failure>?
        performAndWait { result = Result(catching: block) }
        return try Self.outcome(result)
    }

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

    private static func outcome<T, Failure: Error>(_ result: Result<T, Failure>?) throws(Failure) -> T {
        guard let result else {
            programmerError(
                "\(Self.self) overrides perform or performAndWait without running the block: call super's.")
        }
        return try result.get()
    }
}
