public import Foundation

/// What happened to an object or a section of a fetched results controller.
public enum NSFetchedResultsChangeType: UInt, Sendable {
    case insert = 1
    case delete = 2
    case move = 3
    case update = 4
}

/// Is told how the results of a fetched results controller change, batch by batch.
///
/// Every method may be left out. A delegate that has the method with a snapshot gets nothing else; one that has the
/// method with a difference, of a controller without sections, likewise. All others are told that content will change, while the
/// controller still shows the old one, then of sections and of objects, while it shows the new, then that it did change.
///
/// Sections that go come from the last to the first, then those that come from the first to the last; objects that
/// go likewise, then those that come, those that moved and those that were updated. `indexPath` and the index of a
/// section that goes are places before the batch; `newIndexPath` and the index of a section that comes are places
/// after it. A move says that the object was updated as well; whether it moved is a matter of its order among the
/// others, not of its index. Objects of a section that goes are told of one by one, and so are those of one
/// that comes.
///
/// `controller` is not the object that was made, unless that has the same type, but equal to it (`==`, `===`).
public protocol NSFetchedResultsControllerDelegate: NSObjectProtocol {
    /// All items after a fetch or a batch, by object ID, in sections by name.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference)

    /// The batch, if there are no sections. An object that was updated is removed and inserted, associated with
    /// itself, as one that moved is.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType)

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// The title of a section in an index. Without it the first letter of the name in upper case.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String?
}

/// What a delegate leaves out ends up here. Where something has to be computed for a call the default makes a note,
/// so that it happens once.
extension NSFetchedResultsControllerDelegate {
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) {
        controller.delegateCalls?.noteMissing(.snapshot, of: self)
    }

    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        controller.delegateCalls?.noteMissing(.difference, of: self)
    }

    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        controller.delegateCalls?.noteMissing(.object, of: self)
    }

    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {
        controller.delegateCalls?.noteMissing(.section, of: self)
    }

    public func controllerWillChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {}

    public func controllerDidChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {}

    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? {
        SectionIndex.title(of: sectionName)
    }
}
