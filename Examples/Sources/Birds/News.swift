import SwiftData

/// What came into a store and what went since somebody looked.
public struct News: Equatable, Sendable {
    /// The titles of outings that came and are still there, the earliest first.
    public var added: [String] = []
    /// The titles of outings that went.
    public var removed: [String] = []
}

extension ModelContext {
    /// Returns the news after a position in the history, and the position up to which they go.
    ///
    /// - Parameter token: The position; nil for the beginning.
    public func news(after token: DefaultHistoryToken?) throws -> (news: News, upTo: DefaultHistoryToken?) {
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        if let token { descriptor.predicate = #Predicate { $0.token > token } }
        let transactions = try fetchHistory(descriptor)
        var (news, added) = (News(), [PersistentIdentifier]())
        for change in transactions.flatMap(\.changes) {
            switch change {
            case .insert(let insert as DefaultHistoryInsert<Outing>):
                added.append(insert.changedPersistentIdentifier)
            case .delete(let delete as DefaultHistoryDelete<Outing>):
                if let title = delete.tombstone[\.title] { news.removed.append(title) }
            default: break
            }
        }
        let ids = added
        let outings = FetchDescriptor<Outing>(
            predicate: #Predicate { ids.contains($0.persistentModelID) }, sortBy: [SortDescriptor(\.start)])
        news.added = try fetch(outings).map(\.title)
        return (news, transactions.last?.token ?? token)
    }
}
