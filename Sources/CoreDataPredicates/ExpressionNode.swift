/// An expression as a tree of values. The cases follow `NSExpression.ExpressionType`.
package indirect enum ExpressionNode: Sendable, Hashable {
    case constant(ExpressionValue)
    /// `SELF`.
    case evaluatedObject
    /// `$name`, without the dollar sign.
    case variable(String)
    /// `operand.a.b.@count`: keys from left to right, with collection operators including their `@`. The
    /// operand is `.evaluatedObject` for an ordinary key path, and `.variable` inside a subquery.
    case keyPath(operand: ExpressionNode, keys: [String])
    /// A function by its selector-like name (`sum:`, `add:to:`, `now`), or `FUNCTION(operand, name, …)` if
    /// there is an operand.
    case function(operand: ExpressionNode?, name: String, arguments: [ExpressionNode])
    /// `{a, b, c}`.
    case aggregate([ExpressionNode])
    case subquery(collection: ExpressionNode, variable: String, predicate: PredicateNode)
    case unionSet(ExpressionNode, ExpressionNode)
    case intersectSet(ExpressionNode, ExpressionNode)
    case minusSet(ExpressionNode, ExpressionNode)
    /// `TERNARY(predicate, a, b)`.
    case conditional(PredicateNode, ExpressionNode, ExpressionNode)
    /// `FETCH(request, context, countOnly)`: the objects that a fetch request finds, or their number.
    case fetch(request: ExpressionNode, context: ExpressionNode, isCountOnly: Bool)
    case anyKey
    /// A closure with its arguments, evaluated in memory only.
    case block(ExpressionBlock, arguments: [ExpressionNode])

    /// Returns the key path `a.b` from the evaluated object.
    package static func keyPath(_ path: String) -> ExpressionNode {
        .keyPath(operand: .evaluatedObject, keys: path.split(separator: ".").map(String.init))
    }
}
