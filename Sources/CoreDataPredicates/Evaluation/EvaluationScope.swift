/// What the names in a predicate mean while it is evaluated.
struct EvaluationScope {
    let object: ExpressionValue
    var variables: [String: ExpressionValue]
}

typealias CompiledCondition = @Sendable (EvaluationScope) throws(EvaluationError) -> Bool
typealias CompiledExpression = @Sendable (EvaluationScope) throws(EvaluationError) -> ExpressionValue
/// A comparison of two values that are known.
typealias CompiledTest =
    @Sendable (ExpressionValue, ExpressionValue) throws(EvaluationError) -> Bool
