import Foundation

/// An observer that yields the changes of results to an `AsyncStream`.
final class LiveResultsStream<Element: Sendable>: LiveResultsObserver {
    private let continuation: AsyncStream<Element>.Continuation
    /// Makes the element to yield; it returns nil where there is none.
    ///
    /// Its changes are nil if the results were fetched anew.
    private let element: (ResultList<NSObject>, ResultChanges<NSObject>?) -> Element?

    private init(
        _ continuation: AsyncStream<Element>.Continuation,
        _ element: @escaping (ResultList<NSObject>, ResultChanges<NSObject>?) -> Element?
    ) {
        self.continuation = continuation
        self.element = element
    }

    deinit { continuation.finish() }

    func results(
        _ results: LiveResults, went from: ResultList<NSObject>, by changes: ResultChanges<NSObject>
    ) {
        send(changes, of: results)
    }

    /// Sends the changes, since IDs are all that a reader has.
    func resultsGotIDs(_ results: LiveResults, _ changes: ResultChanges<NSObject>) {
        send(changes, of: results)
    }

    func resultsWereFetched(_ results: LiveResults) { send(nil, of: results) }

    private func send(_ changes: ResultChanges<NSObject>?, of results: LiveResults) {
        guard let list = results.list, let element = element(list, changes) else { return }
        // The reader may have ended on any thread. The results are released here, on their context's queue.
        if case .terminated = continuation.yield(element) { results.remove(self) }
    }
}

extension LiveResultsStream where Element == FetchedResultsSnapshot {
    /// Returns a stream of the results as they are, if they were fetched, and again after each batch; a slow
    /// reader gets the latest only.
    ///
    /// - Parameter isKeeper: Whether the stream keeps the results alive for as long as it is read.
    static func snapshots(
        of results: LiveResults, isKeeper: Bool = false
    ) -> AsyncStream<FetchedResultsSnapshot> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: FetchedResultsSnapshot.self, bufferingPolicy: .bufferingNewest(1))
        if let list = results.list { continuation.yield(FetchedResultsSnapshot(list)) }
        results.add(LiveResultsStream(continuation) { list, _ in FetchedResultsSnapshot(list) })
        if isKeeper {
            results.survivesReset = true
            nonisolated(unsafe) let kept = results
            continuation.onTermination = { _ in withExtendedLifetime(kept) {} }
        }
        return stream
    }
}

extension LiveResultsStream where Element == FetchedResultsChanges {
    /// Returns a stream of every batch.
    ///
    /// A new fetch yields no batch.
    static func changes(of results: LiveResults) -> AsyncStream<FetchedResultsChanges> {
        let (stream, continuation) = AsyncStream.makeStream(of: FetchedResultsChanges.self)
        results.add(LiveResultsStream(continuation) { _, changes in changes.map(FetchedResultsChanges.init) })
        return stream
    }
}
