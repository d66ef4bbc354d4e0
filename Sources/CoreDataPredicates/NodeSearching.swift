extension PredicateNode {
    /// Returns whether an expression in the predicate passes a test.
    package func containsExpression(where isWanted: (ExpressionNode) -> Bool) -> Bool {
        switch self {
        case .constant, .block: false
        case .comparison(let comparison):
            comparison.left.contains(where: isWanted) || comparison.right.contains(where: isWanted)
        case .compound(_, let operands): operands.contains { $0.containsExpression(where: isWanted) }
        }
    }
}

extension ExpressionNode {
    /// Returns whether the expression, or an expression inside it, passes a test.
    package func contains(where isWanted: (ExpressionNode) -> Bool) -> Bool {
        if isWanted(self) { return true }
        func anyOf(_ parts: [ExpressionNode]) -> Bool { parts.contains { $0.contains(where: isWanted) } }
        return switch self {
        case .constant, .evaluatedObject, .variable, .anyKey: false
        case .keyPath(let operand, _): operand.contains(where: isWanted)
        case .function(let operand, _, let arguments):
            operand?.contains(where: isWanted) ?? false || anyOf(arguments)
        case .aggregate(let elements): anyOf(elements)
        case .subquery(let collection, _, let predicate):
            collection.contains(where: isWanted) || predicate.containsExpression(where: isWanted)
        case .unionSet(let left, let right), .intersectSet(let left, let right),
            .minusSet(let left, let right):
            left.contains(where: isWanted) || right.contains(where: isWanted)
        case .conditional(let predicate, let first, let second):
            predicate.containsExpression(where: isWanted) || anyOf([first, second])
        case .fetch(let request, let context, _): anyOf([request, context])
        case .block(_, let arguments): anyOf(arguments)
        }
    }
}
