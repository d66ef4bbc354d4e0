public import CoreData

/// A processor for one aspect of the synchronization with a service: it sends some of the local changes, or
/// applies changes made at the service.
///
/// A ``SyncCoordinator`` calls it, always on the queue of the synced context; all objects belong to that
/// context. Every method has an implementation that does nothing. To send objects, implement
/// ``ElementChangeProcessor``.
public protocol ChangeProcessor: AnyObject {
    /// Prepares the processor. Called each time syncing starts.
    func setup(for context: any ChangeProcessorContext)

    /// Processes saved objects that were inserted or changed, in this context or in another one.
    func processChangedLocalObjects(_ objects: [NSManagedObject], in context: any ChangeProcessorContext)

    /// Returns which objects may still need processing from an earlier run of the program; nil for none.
    func entityAndPredicateForLocallyTrackedObjects(
        in context: any ChangeProcessorContext
    ) -> EntityAndPredicate<NSManagedObject>?

    /// Applies changes made at the service. They are saved after all processors have been called.
    func processRemoteChanges<Record: Sendable>(
        _ changes: [RemoteRecordChange<Record>], in context: any ChangeProcessorContext)

    /// Requests records from the service. Called when syncing starts and when the app asks for it.
    func fetchLatestRemoteRecords(in context: any ChangeProcessorContext)
}

extension ChangeProcessor {
    /// Does nothing.
    public func setup(for context: any ChangeProcessorContext) {}

    /// Does nothing.
    public func processChangedLocalObjects(
        _ objects: [NSManagedObject], in context: any ChangeProcessorContext
    ) {}

    /// Returns nil, since no objects need processing.
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
