import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation

extension FetchRequestStorage {
    /// Whether the answers of several stores cannot simply be joined, since the request sorts or limits.
    var needsOneStore: Bool { !(sortDescriptors ?? []).isEmpty || fetchLimit > 0 || fetchOffset > 0 }

    /// The tokens that the predicate compares with.
    var predicateTokens: [NSPersistentHistoryToken] {
        var tokens: [NSPersistentHistoryToken] = []
        func collect(_ value: ExpressionValue) {
            if case .collection(let elements, _) = value { elements.forEach(collect) }
            if let token = value.unboxed as? NSPersistentHistoryToken { tokens.append(token) }
        }
        _ = (predicate?.node).map(
            NodeRewriter { node in
                if case .constant(let value) = node { collect(value) }
                return node
            }.rewrite)
        return tokens
    }

    /// Returns the request as a filter on the history of one store.
    ///
    /// - Throws: An error if the request is for another entity than those of the history.
    func historyFilter(in store: NSPersistentStore) throws -> HistoryFilter {
        let subject: HistoryFilter.Subject
        switch resolvedEntityName {
        case HistoryModel.transactionName: subject = .transactions
        case HistoryModel.changeName: subject = .changes
        default:
            throw CoreDataError.error(
                NSPersistentStoreUnsupportedRequestTypeError,
                reason: "The fetch request of an NSPersistentHistoryChangeRequest is for the entity of "
                    + "NSPersistentHistoryTransaction or NSPersistentHistoryChange, not for "
                    + "\(resolvedEntityName ?? "none").")
        }
        let constants = HistoryConstants(store)
        return HistoryFilter(
            subject,
            predicate: (predicate?.node).map(NodeRewriter(constants.rewritten).rewrite),
            sort: try (sortDescriptors ?? []).map { try $0.sortKey() },
            limit: fetchLimit,
            offset: fetchOffset)
    }
}

/// The constants of a predicate as one store understands them: a token as the store's own number, IDs as its
/// own rows.
private struct HistoryConstants {
    private let store: NSPersistentStore

    init(_ store: NSPersistentStore) {
        self.store = store
    }

    func rewritten(_ node: ExpressionNode) -> ExpressionNode {
        if case .constant(let value) = node { .constant(local(value)) } else { node }
    }

    private func local(_ value: ExpressionValue) -> ExpressionValue {
        if case .collection(let elements, let isOrdered) = value {
            return .collection(elements.map(local), isOrdered: isOrdered)
        }
        switch value.unboxed {
        case let token as NSPersistentHistoryToken:
            return .value(.integer(token.marks[store.identifier]?.number ?? 0))
        case let object as NSManagedObject: return row(object.objectID)
        case let id as NSManagedObjectID: return row(id)
        default: return value
        }
    }

    /// Returns the row of an ID; no row for an ID of another store, or of one store in another coordinator,
    /// as with Apple's framework.
    private func row(_ id: NSManagedObjectID) -> ExpressionValue {
        id.persistentStore === store ? .value(.reference(id.reference)) : .collection([], isOrdered: false)
    }
}
