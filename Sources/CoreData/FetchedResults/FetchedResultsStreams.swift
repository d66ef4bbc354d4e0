/// Streams of results for programs without lists on a screen: servers, command-line tools. An addition to
/// Apple's API.
///
/// Call the methods on the context's queue; the streams may be read anywhere. A stream ends with the
/// controller or with the task that reads it. While one is read the controller follows its context, with a
/// delegate or without.
extension NSFetchedResultsController {
    /// Returns a stream of the results by object ID, as they are now and after every batch of changes and
    /// every fetch.
    ///
    /// A slow reader gets the latest snapshot only.
    ///
    ///     for await snapshot in controller.snapshots() { print(snapshot.objectIDs.count) }
    public final func snapshots() -> AsyncStream<FetchedResultsSnapshot> {
        LiveResultsStream.snapshots(of: results)
    }

    /// Returns a stream of every batch of changes, by object ID and position.
    ///
    /// Batches wait in memory until they are read. `performFetch()` yields none.
    public final func changes() -> AsyncStream<FetchedResultsChanges> {
        LiveResultsStream.changes(of: results)
    }
}

extension NSManagedObjectContext {
    /// Returns a stream of the results of a request by object ID, as they are now and after every batch of
    /// changes, until its reader ends.
    ///
    /// Call it on the context's queue; the stream may be read anywhere. A slow reader gets the latest
    /// snapshot only. After a reset of the context the results are fetched again. An addition to Apple's API.
    ///
    ///     for await snapshot in try await context.perform({ try context.snapshots(of: request) }) { … }
    ///
    /// - Parameters:
    ///   - request: The request; it has to be sorted by section first if there are sections.
    ///   - sectionNameKeyPath: The key path of an object's section name; nil for a single section without a
    ///     name.
    /// - Throws: The error of the first `fetch(_:)`; error 134060 (`NSCoreDataError`) of `NSCocoaErrorDomain`
    ///   if the objects of a section do not lie together.
    public final func snapshots<Result>(
        of request: NSFetchRequest<Result>, sectionNameKeyPath: String? = nil
    ) throws -> AsyncStream<FetchedResultsSnapshot> {
        let results = LiveResults(
            request.storage, in: self, sectionKeyPath: sectionNameKeyPath, cacheName: nil)
        try results.fetch()
        return LiveResultsStream.snapshots(of: results, isKeeper: true)
    }
}
