/// A predicate as a tree of values. The format parser produces it, stores translate it and the evaluator runs
/// it.
package indirect enum PredicateNode: Sendable, Hashable {
    /// `TRUEPREDICATE` and `FALSEPREDICATE`.
    case constant(Bool)
    case comparison(ComparisonNode)
    /// `AND` and `OR` over any number of operands; `NOT` over exactly one.
    case compound(LogicalOperator, [PredicateNode])
    /// A closure, evaluated in memory only.
    case block(PredicateBlock)
}

package enum LogicalOperator: UInt, Sendable, Hashable {
    case not = 0
    case and = 1
    case or = 2
}

/// A comparison `left op right`, with a quantifier before the operator and string options after it.
package struct ComparisonNode: Sendable, Hashable {
    package var left: ExpressionNode
    package var `operator`: ComparisonOperator
    package var right: ExpressionNode
    package var modifier: ComparisonModifier
    package var options: ComparisonOptions
    /// The method by which `customSelector` compares; nil for every other operator.
    package var selector: String?

    package init(
        _ left: ExpressionNode,
        _ operator: ComparisonOperator,
        _ right: ExpressionNode,
        modifier: ComparisonModifier = .direct,
        options: ComparisonOptions = [],
        selector: String? = nil
    ) {
        self.left = left
        self.operator = `operator`
        self.right = right
        self.modifier = modifier
        self.options = options
        self.selector = selector
    }
}

/// The operators; raw values are those of `NSComparisonPredicate.Operator`.
package enum ComparisonOperator: UInt, Sendable, Hashable {
    case lessThan = 0
    case lessThanOrEqualTo = 1
    case greaterThan = 2
    case greaterThanOrEqualTo = 3
    case equalTo = 4
    case notEqualTo = 5
    case matches = 6
    case like = 7
    case beginsWith = 8
    case endsWith = 9
    case `in` = 10
    case customSelector = 11
    case contains = 99
    case between = 100

    /// Returns whether the operator holds for two values that are in the given order (-1, 0 or 1); false for
    /// an operator that does not depend on the order.
    func accepts(_ order: Int) -> Bool {
        switch self {
        case .equalTo: order == 0
        case .notEqualTo: order != 0
        case .lessThan: order < 0
        case .lessThanOrEqualTo: order <= 0
        case .greaterThan: order > 0
        case .greaterThanOrEqualTo: order >= 0
        default: false
        }
    }
}

/// The quantifier `ANY`/`SOME` or `ALL` before a to-many key path. `NONE` is `NOT (ANY …)`.
package enum ComparisonModifier: UInt, Sendable, Hashable {
    case direct = 0
    case all = 1
    case any = 2
}

/// The options `[c]`, `[d]`, `[n]` and `[l]`. The first three raw values are those of
/// `NSComparisonPredicate.Options`.
package struct ComparisonOptions: OptionSet, Sendable, Hashable {
    package let rawValue: UInt
    package init(rawValue: UInt) { self.rawValue = rawValue }

    package static let caseInsensitive = ComparisonOptions(rawValue: 1)
    package static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
    package static let normalized = ComparisonOptions(rawValue: 4)
    package static let localeSensitive = ComparisonOptions(rawValue: 8)
}
