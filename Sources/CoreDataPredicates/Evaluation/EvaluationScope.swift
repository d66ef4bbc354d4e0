/// The values of the names in a predicate during one evaluation.
struct EvaluationScope {
    let object: ExpressionValue
    var variables: [String: ExpressionValue]
}

typealias CompiledCondition = @Sendable (EvaluationScope) throws(EvaluationError) -> Bool
typealias CompiledExpression = @Sendable (EvaluationScope) throws(EvaluationError) -> ExpressionValue
/// A comparison of two evaluated values.
typealias CompiledTest =
    @Sendable (ExpressionValue, ExpressionValue) throws(EvaluationError) -> Bool
