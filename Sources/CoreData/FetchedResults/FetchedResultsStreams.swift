/// Results for those who await them: servers, command-line tools. An addition to Apple's framework.
///
/// Called on the context's queue; what comes out is read anywhere. A stream ends with the controller, or the
/// task that reads it. While one is read the controller follows its context, delegate or not.
extension NSFetchedResultsController {
    /// The results by object ID, now and after every batch of changes and every fetch. Who reads slowly gets the
    /// latest.
    ///
    ///     for await snapshot in controller.snapshots() { print(snapshot.objectIDs.count) }
    public final func snapshots() -> AsyncStream<FetchedResultsSnapshot> {
        LiveResultsStream.snapshots(of: results)
    }

    /// Every batch of changes, by object ID and place.
    public final func changes() -> AsyncStream<FetchedResultsChanges> {
        LiveResultsStream.changes(of: results)
    }
}

extension NSManagedObjectContext {
    /// The results of a request by object ID, now and after every batch of changes, for as long as somebody reads
    /// them. Called on the context's queue. Throws what the first fetch throws.
    ///
    ///     for await snapshot in try await context.perform({ try context.snapshots(of: request) }) { … }
    public final func snapshots<Result>(
        of request: NSFetchRequest<Result>, sectionNameKeyPath: String? = nil
    ) throws -> AsyncStream<FetchedResultsSnapshot> {
        let results = LiveResults(
            request.storage, in: self, sectionKeyPath: sectionNameKeyPath, cacheName: nil)
        try results.fetch()
        return LiveResultsStream.snapshots(of: results, isKeeper: true)
    }
}
