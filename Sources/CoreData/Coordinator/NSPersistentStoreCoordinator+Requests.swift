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
        throw CoreDataError.error(
            NSPersistentStoreUnsupportedRequestTypeError,
            reason: "Requests of the class \(type(of: request)) are not supported by this store.")
    }
}

/// A fetch request of any result type.
protocol FetchRequestStoring {
    var storage: FetchRequestStorage { get }
}

extension NSFetchRequest: FetchRequestStoring {}
