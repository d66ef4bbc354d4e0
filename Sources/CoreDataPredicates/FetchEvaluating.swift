/// A fetch request that expressions can run: `FETCH(request, context, countOnly)` in memory.
package protocol FetchEvaluating {
    /// Returns the objects, IDs or dictionaries that the request finds, or their number. `context` is the
    /// value of the expression's argument.
    func fetchedValue(in context: Any?, isCountOnly: Bool) throws -> ExpressionValue
}
