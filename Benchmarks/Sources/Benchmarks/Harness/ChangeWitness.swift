import CoreData

/// A delegate that counts the changes reported to it.
final class ChangeWitness: NSObject, NSFetchedResultsControllerDelegate {
    private var changes = 0

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        changes += 1
    }
}

extension NSManagedObjectContext {
    /// Returns a controller that has fetched and reports its changes to a witness.
    func controller<Object: NSManagedObject>(
        _ entity: String, of type: Object.Type, _ predicate: NSPredicate, by key: String,
        _ witness: ChangeWitness
    ) throws -> NSFetchedResultsController<Object> {
        let request = NSFetchRequest<Object>(entityName: entity)
        request.predicate = predicate
        request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: self, sectionNameKeyPath: nil, cacheName: nil)
        controller.delegate = witness
        try controller.performFetch()
        return controller
    }
}
