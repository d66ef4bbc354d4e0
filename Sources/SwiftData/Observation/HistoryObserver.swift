import CoreData
import Synchronization

/// A counter of what happens in the stores of a container: readers of `eventCounter` inside
/// `withObservationTracking` are notified when any program has saved changes.
///
/// It may be used on any thread. What happened is in the history: `ModelContext.fetchHistory(_:)`.
public final class HistoryObserver: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let container: ModelContainer
    private let entities: Set<String>
    private let authors: Set<String>
    private let isolation: (any Actor)?
    /// The position up to which transactions were looked at; nil for none yet.
    private let reached: Mutex<NSPersistentHistoryToken?>
    private let counter = Mutex(0)
    private let observations = Mutex<[NotificationObservation]>([])

    /// Makes an observer, and has the stores watched for commits of other programs.
    ///
    /// - Parameters:
    ///   - historyTokens: Positions in the history, together one in each store, after which transactions
    ///     count; empty for those from now on.
    ///   - observedModels: The classes whose changes count; empty for all.
    ///   - authors: The authors whose transactions count; empty for all.
    ///   - modelContainer: The container.
    ///   - isolation: The actor on which the counter grows; nil for none.
    public init(
        historyTokens: [DefaultHistoryToken] = [], observedModels: [any PersistentModel.Type] = [],
        authors: [String] = [], modelContainer: ModelContainer, isolation: (any Actor)? = #isolation
    ) {
        container = modelContainer
        entities = Set(observedModels.map { Schema.entityName(for: $0) })
        self.authors = Set(authors)
        self.isolation = isolation
        let coordinator = modelContainer.coordinator
        let marks = historyTokens.reduce(into: [:]) { $0.merge($1.token.texts) { $1 } }
        let given = marks.isEmpty ? nil : NSPersistentHistoryToken(texts: marks)
        reached = Mutex(given ?? coordinator.currentPersistentHistoryToken(fromStores: nil))
        let saves = NotificationObservation(ModelContext.didSave, of: nil) { [weak self] note in
            guard let self, (note.object as? ModelContext)?.context.persistentStoreCoordinator === coordinator
            else { return }
            look()
        }
        let commits = NotificationObservation(.NSPersistentStoreRemoteChange, of: coordinator) {
            [weak self] _ in
            self?.look()
        }
        observations.withLock { $0 = [saves, commits] }
        coordinator.watchStores()
        if given != nil { look() }
    }

    /// How often transactions were found that count.
    public var eventCounter: Int {
        registrar.access(self, keyPath: \.eventCounter)
        return counter.withLock { $0 }
    }

    /// Looks at the transactions that are new, and counts once if one of them counts.
    private func look() {
        guard findsNews() else { return }
        guard let isolation else { return count() }
        Task { await count(on: isolation) }
    }

    private func count(on isolation: isolated any Actor) { count() }

    private func count() {
        registrar.withMutation(of: self, keyPath: \.eventCounter) { counter.withLock { $0 += 1 } }
    }

    private func findsNews() -> Bool {
        reached.withLock { reached in
            let context = ModelContext(container)
            do {
                let request = NSPersistentHistoryChangeRequest.fetchHistory(after: reached)
                let result = try context.context.execute(request) as? NSPersistentHistoryResult
                let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
                if let last = transactions.last { reached = last.token }
                return transactions.contains(where: concerns)
            } catch {
                // Some of the history is gone, in which anything may have happened.
                reached = container.coordinator.currentPersistentHistoryToken(fromStores: nil)
                return true
            }
        }
    }

    private func concerns(_ transaction: NSPersistentHistoryTransaction) -> Bool {
        guard authors.isEmpty || authors.contains(transaction.author ?? "") else { return false }
        return entities.isEmpty
            || transaction.changes?.contains { entities.contains($0.changedObjectID.entity.name ?? "") }
                ?? false
    }
}
