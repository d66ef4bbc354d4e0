import CoreDataStore
import Foundation

/// A request that returns its result object at once and works later.
protocol AsynchronousRequest {
    /// Begins the work and returns the result, which is filled later.
    func start(in context: NSManagedObjectContext, _ progress: Progress) throws
        -> NSPersistentStoreAsynchronousResult
    /// Returns a progress for the work: a part of the thread's current progress, if there is one.
    func makeProgress() -> Progress
}

extension NSAsynchronousFetchRequest: AsynchronousRequest {
    final func makeProgress() -> Progress {
        let progress = Progress(totalUnitCount: estimatedResultCount > 0 ? Int64(estimatedResultCount) : -1)
        progress.isCancellable = true
        return progress
    }

    final func start(in context: NSManagedObjectContext, _ progress: Progress) throws
        -> NSPersistentStoreAsynchronousResult
    {
        try started(in: context, progress)
    }

    /// Fetches on the context's queue, with the request as it is now, and calls the completion block there.
    final func started(in context: NSManagedObjectContext, _ progress: Progress) throws
        -> NSAsynchronousFetchResult<ResultType>
    {
        guard context.concurrencyType != .confinementConcurrencyType else {
            throw CoreDataError.error(
                NSPersistentStoreUnsupportedRequestTypeError,
                reason: "NSAsynchronousFetchRequest needs a context with a queue: make it with "
                    + ".mainQueueConcurrencyType or .privateQueueConcurrencyType.")
        }
        let result = NSAsynchronousFetchResult(self, context: context, progress: progress)
        let fetch = fetchRequest.copy() as! NSFetchRequest<ResultType>
        let watch = FetchWatch { progress.completedUnitCount = Int64($0) }
        // The handler is called late, on a queue of its own, so the progress itself is also checked between
        // statements.
        progress.cancellationHandler = { watch.cancel() }
        context.perform {
            do {
                if progress.isCancelled { throw CoreDataError.cancelled }
                let objects = try FetchWatch.$current.withValue(watch) { try context.fetch(fetch) }
                if progress.isCancelled { throw CoreDataError.cancelled }
                progress.totalUnitCount = Int64(objects.count)
                progress.completedUnitCount = Int64(objects.count)
                result.finish(objects)
            } catch {
                result.finish(throwing: error)
            }
            progress.cancellationHandler = nil
        }
        return result
    }
}

extension NSManagedObjectContext {
    /// Fetches on the context's queue while the caller awaits the results; the `await` form of an
    /// `NSAsynchronousFetchRequest`.
    ///
    /// The objects belong to the context's queue: use this with a main-queue context on the main actor, or
    /// fetch IDs or dictionaries.
    ///
    /// - Parameters:
    ///   - request: The fetch, with its settings as they are now.
    ///   - estimatedResultCount: The number of results to expect, as the total of the progress, which is a
    ///     part of the thread's current one.
    /// - Throws: `NSError` in `NSCocoaErrorDomain`: 3072 (`CocoaError.userCancelled`) if the task is
    ///   cancelled, 134091 if the context has no queue, otherwise the errors of `fetch(_:)`.
    ///
    /// Unlike Apple's: an addition. It is not named `fetch`, so that a plain `fetch` means the same in
    /// asynchronous code.
    public nonisolated(nonsending) final func fetchAsynchronously<T>(
        _ request: NSFetchRequest<T>, estimatedResultCount: Int = 0
    ) async throws -> [T] {
        nonisolated(unsafe) var answer: Result<[T], any Error>?
        nonisolated(unsafe) var resume: () -> Void = {}
        let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
            answer = Result { () throws -> [T] in
                if let error = result.operationError { throw error }
                return result.finalResult ?? []
            }
            resume()
        }
        asynchronous.estimatedResultCount = estimatedResultCount
        let progress = asynchronous.makeProgress()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                resume = { continuation.resume() }
                do { _ = try asynchronous.started(in: self, progress) } catch {
                    continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            progress.cancel()
        }
        return try answer?.get() ?? []
    }
}
