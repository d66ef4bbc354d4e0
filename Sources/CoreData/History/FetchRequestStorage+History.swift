import CoreDataPredicates
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Foundation

extension FetchRequestStorage {
    /// Whether the answers of several stores cannot simply be put together.
    var needsOneStore: Bool { !(sortDescriptors ?? []).isEmpty || fetchLimit > 0 || fetchOffset > 0 }

    /// The request as a filter on the history of one store.
    ///
    /// - Throws: An error if it is for another entity than those of the history.
    func historyFilter(
        in store: NSPersistentStore, of coordinator: NSPersistentStoreCoordinator
    ) throws -> HistoryFilter {
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
        let constants = HistoryConstants(store, coordinator)
        return HistoryFilter(
            subject,
            predicate: (predicate?.node).map(NodeRewriter(constants.rewritten).rewrite),
            sort: try (sortDescriptors ?? []).map { try $0.sortKey() },
            limit: fetchLimit,
            offset: fetchOffset)
    }
}

/// Constants of a predicate as one store understands them: of a token its own number, of IDs those of its own rows.
private struct HistoryConstants {
    private let store: NSPersistentStore
    private let coordinator: NSPersistentStoreCoordinator

    init(_ store: NSPersistentStore, _ coordinator: NSPersistentStoreCoordinator) {
        self.store = store
        self.coordinator = coordinator
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
            return .value(.integer(token.numbers[store.identifier] ?? 0))
        case let object as NSManagedObject: return row(object.objectID)
        case let id as NSManagedObjectID: return row(id)
        default: return value
        }
    }

    /// No row for an ID of another store.
    private func row(_ id: NSManagedObjectID) -> ExpressionValue {
        let own =
            id.persistentStore === store
            ? id : coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation())
        guard let own, own.persistentStore === store else { return .collection([], isOrdered: false) }
        return .value(.reference(own.reference))
    }
}
