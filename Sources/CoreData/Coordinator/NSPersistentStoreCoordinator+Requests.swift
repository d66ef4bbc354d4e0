import Foundation

extension NSPersistentStoreCoordinator {
    final func answer(_ request: NSPersistentStoreRequest, for context: NSManagedObjectContext) throws -> Any
    {
        if let fetch = request as? any FetchRequestStoring {
            return try context.fetchResult(fetch.storage).boxed
        }
        if request is NSSaveChangesRequest {
            try context.save()
            return NSArray()
        }
        return try executeForResult(request, in: context)
    }

    /// Executes requests whose answer is an object: batches, history and asynchronous fetches.
    final func executeForResult(
        _ request: NSPersistentStoreRequest, in context: NSManagedObjectContext
    ) throws -> NSPersistentStoreResult {
        let batch = BatchExecution(self, for: context)
        let feature: String
        switch request {
        case let request as NSBatchInsertRequest: return try batch.execute(request)
        case let request as NSBatchUpdateRequest: return try batch.execute(request)
        case let request as NSBatchDeleteRequest: return try batch.execute(request)
        case let request as NSPersistentHistoryChangeRequest:
            return try HistoryExecution(self).execute(request)
        case let request as NSPersistentCloudKitContainerEventRequest: return request.result(from: syncLog)
        case let request as any AsynchronousRequest:
            return try request.start(in: context, request.makeProgress())
        case is any FetchRequestStoring:
            feature = "A plain fetch request in the context's execute(_:), instead of fetch(_:),"
        case is NSSaveChangesRequest: feature = "A save request in execute(_:)"
        default: feature = "\(type(of: request))"
        }
        throw Self.unsupported(feature)
    }

    private static func unsupported(_ feature: String) -> NSError {
        CoreDataError.error(
            NSPersistentStoreUnsupportedRequestTypeError, reason: "\(feature) is not supported yet.")
    }
}

/// A fetch request of any result type.
protocol FetchRequestStoring {
    var storage: FetchRequestStorage { get }
}

extension NSFetchRequest: FetchRequestStoring {}
