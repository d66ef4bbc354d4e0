import CoreDataValues

extension ComparisonBinder {
    /// Returns EXISTS for `rows.@count > 0` and its equivalents, and NOT EXISTS for their opposites, which a
    /// database answers at the first row; nil for other comparisons.
    func emptiness(
        _ left: BoundExpression,
        _ relation: SQLComparison,
        _ right: BoundExpression
    ) -> BoundCondition? {
        if left.isConstant, !right.isConstant { return emptiness(right, relation.mirrored, left) }
        guard case .subselect(.count, nil, isDistinct: false, let source) = left.form,
            case .value(.integer(let limit)) = right.form
        else { return nil }
        switch (relation, limit) {
        case (.greater, 0), (.notEqual, 0), (.greaterOrEqual, 1): return .exists(source)
        case (.equal, 0), (.lessOrEqual, 0), (.less, 1): return .not(.exists(source))
        default: return nil
        }
    }
}
