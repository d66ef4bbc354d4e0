import CoreDataPredicates
import Foundation

/// Predicates and orders applied to objects in memory.
enum ObjectSorting {
    static func evaluate(_ predicate: PredicateNode, on object: NSManagedObject) -> Bool {
        NodeEvaluator.evaluate(predicate, with: object)
    }

    static func sorted(_ objects: [NSManagedObject], by keys: [SortKey]) -> [NSManagedObject] {
        objects.sorted { SortComparator.areInIncreasingOrder($0, $1, by: keys) }
    }
}
