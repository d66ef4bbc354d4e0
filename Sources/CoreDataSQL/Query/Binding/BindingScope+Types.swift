import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// The checks of databases whose values have types: they compute with numbers only, and choose among values
/// of one kind only. Memory computes what does not fit.
extension BindingScope {
    func requireNumbers(
        _ values: [BoundExpression], in expression: ExpressionNode
    ) throws(StoreError) {
        guard frame.dialect.hasTypes else { return }
        for value in values where !value.isNumber { throw .inexpressible(expression) }
    }

    func requireOneKind(
        _ values: [BoundExpression], in expression: ExpressionNode
    ) throws(StoreError) {
        guard frame.dialect.hasTypes else { return }
        let types = values.map(\.typeOfValue)
        for (index, type) in types.enumerated() {
            for other in types[..<index] where !type.isComparable(with: other) {
                throw .inexpressible(expression)
            }
        }
    }
}

extension BindingScope {
    /// Leaves a division to memory if a side may be a whole number or a fraction, depending on the row: memory
    /// divides two whole numbers to a whole number, and a database does not tell what it has.
    func requireKnownDivision(
        _ values: [BoundExpression], in expression: ExpressionNode
    ) throws(StoreError) {
        guard frame.dialect.hasTypes, values.contains(where: \.mayBeWholeOrFraction) else { return }
        throw .inexpressible(expression)
    }
}

extension BoundExpression {
    /// The type in which a database with types computes the value, which is a fraction if one of its parts is.
    var computedType: BoundType {
        let type = typeOfValue
        if type.isFractional || !parts.contains(where: \.computedType.isFractional) { return type }
        return .attribute(.double)
    }

    /// The values of which this is one, or that it is computed of.
    private var parts: [BoundExpression] {
        switch form {
        case .infix(.add, let left, let right), .infix(.subtract, let left, let right),
            .infix(.multiply, let left, let right), .infix(.divide, let left, let right),
            .conditional(_, let left, let right):
            [left, right]
        case .call(.least, let values), .call(.greatest, let values), .call(.coalesce, let values),
            .call(.absolute, let values):
            values
        case .withoutIndex(let value): [value]
        default: []
        }
    }

    fileprivate var mayBeWholeOrFraction: Bool {
        switch form {
        case .conditional, .call(.least, _), .call(.greatest, _), .call(.coalesce, _):
            Set(parts.map(\.computedType.isFractional)).count > 1
                || parts.contains(where: \.mayBeWholeOrFraction)
        default: parts.contains(where: \.mayBeWholeOrFraction)
        }
    }

    /// Whether the value is a number, or of a kind that is not known.
    var isNumber: Bool { typeOfValue.isComparable(with: .attribute(.integer64)) }
}

extension AggregateFunction {
    /// Whether the function computes with its values.
    var needsNumbers: Bool {
        switch self {
        case .sum, .average, .median, .deviation: true
        case .count, .minimum, .maximum, .mode: false
        }
    }
}
