import CoreData

/// Hands on what a controller tells, and counts saves.
public final class Feed<Element: NSManagedObject>: NSObject, NSFetchedResultsControllerDelegate {
    public weak var delegate: NSFetchedResultsControllerDelegate?
    public private(set) var saves = 0

    public init(context: NSManagedObjectContext) {
        super.init()
        NotificationCenter.default.addObserver(
            self, selector: #selector(Feed<Element>.saved(_:)), name: .NSManagedObjectContextDidSave,
            object: context)
    }

    deinit { NotificationCenter.default.removeObserver(self) }

    @objc private func saved(_ notification: Notification) { saves += 1 }

    public func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        delegate?.controllerDidChangeContent?(controller)
    }
}
