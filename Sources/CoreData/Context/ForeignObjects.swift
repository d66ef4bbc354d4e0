import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation

/// Objects of a coordinator's other stores in a question to one store, whose own rows have keys like theirs.
struct ForeignObjects {
    private let others: [NSPersistentStore]

    /// Nil where there are no other stores.
    init?(to store: NSPersistentStore, of coordinator: NSPersistentStoreCoordinator) {
        others = coordinator.handles.map(\.store).filter { $0 !== store }
        if others.isEmpty { return nil }
    }

    /// The predicate with keys that no row has in place of theirs.
    func replaced(in predicate: PredicateNode) -> PredicateNode {
        NodeRewriter { node in
            if case .constant(let value) = node { .constant(local(value)) } else { node }
        }.rewrite(predicate)
    }

    private func local(_ value: ExpressionValue) -> ExpressionValue {
        switch value {
        case .collection(let elements, let isOrdered):
            .collection(elements.map(local), isOrdered: isOrdered)
        case .object(let object):
            if let reference = object.rowReference, isForeign(object) {
                .value(.reference(ObjectReference(entity: reference.entity, key: .min)))
            } else {
                value
            }
        default: value
        }
    }

    private func isForeign(_ object: any KeyedValues) -> Bool {
        let id = (object as? NSManagedObject)?.objectID ?? object as? NSManagedObjectID
        guard let store = id?.persistentStore else { return false }
        return others.contains { $0 === store }
    }
}

extension StoreHandle {
    /// A query as this store is to be asked. Stores in memory tell rows of others apart by themselves.
    func local(_ query: FetchQuery, of coordinator: NSPersistentStoreCoordinator) -> FetchQuery {
        var query = query
        query.predicate = query.predicate.map { local($0, of: coordinator) }
        return query
    }

    func local(_ predicate: PredicateNode, of coordinator: NSPersistentStoreCoordinator) -> PredicateNode {
        guard store is SQLiteStore else { return predicate }
        return ForeignObjects(to: store, of: coordinator)?.replaced(in: predicate) ?? predicate
    }
}
