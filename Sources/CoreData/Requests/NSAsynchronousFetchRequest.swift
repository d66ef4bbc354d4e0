public import Foundation

/// A block that receives the finished result of an asynchronous fetch.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock = (
    NSAsynchronousFetchResult<any NSFetchRequestResult>
) -> Void

/// A fetch that is executed in the background and reports its progress.
open class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
    public let fetchRequest: NSFetchRequest<ResultType>
    /// Called on the context's queue with the finished result.
    final let completion: ((NSAsynchronousFetchResult<ResultType>) -> Void)?
    /// The number of results to expect, as a scale for the progress.
    open var estimatedResultCount = 0

    public init(
        fetchRequest request: NSFetchRequest<ResultType>,
        completionBlock blk: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
    ) {
        fetchRequest = request
        completion = blk.map(CallerIsolation.keeping)
        super.init()
    }

    /// The completion block with the general result type: it receives a twin of the result.
    open var completionBlock: NSPersistentStoreAsynchronousFetchResultCompletionBlock? {
        completion.map { completion in { completion($0.retyped()) } }
    }

    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    open override var affectedStores: [NSPersistentStore]? {
        get { fetchRequest.affectedStores }
        set { fetchRequest.affectedStores = newValue }
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSAsynchronousFetchRequest(
            fetchRequest: fetchRequest.copy() as! NSFetchRequest<ResultType>, completionBlock: completion)
        copy.estimatedResultCount = estimatedResultCount
        return copy
    }
}
