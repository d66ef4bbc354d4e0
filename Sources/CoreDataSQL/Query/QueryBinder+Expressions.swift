import CoreDataPredicates
import CoreDataStore
import CoreDataValues

extension QueryBinder {
    func inexpressible(_ expression: ExpressionNode) -> StoreError {
        StoreError(.inexpressible, "SQL cannot express \(expression)")
    }

    var encoder: ConstantEncoder { ConstantEncoder(schema: schema) }

    mutating func operand(_ expression: ExpressionNode) throws(StoreError) -> QueryOperand {
        switch expression {
        case .constant(let value): return .constant(value)
        case .variable(let name) where parameters[name] != nil: return .parameter(parameters[name]!)
        case .aggregate(let elements):
            var operands: [QueryOperand] = []
            for element in elements { operands.append(try operand(element)) }
            return .list(operands)
        case .keyPath(.constant(let value), let keys):
            return .constant(try constant(value, at: keys, expression))
        case .fetch(.constant(.opaque(let payload)), _, let isCountOnly):
            guard let source = payload.base as? FetchSource else { throw inexpressible(expression) }
            return try nested(source.query, isCountOnly: isCountOnly)
        default:
            if let value = expression.foldedConstant { return .constant(value) }
            if let end = try path(expression) {
                return end.collection == nil ? .value(end.value) : .collection(end)
            }
            return .value(try computed(expression))
        }
    }

    /// Returns an expression as one value, with constants as `type` stores them.
    mutating func scalar(
        _ expression: ExpressionNode,
        as type: BoundType = .unknown
    ) throws(StoreError) -> BoundExpression {
        try scalar(try operand(expression), as: type, in: expression)
    }

    func scalar(
        _ operand: QueryOperand,
        as type: BoundType,
        in expression: ExpressionNode
    ) throws(StoreError) -> BoundExpression {
        switch operand {
        case .value(let value): return value
        case .constant(let value): return .value(try encoder.encode(value, as: type), type)
        case .parameter(let constant): return .parameter(constant, type)
        case .collection(let end): return try single(end, in: expression)
        case .list, .query: throw inexpressible(expression)
        }
    }

    /// Returns an expression as a value that one column can hold, which the value of a composite is not.
    mutating func column(_ expression: ExpressionNode) throws(StoreError) -> BoundExpression {
        try column(scalar(expression), expression)
    }

    func column(
        _ value: BoundExpression, _ expression: ExpressionNode
    ) throws(StoreError) -> BoundExpression {
        if value.type == .attribute(.composite) { throw inexpressible(expression) }
        return value
    }

    /// Returns the value of a path that has just one.
    func single(_ end: PathEnd, in expression: ExpressionNode) throws(StoreError) -> BoundExpression {
        guard end.collection == nil else {
            throw StoreError(.unsupported, "to-many key not allowed here: \(expression)")
        }
        return end.value
    }

    /// Returns the value at keys of an object that came with the predicate, read now.
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

    // MARK: Computed values

    private mutating func computed(_ expression: ExpressionNode) throws(StoreError) -> BoundExpression {
        switch expression {
        case .function(nil, let name, let arguments):
            return try call(name, arguments, expression)
        case .conditional(let predicate, let first, let second):
            let condition = try bind(predicate)
            let (left, right) = try pair(first, second)
            let type = left.isConstant ? right.type : left.type
            return BoundExpression(form: .conditional(condition, left, right), type: type)
        case .keyPath(let operand, let keys):
            // Only a sub-query or a path can have keys; anything else was handled as a constant.
            throw StoreError(
                .inexpressible, "SQL cannot read \(keys.joined(separator: ".")) of \(operand)")
        default:
            throw inexpressible(expression)
        }
    }

    /// Returns two values that are combined, where a constant is encoded as the other side's type.
    mutating func pair(
        _ first: ExpressionNode,
        _ second: ExpressionNode
    ) throws(StoreError) -> (BoundExpression, BoundExpression) {
        let (left, right) = (try operand(first), try operand(second))
        return (
            try scalar(left, as: right.type ?? .unknown, in: first),
            try scalar(right, as: left.type ?? .unknown, in: second)
        )
    }
}
