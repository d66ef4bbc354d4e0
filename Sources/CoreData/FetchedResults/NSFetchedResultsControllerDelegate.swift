public import Foundation

/// The kind of a change of an object or a section in the results of a fetched results controller.
public enum NSFetchedResultsChangeType: UInt, Sendable {
    /// The object or section was inserted.
    case insert = 1
    /// The object or section was removed.
    case delete = 2
    /// The object has another place among the others, and may have other values as well. Sections do not
    /// move.
    case move = 3
    /// Values of the object changed, and its place among the others did not. Sections are not updated.
    case update = 4
}

/// An object that is told how the results of a fetched results controller change, batch by batch.
///
/// Every method may be left out. A delegate that has the method with a snapshot gets nothing else; so does
/// one that has the method with a difference, if the controller has no sections. All other delegates are told
/// that content will change, while the controller still shows the old one; then, while it shows the new one,
/// of sections, of objects, and that content did change.
///
/// Removed sections are told from the last to the first, then inserted ones from the first to the last; then
/// deleted objects from the last to the first, inserted ones from the first to the last, moved ones and
/// updated ones. `indexPath` and the index of a removed section are places before the batch; `newIndexPath`
/// and the index of an inserted section are places after it. A move says that the object was updated as well;
/// an object moves if its order among the others changes, not if only its index does. The objects of a
/// removed or inserted section are told one by one as well.
///
/// The methods are called on the context's queue. Their `controller` equals the one that was made (`==`,
/// `===`), but is another object unless that has the type `NSFetchedResultsController<any
/// NSFetchRequestResult>`.
///
/// Unlike Apple's: the methods that a delegate has must be in the class that declares the conformance or
/// above it; a subclass cannot add one. The order within a batch is the one above, where Apple's
/// documentation names none.
public protocol NSFetchedResultsControllerDelegate: NSObjectProtocol {
    /// Tells the delegate all items after a fetch or a batch, by object ID, in sections by name.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference)

    /// Tells the delegate of a batch of a controller without sections, as a difference of lists of object
    /// IDs.
    ///
    /// An updated object is a removal and an insertion that are associated with each other, as for a move.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

    /// Tells the delegate that one object was inserted, removed, moved or updated.
    ///
    /// - Parameters:
    ///   - controller: The controller, or its equal.
    ///   - anObject: The object.
    ///   - indexPath: Its place before the batch; nil for an insertion.
    ///   - type: What happened to it.
    ///   - newIndexPath: Its place after the batch; nil for a deletion.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

    /// Tells the delegate that a section was inserted or removed.
    ///
    /// - Parameters:
    ///   - controller: The controller, or its equal.
    ///   - sectionInfo: The section; a removed one has no objects any more.
    ///   - sectionIndex: The section's number: before the batch if it was removed, after it if it was
    ///     inserted.
    ///   - type: `.insert` or `.delete`.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType)

    /// Tells the delegate that a batch of changes follows, while the controller still shows the old results.
    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// Tells the delegate that all changes of a batch have been told.
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// Returns the title of a section in an index of the list; nil keeps the section out of the index.
    ///
    /// By default it is the first letter of the name in upper case.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String?
}

/// The default implementations, which make the methods optional. If a call needs a value to be computed, its
/// default notes that the class lacks the method, so that the value is computed only once.
extension NSFetchedResultsControllerDelegate {
    /// Does nothing; the batch is told in the next form.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) {
        controller.delegateCalls?.noteMissing(.snapshot, of: self)
    }

    /// Does nothing; the batch is told in the next form.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        controller.delegateCalls?.noteMissing(.difference, of: self)
    }

    /// Does nothing.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        controller.delegateCalls?.noteMissing(.object, of: self)
    }

    /// Does nothing.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {
        controller.delegateCalls?.noteMissing(.section, of: self)
    }

    /// Does nothing.
    public func controllerWillChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {}

    /// Does nothing.
    public func controllerDidChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {}

    /// Returns the first letter of the name in upper case; nil for an empty name.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? {
        SectionIndex.title(of: sectionName)
    }
}
