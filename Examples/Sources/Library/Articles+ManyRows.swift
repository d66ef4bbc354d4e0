import CoreData

/// The code of the articles on batches and on history.
extension Articles {
    static func inserting(
        _ file: [(title: String, pages: Int)], _ context: NSManagedObjectContext
    ) throws -> Int? {
        var lines = file.makeIterator()
        let request = NSBatchInsertRequest(entityName: "Book") { (row: NSMutableDictionary) in
            guard let line = lines.next() else { return true }  // true ends the batch and adds nothing
            row["title"] = line.title
            row["pages"] = line.pages
            return false
        }
        request.resultType = .count
        let result = try context.execute(request) as? NSBatchInsertResult
        return result?.result as? Int
    }

    static func updating() -> NSBatchUpdateRequest {
        let request = NSBatchUpdateRequest(entityName: "Book")
        request.predicate = NSPredicate(format: "author.name == %@", "Ursula K. Le Guin")
        request.propertiesToUpdate = ["pages": NSExpression(format: "pages * 2"), "title": "Tehanu"]
        return request
    }

    static func deleting(
        _ request: NSBatchDeleteRequest, _ context: NSManagedObjectContext, _ container: NSPersistentContainer
    ) throws {
        request.resultType = .resultTypeObjectIDs
        let result = try context.execute(request) as? NSBatchDeleteResult
        let ids = result?.result as? [NSManagedObjectID] ?? []
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSDeletedObjectIDsKey: ids], into: [container.viewContext])
    }

    static func fetchingWithoutWaiting(_ context: NSManagedObjectContext) async throws -> [Book] {
        let books = try await context.fetchAsynchronously(Book.fetchRequest())
        return books
    }

    static func tracking(_ url: URL) -> NSPersistentStoreDescription {
        let description = NSPersistentStoreDescription(url: url)
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        let remoteChanges = NSPersistentStoreRemoteChangeNotificationPostOptionKey
        description.setOption(true as NSNumber, forKey: remoteChanges)

        description.setOption(7 * 86_400 as NSNumber, forKey: PersistentHistoryRetentionKey)
        return description
    }

    static func consuming(
        _ lastToken: inout NSPersistentHistoryToken?, _ context: NSManagedObjectContext
    ) throws {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: lastToken)
        request.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
        request.fetchRequest?.predicate = NSPredicate(format: "author != %@", "app")
        let result = try context.execute(request) as? NSPersistentHistoryResult
        for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
            context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
            lastToken = transaction.token
        }

        try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: lastToken))
    }

    static func pinning(_ context: NSManagedObjectContext) throws {
        try context.setQueryGenerationFrom(.current)  // the moment of the next read
    }
}
