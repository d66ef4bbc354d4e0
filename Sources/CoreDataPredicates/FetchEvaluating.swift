/// A fetch request, as far as expressions know it: `FETCH(request, context, countOnly)` asks it in memory.
package protocol FetchEvaluating {
    /// The objects, IDs or dictionaries found, or how many there are. `context` is what the expression says it is.
    func fetchedValue(in context: Any?, isCountOnly: Bool) throws -> ExpressionValue
}
