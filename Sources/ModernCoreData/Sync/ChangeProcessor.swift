public import CoreData

/// One concern of syncing with a service: sends some of what changes here, or takes in what changes there.
///
/// A ``SyncCoordinator`` calls it, always on the queue of the context that is synced; all objects are of that
/// context. What a processor has no part in it need not implement. To send objects, implement
/// ``ElementChangeProcessor``.
public protocol ChangeProcessor: AnyObject {
    /// Called each time syncing starts.
    func setup(for context: any ChangeProcessorContext)

    /// Objects that were inserted or changed, here or by another context, and are saved.
    func processChangedLocalObjects(_ objects: [NSManagedObject], in context: any ChangeProcessorContext)

    /// What may wait to be processed since the program last ran; nil if nothing can.
    func entityAndPredicateForLocallyTrackedObjects(
        in context: any ChangeProcessorContext
    ) -> EntityAndPredicate<NSManagedObject>?

    /// What changed at the service. It is saved when all processors have taken it in.
    func processRemoteChanges<Record: Sendable>(
        _ changes: [RemoteRecordChange<Record>], in context: any ChangeProcessorContext)

    /// Asks the service for what it has, when syncing starts and when the app wants to know.
    func fetchLatestRemoteRecords(in context: any ChangeProcessorContext)
}

extension ChangeProcessor {
    public func setup(for context: any ChangeProcessorContext) {}

    public func processChangedLocalObjects(
        _ objects: [NSManagedObject], in context: any ChangeProcessorContext
    ) {}

    public func entityAndPredicateForLocallyTrackedObjects(
        in context: any ChangeProcessorContext
    ) -> EntityAndPredicate<NSManagedObject>? {
        nil
    }

    public func processRemoteChanges<Record: Sendable>(
        _ changes: [RemoteRecordChange<Record>], in context: any ChangeProcessorContext
    ) {}

    public func fetchLatestRemoteRecords(in context: any ChangeProcessorContext) {}
}
