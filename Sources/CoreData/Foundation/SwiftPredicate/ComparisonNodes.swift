import CoreDataPredicates
import CoreDataValues
import Foundation

extension PredicateExpressions.Equal: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        Meaning(try translator.equality(of: lhs, and: rhs, in: self))
    }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        Meaning(try translator.equality(of: lhs, and: rhs, in: self).negated)
    }
}

extension PredicateExpressions.Comparison: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        let `operator`: ComparisonOperator =
            switch op {
            case .lessThan: .lessThan
            case .lessThanOrEqual: .lessThanOrEqualTo
            case .greaterThan: .greaterThan
            case .greaterThanOrEqual: .greaterThanOrEqualTo
            @unknown default: throw translator.untranslatable(self, "the operator \(op) is not known")
            }
        let (left, right) = (try translator.expression(of: lhs), try translator.expression(of: rhs))
        return Meaning(.comparison(ComparisonNode(left, `operator`, right)))
    }
}

extension PredicateTranslator {
    fileprivate func equality(
        of left: some PredicateExpression, and right: some PredicateExpression,
        in node: some PredicateExpression
    ) throws(PredicateTranslationError) -> PredicateNode {
        try equality(of: meaning(of: left), and: meaning(of: right), in: node)
    }

    /// Returns whether two values are equal; nil equals nil.
    func equality(
        of left: Meaning, and right: Meaning, in node: some PredicateExpression
    ) throws(PredicateTranslationError) -> PredicateNode {
        if left.isNil { return right.presence.negated }
        if right.isNil { return left.presence.negated }
        switch (left.form, right.form) {
        case (.order(let comparison), _): return try order(comparison, is: right, in: node)
        case (_, .order(let comparison)): return try order(comparison, is: left, in: node)
        case (.condition(let first), .condition(let second)):
            return sameTruth(first, left.presence, second, right.presence)
        default:
            let (first, second) = (try left.expression(of: node), try right.expression(of: node))
            return .comparison(ComparisonNode(first, .equalTo, second))
        }
    }

    private func sameTruth(
        _ left: PredicateNode, _ hasLeft: PredicateNode, _ right: PredicateNode, _ hasRight: PredicateNode
    ) -> PredicateNode {
        if case .constant(let value) = right, hasRight == .always {
            return truth(of: left, hasLeft, is: value)
        }
        if case .constant(let value) = left, hasLeft == .always {
            return truth(of: right, hasRight, is: value)
        }
        let same = PredicateNode.any([.all([left, right]), .all([left.negated, right.negated])])
        return .any([
            .all([hasLeft, hasRight, same]), .all([hasLeft.negated, hasRight.negated]),
        ])
    }

    private func truth(of condition: PredicateNode, _ isPresent: PredicateNode, is value: Bool)
        -> PredicateNode
    {
        if case .comparison(var comparison) = condition, comparison.right == .true, !value,
            comparison.operator == .equalTo, isPresent == .isNotNil(comparison.left)
        {
            comparison.right = .false
            return .comparison(comparison)
        }
        return .all([isPresent, value ? condition : condition.negated])
    }

    /// Returns the comparison for `a.caseInsensitiveCompare(b) == ComparisonResult.orderedAscending`: a is
    /// before b.
    private func order(
        _ comparison: ComparisonNode, is result: Meaning, in node: some PredicateExpression
    ) throws(PredicateTranslationError) -> PredicateNode {
        var comparison = comparison
        switch result.constant {
        case .value(.integer(-1)): comparison.operator = .lessThan
        case .value(.integer(0)): comparison.operator = .equalTo
        case .value(.integer(1)): comparison.operator = .greaterThan
        default: throw untranslatable(node, "a ComparisonResult can only be compared with a constant")
        }
        return .comparison(comparison)
    }
}
