/// Puts values in the place of variables.
package struct NodeRewriter {
    private let variables: [String: ExpressionNode]

    package init(_ variables: [String: ExpressionNode]) {
        self.variables = variables
    }

    package func rewrite(_ predicate: PredicateNode) -> PredicateNode {
        switch predicate {
        case .constant, .block: return predicate
        case .comparison(var comparison):
            comparison.left = rewrite(comparison.left)
            comparison.right = rewrite(comparison.right)
            return .comparison(comparison)
        case .compound(let logic, let operands): return .compound(logic, operands.map(rewrite))
        }
    }

    package func rewrite(_ node: ExpressionNode) -> ExpressionNode {
        switch node {
        case .constant, .evaluatedObject, .anyKey: node
        case .variable(let name): variables[name] ?? node
        case .keyPath(let operand, let keys): .keyPath(operand: rewrite(operand), keys: keys)
        case .function(let operand, let name, let arguments):
            .function(operand: operand.map(rewrite), name: name, arguments: arguments.map(rewrite))
        case .aggregate(let elements): .aggregate(elements.map(rewrite))
        case .subquery(let collection, let variable, let predicate):
            .subquery(
                collection: rewrite(collection), variable: variable,
                predicate: NodeRewriter(variables.filter { $0.key != variable }).rewrite(predicate))
        case .unionSet(let left, let right): .unionSet(rewrite(left), rewrite(right))
        case .intersectSet(let left, let right): .intersectSet(rewrite(left), rewrite(right))
        case .minusSet(let left, let right): .minusSet(rewrite(left), rewrite(right))
        case .conditional(let predicate, let whenTrue, let whenFalse):
            .conditional(rewrite(predicate), rewrite(whenTrue), rewrite(whenFalse))
        case .block(let block, let arguments): .block(block, arguments: arguments.map(rewrite))
        }
    }
}
