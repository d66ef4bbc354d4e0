import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// The binding of expressions to values, constants and collections.
struct ExpressionBinder {
    let scope: BindingScope

    func operand(_ expression: ExpressionNode) throws(StoreError) -> QueryOperand {
        switch expression {
        case .constant(let value): return .constant(value)
        case .variable(let name) where scope.frame.parameters[name] != nil:
            return .parameter(scope.frame.parameters[name]!)
        case .aggregate(let elements):
            var operands: [QueryOperand] = []
            for element in elements { operands.append(try operand(element)) }
            return .list(operands)
        case .keyPath(.constant(let value), let keys):
            return .constant(try constant(value, at: keys, expression))
        case .fetch(.constant(.opaque(let payload)), _, let isCountOnly):
            guard let source = payload.base as? FetchSource else { throw .inexpressible(expression) }
            let nested = try BindingScope(
                schema: scope.schema, dialect: scope.frame.dialect, entity: source.query.entity, within: scope
            )
            return try QueryBinder(scope: nested).operand(source.query, isCountOnly: isCountOnly)
        default:
            if let value = expression.foldedConstant { return .constant(value) }
            if let end = try scope.paths.end(of: expression) {
                return end.collection == nil ? .value(end.value) : .collection(end)
            }
            return .value(try computed(expression))
        }
    }

    /// Returns an expression as one value, with constants as `type` stores them.
    func scalar(
        _ expression: ExpressionNode,
        as type: BoundType = .unknown
    ) throws(StoreError) -> BoundExpression {
        try operand(expression).scalar(as: type, in: expression, by: scope.frame.encoder)
    }

    /// Returns an expression as a value that one column can hold. Throws for a composite, which has several
    /// columns.
    func column(_ expression: ExpressionNode) throws(StoreError) -> BoundExpression {
        try scalar(expression).inOneColumn(expression)
    }

    /// Returns the present value at a key path of a constant, such as an object in the predicate.
    private func constant(
        _ value: ExpressionValue,
        at keys: [String],
        _ expression: ExpressionNode
    ) throws(StoreError) -> ExpressionValue {
        do throws(EvaluationError) {
            return try value.value(at: keys[...])
        } catch {
            throw StoreError(.unsupported, "\(error): \(expression)")
        }
    }

    private func computed(_ expression: ExpressionNode) throws(StoreError) -> BoundExpression {
        switch expression {
        case .function(nil, let name, let arguments):
            return try FunctionBinder(expression: expression, scope: scope).call(name, arguments)
        case .conditional(let predicate, let first, let second):
            let condition = try scope.predicates.bind(predicate)
            let (left, right) = try pair(first, second)
            try scope.requireOneKind([left, right], in: expression)
            // A null without a type would be a text.
            if scope.frame.dialect.hasTypes, left.isNull, right.isNull { return left }
            let type = left.isConstant ? right.type : left.type
            return BoundExpression(form: .conditional(condition, left, right), type: type)
        case .keyPath(let operand, let keys):
            // Only a sub-query or a path can have keys; anything else was handled as a constant.
            throw StoreError(
                .inexpressible, "SQL cannot read \(keys.joined(separator: ".")) of \(operand)")
        default:
            throw .inexpressible(expression)
        }
    }

    /// Returns two values to be combined. A constant is encoded as the type of the other value.
    private func pair(
        _ first: ExpressionNode,
        _ second: ExpressionNode
    ) throws(StoreError) -> (BoundExpression, BoundExpression) {
        let (left, right) = (try operand(first), try operand(second))
        let encoder = scope.frame.encoder
        return (
            try left.scalar(as: right.type ?? .unknown, in: first, by: encoder),
            try right.scalar(as: left.type ?? .unknown, in: second, by: encoder)
        )
    }
}
