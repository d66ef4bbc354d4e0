import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation

/// Objects of a coordinator's other stores in a query to one store, whose own rows have the same keys.
struct ForeignObjects {
    private let others: [NSPersistentStore]

    /// Makes the test for one store of a coordinator; nil if the coordinator has no other stores.
    init?(to store: NSPersistentStore, of coordinator: NSPersistentStoreCoordinator) {
        let handles = coordinator.handles
        guard handles.contains(where: { $0.store !== store }) else { return nil }
        others = handles.map(\.store).filter { $0 !== store }
    }

    /// Returns the predicate with each foreign object that it compares replaced by a key that no row has.
    ///
    /// Foreign objects whose values are read stay: `name == $FETCH_SOURCE.name`.
    func replaced(in predicate: PredicateNode) -> PredicateNode {
        switch predicate {
        case .comparison(var comparison):
            comparison.left = compared(comparison.left)
            comparison.right = compared(comparison.right)
            return .comparison(comparison)
        case .compound(let logical, let operands): return .compound(logical, operands.map(replaced))
        case .constant, .block: return predicate
        }
    }

    private func compared(_ side: ExpressionNode) -> ExpressionNode {
        switch side {
        case .constant(let value): .constant(local(value))
        case .aggregate(let elements): .aggregate(elements.map(compared))
        default: counted(side)
        }
    }

    /// Replaces foreign objects that the predicates of sub-queries compare, also inside functions such as
    /// `@count`.
    private func counted(_ side: ExpressionNode) -> ExpressionNode {
        switch side {
        case .subquery(let collection, let variable, let predicate):
            .subquery(collection: collection, variable: variable, predicate: replaced(in: predicate))
        case .keyPath(let operand, let keys): .keyPath(operand: counted(operand), keys: keys)
        case .function(let operand, let name, let arguments):
            .function(operand: operand.map(counted), name: name, arguments: arguments.map(counted))
        default: side
        }
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
    /// Returns the query to ask this store, without objects of other stores (`replaced(in:)`).
    ///
    /// Only SQLite stores need that: stores in memory know which store a row is of.
    func local(_ query: FetchQuery, of coordinator: NSPersistentStoreCoordinator) -> FetchQuery {
        guard let predicate = query.predicate, let foreign = foreignObjects(of: coordinator) else {
            return query
        }
        var query = query
        query.predicate = foreign.replaced(in: predicate)
        return query
    }

    func local(_ predicate: PredicateNode, of coordinator: NSPersistentStoreCoordinator) -> PredicateNode {
        foreignObjects(of: coordinator)?.replaced(in: predicate) ?? predicate
    }

    private func foreignObjects(of coordinator: NSPersistentStoreCoordinator) -> ForeignObjects? {
        store is DatabaseStore ? ForeignObjects(to: store, of: coordinator) : nil
    }
}
