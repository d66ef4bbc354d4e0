/// A predicate made ready to run over objects in memory.
///
/// The tree becomes closures once: constants are folded, patterns compiled and lists hashed there, so that an
/// object costs the reading of its keys and one call for each node; less where all that is asked for lies bare in the
/// object (`BareCondition`). Values that are null equal only null; every other comparison with null is false, `!=`
/// excepted.
package struct NodeEvaluator: Sendable {
    private let condition: CompiledCondition
    private let bare: (any BareCondition)?

    /// Throws what can be known without an object: an unknown function, a malformed pattern.
    package init(_ predicate: PredicateNode) throws(EvaluationError) {
        condition = try predicate.compiled()
        bare = predicate.bare
    }

    package func matches(_ object: any KeyedValues) throws(EvaluationError) -> Bool {
        if let answer = bare?.holds(for: object) { return answer }
        return try condition(EvaluationScope(object: .object(object), variables: [:]))
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
        case .compound(.and, let operands): return try Self.all(operands[...])
        case .compound(.or, let operands): return try Self.any(operands[...])
        case .compound(.not, let operands):
            let any = try Self.any(operands[...])
            return { scope throws(EvaluationError) in try !any(scope) }
        }
    }

    // By halves, so that long compounds do not become deep ones. Closures that lie in a list would be called through
    // conversions.

    private static func all(_ operands: ArraySlice<PredicateNode>) throws(EvaluationError)
        -> CompiledCondition
    {
        guard let operand = operands.first else { return { _ throws(EvaluationError) in true } }
        if operands.count == 1 { return try operand.compiled() }
        let middle = operands.startIndex + operands.count / 2
        let (first, second) = (try all(operands[..<middle]), try all(operands[middle...]))
        return { scope throws(EvaluationError) in
            guard try first(scope) else { return false }
            return try second(scope)
        }
    }

    private static func any(_ operands: ArraySlice<PredicateNode>) throws(EvaluationError)
        -> CompiledCondition
    {
        guard let operand = operands.first else { return { _ throws(EvaluationError) in false } }
        if operands.count == 1 { return try operand.compiled() }
        let middle = operands.startIndex + operands.count / 2
        let (first, second) = (try any(operands[..<middle]), try any(operands[middle...]))
        return { scope throws(EvaluationError) in
            guard try !first(scope) else { return true }
            return try second(scope)
        }
    }
}
