import CoreDataStore
import Synchronization

/// What other writers changed since the last look, in stores that keep a history.
final class CommitNews: Sendable {
    private let backend: (any HistoryBackend)?
    private let mark: Mutex<HistoryMark?>

    /// The greatest number of changes that are named. After a larger commit a page reads everything again.
    private static let mostChanges = 500

    init(_ backend: any StoreBackend) {
        let history = (backend as? any HistoryBackend).flatMap { $0.keepsHistory ? $0 : nil }
        self.backend = history
        mark = Mutex(history.flatMap { try? $0.historyExtent().last })
    }

    /// Returns the changes since the last call; none if the store keeps no history.
    func next() -> [HistoryChange] {
        guard let backend else { return [] }
        return mark.withLock { mark in
            guard let last = mark,
                let transactions = try? backend.history(HistoryQuery(start: .mark(last)))
            else { return [] }
            mark = transactions.last?.mark ?? last
            return Array(transactions.flatMap { $0.changes ?? [] }.prefix(Self.mostChanges))
        }
    }
}
