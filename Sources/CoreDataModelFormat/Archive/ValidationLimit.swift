import CoreDataPredicates
package import CoreDataValues

/// A limit or regular expression of an attribute, with the predicate into which it is compiled and the
/// validation error code that it reports (mom §4).
enum ValidationLimit: Hashable {
    case minimum(AttributeValue)
    case maximum(AttributeValue)
    case regularExpression(String)

    /// Returns the predicate on a value of `type`; for strings it limits their length.
    func predicate(for type: AttributeType) -> PredicateNode {
        let subject: ExpressionNode = type == .string ? .keyPath("length") : .evaluatedObject
        return switch self {
        case .minimum(let value): comparison(subject, .greaterThanOrEqualTo, value)
        case .maximum(let value): comparison(subject, .lessThanOrEqualTo, value)
        case .regularExpression(let pattern): comparison(.evaluatedObject, .matches, .string(pattern))
        }
    }

    func errorCode(for type: AttributeType) -> Int {
        switch (self, type) {
        case (.minimum, .string): 1670
        case (.maximum, .string): 1660
        case (.minimum, .date): 1640
        case (.maximum, .date): 1630
        case (.minimum, _): 1620
        case (.maximum, _): 1610
        case (.regularExpression, _): 1680
        }
    }

    /// Makes the limit that a predicate and its warning express; nil if they do not express a limit.
    init?(_ node: PredicateNode, _ warning: ValidationRule.Warning, type: AttributeType) {
        guard case .comparison(let comparison) = node, case .constant(.value(let value)) = comparison.right
        else { return nil }
        let limit: ValidationLimit
        switch (comparison.operator, value) {
        case (.greaterThanOrEqualTo, let value): limit = .minimum(value)
        case (.lessThanOrEqualTo, let value): limit = .maximum(value)
        case (.matches, .string(let pattern)): limit = .regularExpression(pattern)
        default: return nil
        }
        guard limit.predicate(for: type) == node, warning == .code(limit.errorCode(for: type)) else {
            return nil
        }
        self = limit
    }

    private func comparison(
        _ left: ExpressionNode, _ operation: ComparisonOperator, _ right: AttributeValue
    ) -> PredicateNode {
        .comparison(ComparisonNode(left, operation, .constant(.value(right))))
    }
}

extension AttributeElement {
    /// The limits of the attribute, in the order in which they are compiled.
    var limits: [ValidationLimit] {
        var limits: [ValidationLimit] = []
        if !minimum.isNull { limits.append(.minimum(minimum)) }
        if !maximum.isNull { limits.append(.maximum(maximum)) }
        if let regularExpression { limits.append(.regularExpression(regularExpression)) }
        return limits
    }
}

extension AttributeType {
    /// The type of the attribute's limits. For strings, limits are lengths.
    package var limitType: AttributeType { self == .string ? .integer64 : self }
}
