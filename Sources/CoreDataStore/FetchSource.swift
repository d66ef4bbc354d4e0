package import CoreDataPredicates

/// The request of a `FETCH` expression after the request around it was frozen: a query that a store can nest
/// in its own, and the request that the evaluation in memory runs instead.
package struct FetchSource: @unchecked Sendable, Hashable, FetchEvaluating {
    package let query: FetchQuery
    private let request: any FetchEvaluating

    package init(_ query: FetchQuery, _ request: any FetchEvaluating) {
        self.query = query
        self.request = request
    }

    package func fetchedValue(in context: Any?, isCountOnly: Bool) throws -> ExpressionValue {
        try request.fetchedValue(in: context, isCountOnly: isCountOnly)
    }

    package static func == (left: FetchSource, right: FetchSource) -> Bool { left.query == right.query }
    package func hash(into hasher: inout Hasher) { hasher.combine(query) }
}
