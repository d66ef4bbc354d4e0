package import CoreDataPredicates

/// A query divided between a store and memory. The store's answer contains every match, sorted unless memory
/// sorts.
package struct QuerySplit: Sendable, Equatable {
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

    /// Returns the division that leaves the whole predicate of the query and its order to memory, for a store
    /// that failed to compute them.
    package func testingAll(of query: FetchQuery) -> QuerySplit {
        var split = self
        split.predicate = query.predicate
        split.sort = query.sort
        (split.stored.predicate, split.stored.sort) = (nil, [])
        (split.stored.limit, split.stored.offset) = (0, 0)
        return split
    }
}
