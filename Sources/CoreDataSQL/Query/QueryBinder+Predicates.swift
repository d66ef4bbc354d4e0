import CoreDataPredicates
import CoreDataStore
import CoreDataValues

extension QueryBinder {
    mutating func bind(_ predicate: PredicateNode) throws(StoreError) -> BoundCondition {
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

    /// Returns the error for a comparison that has no meaning in memory either.
    func unsupported(_ comparison: ComparisonNode, _ reason: String) -> StoreError {
        StoreError(.unsupported, "\(reason): \(PredicateNode.comparison(comparison))")
    }

    func inexpressible(_ comparison: ComparisonNode, _ reason: String) -> StoreError {
        StoreError(.inexpressible, "\(reason): \(PredicateNode.comparison(comparison))")
    }

    private mutating func bind(_ comparison: ComparisonNode) throws(StoreError) -> BoundCondition {
        if let parts = membershipParts(comparison) { return try bind(parts) }
        if comparison.isFullTextSearch { return try search(comparison) }
        if let box = try box(comparison) { return box }
        guard comparison.operator != .customSelector else {
            throw inexpressible(comparison, "SQL cannot call a selector")
        }
        let left = try operand(comparison.left)
        let right = try operand(comparison.right)
        switch comparison.modifier {
        case .direct: return try direct(comparison, left, right)
        case .any, .all: return try quantified(comparison, left, right)
        }
    }

    /// Returns `x IN (a UNION b)` as `x IN a OR x IN b`, and the like; nil for other comparisons.
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

    // MARK: ANY and ALL

    private mutating func quantified(
        _ comparison: ComparisonNode,
        _ left: QueryOperand,
        _ right: QueryOperand
    ) throws(StoreError) -> BoundCondition {
        let isAny = comparison.modifier == .any
        if case .collection(let end) = left, let scope = end.collection {
            let condition = try compare(comparison, .value(end.value), right)
            // ALL holds where no element fails; an element that compares with NULL fails.
            scope.add(isAny ? condition : .isNotTrue(condition))
            return isAny ? .exists(scope.source) : .not(.exists(scope.source))
        }
        guard let elements = left.elements else { return try direct(comparison, left, right) }
        var conditions: [BoundCondition] = []
        for element in elements { conditions.append(try compare(comparison, element, right)) }
        guard !conditions.isEmpty else { return .constant(!isAny) }
        return isAny ? .or(conditions) : .and(conditions)
    }

    // MARK: Direct comparisons

    private mutating func direct(
        _ comparison: ComparisonNode,
        _ left: QueryOperand,
        _ right: QueryOperand
    ) throws(StoreError) -> BoundCondition {
        switch (left, comparison.operator, right) {
        case (.collection(let end), .contains, let element), (let element, .in, .collection(let end)):
            guard let scope = end.collection else { break }
            try checkBytes(comparison, .value(end.value), element)
            scope.add(try equal(comparison, .value(end.value), element))
            return .exists(scope.source)
        case (.collection(let end), .equalTo, _) where right.isNull:
            guard let scope = end.collection else { break }
            return .not(.exists(scope.source))
        case (.collection(let end), .notEqualTo, _) where right.isNull:
            guard let scope = end.collection else { break }
            return .exists(scope.source)
        default: break
        }
        return try compare(comparison, left, right)
    }

    /// Compares two sides that have one value each, or a list known beforehand.
    private func compare(
        _ comparison: ComparisonNode,
        _ left: QueryOperand,
        _ right: QueryOperand
    ) throws(StoreError) -> BoundCondition {
        if case .collection = left { throw unsupported(comparison, "to-many key not allowed here") }
        if case .collection = right { throw unsupported(comparison, "to-many key not allowed here") }
        if !left.isNull, !right.isNull {
            if left.type == .attribute(.transformable) || right.type == .attribute(.transformable) {
                throw inexpressible(comparison, "SQL can only read transformable values as archives")
            }
            if left.type == .attribute(.composite) || right.type == .attribute(.composite) {
                throw inexpressible(comparison, "SQL can only read the elements of composite values")
            }
        }
        try checkBytes(comparison, left, right)
        switch comparison.operator {
        case .lessThan: return try order(comparison, left, .less, right)
        case .lessThanOrEqualTo: return try order(comparison, left, .lessOrEqual, right)
        case .greaterThan: return try order(comparison, left, .greater, right)
        case .greaterThanOrEqualTo: return try order(comparison, left, .greaterOrEqual, right)
        case .equalTo: return try equal(comparison, left, right)
        case .notEqualTo: return try notEqual(comparison, left, right)
        case .in: return try member(comparison, left, of: right)
        case .contains:
            if left.isList { return try member(comparison, right, of: left) }
            return try match(comparison, .contains, left, right)
        case .between: return try between(comparison, left, right)
        case .beginsWith: return try match(comparison, .beginsWith, left, right)
        case .endsWith: return try match(comparison, .endsWith, left, right)
        case .like: return try match(comparison, .like, left, right)
        case .matches: return try match(comparison, .matches, left, right)
        case .customSelector: throw inexpressible(comparison, "SQL cannot call a selector")
        }
    }
}
