import CoreDataPredicates
import CoreDataStore

/// The binding of predicates to conditions.
struct PredicateBinder {
    let scope: BindingScope

    func bind(_ predicate: PredicateNode) throws(StoreError) -> BoundCondition {
        switch predicate {
        case .constant(let value): return .constant(value)
        case .comparison(let comparison): return try bind(comparison)
        case .block:
            throw StoreError(.inexpressible, "SQL cannot run a block predicate: \(predicate)")
        case .compound(let logical, let operands):
            var conditions: [BoundCondition] = []
            for operand in operands { conditions.append(try bind(operand)) }
            switch logical {
            case .not: return .not(.and(conditions))
            case .and: return conditions.isEmpty ? .constant(true) : .and(conditions)
            case .or: return conditions.isEmpty ? .constant(false) : .or(conditions)
            }
        }
    }

    private func bind(_ comparison: ComparisonNode) throws(StoreError) -> BoundCondition {
        if let parts = membershipParts(comparison) { return try bind(parts) }
        if comparison.isFullTextSearch {
            return try SearchBinder(comparison: comparison, scope: scope).bind()
        }
        if let box = try IndexBinder(scope: scope).box(comparison) { return box }
        guard comparison.operator != .customSelector else {
            throw .inexpressible(comparison, "SQL cannot call a selector")
        }
        let left = try scope.expressions.operand(comparison.left)
        let right = try scope.expressions.operand(comparison.right)
        return try ComparisonBinder(comparison: comparison, frame: scope.frame).bind(left, right)
    }

    /// Returns `x IN (a UNION b)` as `x IN a OR x IN b`, and membership in an intersection or a difference in
    /// the same way; nil for other comparisons.
    private func membershipParts(_ comparison: ComparisonNode) -> PredicateNode? {
        guard comparison.modifier == .direct else { return nil }
        let sets: ExpressionNode
        switch comparison.operator {
        case .in: sets = comparison.right
        case .contains: sets = comparison.left
        default: return nil
        }
        func member(of set: ExpressionNode) -> PredicateNode {
            var part = comparison
            if part.operator == .in { part.right = set } else { part.left = set }
            return .comparison(part)
        }
        switch sets {
        case .unionSet(let left, let right):
            return .compound(.or, [member(of: left), member(of: right)])
        case .intersectSet(let left, let right):
            return .compound(.and, [member(of: left), member(of: right)])
        case .minusSet(let left, let right):
            return .compound(.and, [member(of: left), .compound(.not, [member(of: right)])])
        default: return nil
        }
    }
}
