public import Foundation

/// A block that receives the finished result of an asynchronous fetch.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock = (
    NSAsynchronousFetchResult<any NSFetchRequestResult>
) -> Void

/// A fetch that runs on its context's queue while the caller goes on, reports its progress and can be
/// cancelled.
///
/// Pass it to `NSManagedObjectContext.execute(_:)`, which returns an `NSAsynchronousFetchResult` at once.
/// `fetchAsynchronously(_:estimatedResultCount:)` is the form for `await`.
///
/// The settings of the fetch request at the time of execution count. Executing it throws `NSError` in
/// `NSCocoaErrorDomain`, 134091 (`NSPersistentStoreUnsupportedRequestTypeError`), if the context has no queue
/// (`.confinementConcurrencyType`). A later error becomes the result's `operationError`: an error of
/// `fetch(_:)`, or 3072 (`CocoaError.userCancelled`).
///
/// Unlike Apple's: the context's queue is busy until the fetch has finished, as its results are objects of
/// that queue. If that matters, use a separate context, and fetch object IDs.
open class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
    /// The fetch to execute.
    public let fetchRequest: NSFetchRequest<ResultType>
    /// The completion block with this request's result type.
    ///
    /// Called on the context's queue.
    final let completion: ((NSAsynchronousFetchResult<ResultType>) -> Void)?
    /// The number of results to expect: the total of the progress, which is indeterminate with 0, the
    /// default.
    open var estimatedResultCount = 0

    /// Makes an asynchronous fetch.
    ///
    /// - Parameters:
    ///   - request: The fetch to execute.
    ///   - blk: A block that is called on the context's queue, once, with the finished result: also after an
    ///     error or a cancellation, which `operationError` then shows.
    public init(
        fetchRequest request: NSFetchRequest<ResultType>,
        completionBlock blk: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
    ) {
        fetchRequest = request
        completion = blk.map(CallerIsolation.keeping)
        super.init()
    }

    /// The completion block with the general result type: it receives a copy of the result with that type.
    open var completionBlock: NSPersistentStoreAsynchronousFetchResultCompletionBlock? {
        completion.map { completion in { completion($0.retyped()) } }
    }

    /// Always `.fetchRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// The affected stores of the fetch request.
    open override var affectedStores: [NSPersistentStore]? {
        get { fetchRequest.affectedStores }
        set { fetchRequest.affectedStores = newValue }
    }

    /// Returns a request with a copy of the fetch request and the same completion block.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSAsynchronousFetchRequest(
            fetchRequest: fetchRequest.copy() as! NSFetchRequest<ResultType>, completionBlock: completion)
        copy.estimatedResultCount = estimatedResultCount
        return copy
    }
}
