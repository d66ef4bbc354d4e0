public import Foundation
import Synchronization

/// The answer to a request that is executed in the background.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
    /// The context that executes the request.
    public let managedObjectContext: NSManagedObjectContext
    /// The progress of the work; cancelling it cancels the request.
    public let progress: Progress?
    private let failure = Mutex<(any Error)?>(nil)

    init(context: NSManagedObjectContext, progress: Progress?) {
        managedObjectContext = context
        self.progress = progress
    }

    /// The reason why there is no result; nil before the end and after success.
    ///
    /// May be read from any thread.
    public var operationError: (any Error)? { failure.withLock { $0 } }

    /// Notes why there is no result.
    final func fail(_ error: any Error) {
        failure.withLock { $0 = error }
    }

    /// Cancels the work: the result then ends with 3072 (`CocoaError.userCancelled`) as its `operationError`.
    ///
    /// May be called from any thread; has no effect on work that is done.
    open func cancel() {
        progress?.cancel()
    }
}

/// The answer to an asynchronous fetch, empty until the fetch has finished.
open class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult {
    /// The request of which this is the result.
    public let fetchRequest: NSAsynchronousFetchRequest<ResultType>
    /// The results; nil before the end and after an error.
    ///
    /// Belongs to the context's queue: read it in the completion block.
    public private(set) final var finalResult: [ResultType]?

    init(
        _ request: NSAsynchronousFetchRequest<ResultType>, context: NSManagedObjectContext,
        progress: Progress?
    ) {
        fetchRequest = request
        super.init(context: context, progress: progress)
    }

    /// Stores the results and calls the completion block.
    ///
    /// Called on the context's queue.
    final func finish(_ objects: [ResultType]) {
        finalResult = objects
        fetchRequest.completion?(self)
    }

    /// Notes the error and calls the completion block.
    ///
    /// Called on the context's queue.
    final func finish(throwing error: any Error) {
        fail(error)
        fetchRequest.completion?(self)
    }

    /// Returns this result with another type; members that do not fit are left out.
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
