package import CoreDataPredicates

/// The request of a `FETCH` expression once the request around it is frozen: a query that a store can nest in its own,
/// and what memory asks instead.
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
