import CoreDataPredicates
import CoreDataStore
import Foundation

/// The testing and sorting of objects in memory, by predicates and sort keys.
enum ObjectSorting {
    /// Returns the objects that match: the first `limit` of them, or with 0 all.
    ///
    /// - Throws: The error of a cancelled fetch, if the watch over the fetch is cancelled meanwhile.
    static func filtered(
        _ objects: [NSManagedObject], by predicate: PredicateNode?, limit: Int = 0
    ) throws -> [NSManagedObject] {
        guard let predicate else { return objects }
        let watch = FetchWatch.current
        var matches: [NSManagedObject] = []
        let evaluator = try answering { () throws(EvaluationError) in try NodeEvaluator(predicate) }
        for object in objects {
            if let watch, watch.isCancelled { throw CoreDataError.cancelled }
            guard try answering({ () throws(EvaluationError) in try evaluator.matches(object) }) else {
                continue
            }
            matches.append(object)
            if matches.count == limit { break }
        }
        return matches
    }

    static func sorted<Object: KeyedValues>(_ objects: [Object], by keys: [SortKey]) throws -> [Object] {
        if keys.isEmpty { return objects }
        return try answering { () throws(EvaluationError) in try SortComparator(keys).sorted(objects) }
    }

    /// Inserts objects into a sorted list by binary search, each behind the objects that equal it.
    static func inserting(
        _ objects: [NSManagedObject], into sorted: [NSManagedObject], by keys: [SortKey]
    ) throws -> [NSManagedObject] {
        try answering { () throws(EvaluationError) in
            let comparator = SortComparator(keys)
            var result = sorted
            for object in objects {
                var (low, high) = (0, result.count)
                while low < high {
                    let middle = (low + high) / 2
                    if try comparator.order(.object(object), .object(result[middle])) < 0 {
                        high = middle
                    } else {
                        low = middle + 1
                    }
                }
                result.insert(object, at: low)
            }
            return result
        }
    }

    /// Runs an evaluation, whose failure fails the request as it would in a store.
    static func answering<Answer>(_ body: () throws(EvaluationError) -> Answer) throws -> Answer {
        do throws(EvaluationError) {
            return try body()
        } catch {
            throw StoreError(.unsupported, error.description).nsError()
        }
    }
}
