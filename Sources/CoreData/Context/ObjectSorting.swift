import CoreDataPredicates
import CoreDataStore
import Foundation

/// Predicates and orders applied to objects in memory.
enum ObjectSorting {
    static func filtered(_ objects: [NSManagedObject], by predicate: PredicateNode?) throws
        -> [NSManagedObject]
    {
        guard let predicate else { return objects }
        return try answering { () throws(EvaluationError) in
            let evaluator = try NodeEvaluator(predicate)
            var matches: [NSManagedObject] = []
            for object in objects where try evaluator.matches(.object(object)) { matches.append(object) }
            return matches
        }
    }

    static func sorted(_ objects: [NSManagedObject], by keys: [SortKey]) throws -> [NSManagedObject] {
        try answering { () throws(EvaluationError) in try SortComparator(keys).sorted(objects) }
    }

    /// What cannot be evaluated fails the request, as it would in a store.
    private static func answering<Answer>(_ body: () throws(EvaluationError) -> Answer) throws -> Answer {
        do throws(EvaluationError) {
            return try body()
        } catch {
            throw StoreError(.unsupported, error.description).nsError()
        }
    }
}
