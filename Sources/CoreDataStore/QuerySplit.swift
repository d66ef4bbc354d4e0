package import CoreDataPredicates

/// A query divided between a store and memory. The store's answer contains every match, sorted unless memory
/// sorts.
package struct QuerySplit: Sendable, Hashable {
    /// The query for the store, without the parts that it cannot express. If there are such parts it has no
    /// limit and offset either, since these apply to the final list.
    package var stored: FetchQuery
    /// The condition that memory tests on each object found; nil if the store tests everything.
    package var predicate: PredicateNode?
    /// The keys that memory sorts by; empty if the store sorts.
    package var sort: [SortKey]

    package init(stored: FetchQuery, predicate: PredicateNode? = nil, sort: [SortKey] = []) {
        self.stored = stored
        self.predicate = predicate
        self.sort = sort
    }
}
