public import Foundation
import Synchronization

/// The answer to a request that is executed in the background.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
    /// The context that executes the request.
    public let managedObjectContext: NSManagedObjectContext
    /// How far the work has come; cancelling it cancels the request.
    public let progress: Progress?
    private let failure = Mutex<(any Error)?>(nil)

    init(context: NSManagedObjectContext, progress: Progress?) {
        managedObjectContext = context
        self.progress = progress
    }

    /// Why there is no result.
    public var operationError: (any Error)? { failure.withLock { $0 } }

    final func fail(_ error: any Error) {
        failure.withLock { $0 = error }
    }

    /// Stops the work: the result ends with `CocoaError.userCancelled` as its error.
    open func cancel() {
        progress?.cancel()
    }
}

/// The answer to an asynchronous fetch: empty until the fetch has finished.
open class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult {
    public let fetchRequest: NSAsynchronousFetchRequest<ResultType>
    public private(set) final var finalResult: [ResultType]?

    init(
        _ request: NSAsynchronousFetchRequest<ResultType>, context: NSManagedObjectContext,
        progress: Progress?
    ) {
        fetchRequest = request
        super.init(context: context, progress: progress)
    }

    /// Hands in the objects and calls the completion block; on the context's queue.
    final func finish(_ objects: [ResultType]) {
        finalResult = objects
        fetchRequest.completion?(self)
    }

    /// Ends without objects, and calls the completion block; on the context's queue.
    final func finish(throwing error: any Error) {
        fail(error)
        fetchRequest.completion?(self)
    }

    /// The same result with another type; members that do not fit are left out.
    final func retyped<Other>() -> NSAsynchronousFetchResult<Other> {
        if let same = self as? NSAsynchronousFetchResult<Other> { return same }
        let request = NSAsynchronousFetchRequest<Other>(fetchRequest: fetchRequest.fetchRequest.retyped())
        let twin = NSAsynchronousFetchResult<Other>(
            request, context: managedObjectContext, progress: progress)
        twin.finalResult = finalResult?.compactMap { $0 as? Other }
        if let operationError { twin.fail(operationError) }
        return twin
    }
}
