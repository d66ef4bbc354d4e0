import CoreData
import Observation

/// The code of the articles on live lists and on observation.
extension Articles {
    static func controller(
        _ context: NSManagedObjectContext, _ list: any NSFetchedResultsControllerDelegate
    ) throws -> NSFetchedResultsController<Book> {
        let request = Book.fetchRequest()
        request.sortDescriptors = [
            NSSortDescriptor(key: "author.name", ascending: true),
            NSSortDescriptor(key: "title", ascending: true),
        ]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "author.name",
            cacheName: nil)
        controller.delegate = list
        try controller.performFetch()
        return controller
    }

    static func streams(
        _ controller: NSFetchedResultsController<Book>, _ context: NSManagedObjectContext,
        _ request: NSFetchRequest<Book>
    ) async throws {
        for await snapshot in controller.snapshots() { print(snapshot.objectIDs.count) }
        for await batch in controller.changes() { print(batch.objects) }
        // Needs no controller:
        for await snapshot in try context.snapshots(of: request) { print(snapshot.objectIDs.count) }
    }

    static func observing(_ book: Book) -> NSKeyValueObservation {
        let observation = book.observe(\.pages, options: [.old, .new]) { book, change in
            print(change.oldValue ?? 0, change.newValue ?? 0)
        }
        return observation
    }

    static func changes(_ book: Book, _ context: NSManagedObjectContext) async {
        for await change in book.objectChanges() { print(change) }  // updated(keys:), refreshed, deleted
        for await changes in context.changes() { print(changes) }  // IDs of what was inserted, updated …
    }

    static func tracking(_ book: Book, _ context: NSManagedObjectContext) {
        context.tracksObservation = true
        withObservationTracking {
            print(book.title ?? "")
        } onChange: {
            print("the title, and nothing else, is no longer what it was")
        }
    }
}
