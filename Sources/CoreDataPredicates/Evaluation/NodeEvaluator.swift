/// A predicate made ready to run over objects in memory.
///
/// The tree becomes closures once: constants are folded, patterns compiled and lists hashed there, so that an
/// object costs the reading of its keys and one call for each node. Values that are null equal only null; every
/// other comparison with null is false, `!=` excepted.
package struct NodeEvaluator: Sendable {
    private let condition: CompiledCondition

    /// Throws what can be known without an object: an unknown function, a malformed pattern.
    package init(_ predicate: PredicateNode) throws(EvaluationError) {
        condition = try predicate.compiled()
    }

    package func matches(
        _ object: ExpressionValue,
        variables: [String: ExpressionValue] = [:]
    ) throws(EvaluationError) -> Bool {
        try condition(EvaluationScope(object: object, variables: variables))
    }
}

/// An expression made ready to run over objects in memory.
package struct ExpressionEvaluator: Sendable {
    private let expression: CompiledExpression

    package init(_ expression: ExpressionNode) throws(EvaluationError) {
        self.expression = try expression.compiled()
    }

    package func value(
        for object: ExpressionValue,
        variables: [String: ExpressionValue] = [:]
    ) throws(EvaluationError) -> ExpressionValue {
        try expression(EvaluationScope(object: object, variables: variables))
    }
}

extension PredicateNode {
    func compiled() throws(EvaluationError) -> CompiledCondition {
        switch self {
        case .constant(let value): return { _ throws(EvaluationError) in value }
        case .comparison(let comparison): return try comparison.compiled()
        case .block(let block):
            return { scope throws(EvaluationError) in
                let variables = scope.variables.mapValues { $0.unboxed as Any }
                return block.evaluate(scope.object.unboxed, variables.isEmpty ? nil : variables)
            }
        case .compound(let logical, let operands):
            var conditions: [CompiledCondition] = []
            for operand in operands { conditions.append(try operand.compiled()) }
            return logical.compiled(conditions)
        }
    }
}

extension LogicalOperator {
    fileprivate func compiled(_ conditions: [CompiledCondition]) -> CompiledCondition {
        switch (self, conditions.count) {
        case (.and, 2):
            let (first, second) = (conditions[0], conditions[1])
            return { scope throws(EvaluationError) in
                guard try first(scope) else { return false }
                return try second(scope)
            }
        case (.or, 2):
            let (first, second) = (conditions[0], conditions[1])
            return { scope throws(EvaluationError) in
                guard try !first(scope) else { return true }
                return try second(scope)
            }
        case (.not, _):
            return { scope throws(EvaluationError) in
                for condition in conditions where try condition(scope) { return false }
                return true
            }
        case (.and, _):
            return { scope throws(EvaluationError) in
                for condition in conditions where try !condition(scope) { return false }
                return true
            }
        case (.or, _):
            return { scope throws(EvaluationError) in
                for condition in conditions where try condition(scope) { return true }
                return false
            }
        }
    }
}
