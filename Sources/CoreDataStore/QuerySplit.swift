package import CoreDataPredicates

/// A query divided between a store and memory: what the store finds holds every match, in order unless memory sorts.
package struct QuerySplit: Sendable, Hashable {
    /// Without the parts that the store has no words for. If there are any it has no window either, since that is
    /// cut from the final list.
    package var stored: FetchQuery
    /// What memory tests on each object found; nil if the store tests everything.
    package var predicate: PredicateNode?
    /// What memory sorts by; empty if the store sorts.
    package var sort: [SortKey]

    package init(stored: FetchQuery, predicate: PredicateNode? = nil, sort: [SortKey] = []) {
        self.stored = stored
        self.predicate = predicate
        self.sort = sort
    }
}
