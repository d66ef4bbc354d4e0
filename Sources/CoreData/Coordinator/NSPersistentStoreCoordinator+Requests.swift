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

    /// Requests whose answer is an object: batches and asynchronous fetches.
    final func executeForResult(
        _ request: NSPersistentStoreRequest, in context: NSManagedObjectContext
    ) throws -> NSPersistentStoreResult {
        let feature =
            switch request.requestType {
            case .fetchRequestType where request is any FetchRequestStoring:
                "A plain fetch request in the context's execute(_:), instead of fetch(_:),"
            case .fetchRequestType: "Asynchronous fetching (\(type(of: request)))"
            case .saveRequestType: "A save request in execute(_:)"
            case .batchInsertRequestType: "Batch insertion (\(type(of: request)))"
            case .batchUpdateRequestType: "Batch updating (\(type(of: request)))"
            case .batchDeleteRequestType: "Batch deletion (\(type(of: request)))"
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
