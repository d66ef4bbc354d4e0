public import CoreData

/// One concern of syncing with a service: it sends some of the changes made here, or takes in changes made
/// there.
///
/// A ``SyncCoordinator`` calls it, always on the queue of the context that is synced; all objects are of that
/// context. Every method has an implementation that does nothing. To send objects, implement
/// ``ElementChangeProcessor``.
public protocol ChangeProcessor: AnyObject {
    /// Called each time syncing starts.
    func setup(for context: any ChangeProcessorContext)

    /// Takes in objects that were inserted or changed, here or by another context, and are saved.
    func processChangedLocalObjects(_ objects: [NSManagedObject], in context: any ChangeProcessorContext)

    /// Returns which objects may wait to be processed since the program last ran; nil for none.
    func entityAndPredicateForLocallyTrackedObjects(
        in context: any ChangeProcessorContext
    ) -> EntityAndPredicate<NSManagedObject>?

    /// Takes in changes made at the service, which are saved when all processors have taken them in.
    func processRemoteChanges<Record: Sendable>(
        _ changes: [RemoteRecordChange<Record>], in context: any ChangeProcessorContext)

    /// Asks the service for its records, when syncing starts and when the app calls for them.
    func fetchLatestRemoteRecords(in context: any ChangeProcessorContext)
}

extension ChangeProcessor {
    /// Does nothing.
    public func setup(for context: any ChangeProcessorContext) {}

    /// Does nothing.
    public func processChangedLocalObjects(
        _ objects: [NSManagedObject], in context: any ChangeProcessorContext
    ) {}

    /// Returns nil: nothing waits.
    public func entityAndPredicateForLocallyTrackedObjects(
        in context: any ChangeProcessorContext
    ) -> EntityAndPredicate<NSManagedObject>? {
        nil
    }

    /// Does nothing.
    public func processRemoteChanges<Record: Sendable>(
        _ changes: [RemoteRecordChange<Record>], in context: any ChangeProcessorContext
    ) {}

    /// Does nothing.
    public func fetchLatestRemoteRecords(in context: any ChangeProcessorContext) {}
}
