/// A predicate compiled for objects in memory.
///
/// The tree is turned into closures once: constants are folded, patterns compiled and lists hashed.
/// Evaluating an object then takes the reading of its keys and one call for each node, or less if all values
/// can be read in place (`BareCondition`). Null equals only null. Every other comparison with null is false,
/// except `!=`.
package final class NodeEvaluator: Sendable {
    private let condition: CompiledCondition
    /// The predicate as a condition on values read in place; nil if it cannot be one.
    package let bare: BareCondition?

    /// - Throws: An error that does not depend on an object: an unknown function or a malformed pattern.
    package init(_ predicate: PredicateNode) throws(EvaluationError) {
        condition = try predicate.compiled()
        bare = BareCondition(predicate)
    }

    package func matches(_ object: any KeyedValues) throws(EvaluationError) -> Bool {
        if let bare, let answer = object.meets(bare) { return answer }
        return try condition(EvaluationScope(object: .object(object), variables: [:]))
    }

    package func matches(
        _ object: ExpressionValue,
        variables: [String: ExpressionValue] = [:]
    ) throws(EvaluationError) -> Bool {
        try condition(EvaluationScope(object: object, variables: variables))
    }
}

/// An expression compiled for objects in memory.
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
        case .compound(.and, let operands): return try Self.joined(operands[...], decidedBy: false)
        case .compound(.or, let operands): return try Self.joined(operands[...], decidedBy: true)
        case .compound(.not, let operands):
            let any = try Self.joined(operands[...], decidedBy: true)
            return { scope throws(EvaluationError) in try !any(scope) }
        }
    }

    /// Returns the operands joined as a balanced tree, so that a long compound does not lead to deep
    /// recursion. Closures stored in an array would be called through conversions.
    ///
    /// - Parameter decision: The result of one operand that is then the result of the whole compound.
    private static func joined(
        _ operands: ArraySlice<PredicateNode>, decidedBy decision: Bool
    ) throws(EvaluationError) -> CompiledCondition {
        guard let operand = operands.first else { return { _ throws(EvaluationError) in !decision } }
        if operands.count == 1 { return try operand.compiled() }
        let middle = operands.startIndex + operands.count / 2
        let first = try joined(operands[..<middle], decidedBy: decision)
        let second = try joined(operands[middle...], decidedBy: decision)
        return { scope throws(EvaluationError) in
            if try first(scope) == decision { return decision }
            return try second(scope)
        }
    }
}
