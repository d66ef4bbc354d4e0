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

extension BoundExpression {
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
