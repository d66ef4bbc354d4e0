import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// The binding of one comparison, whose sides are bound already, to a condition.
struct ComparisonBinder {
    let comparison: ComparisonNode
    let frame: QueryFrame

    func bind(_ left: QueryOperand, _ right: QueryOperand) throws(StoreError) -> BoundCondition {
        switch comparison.modifier {
        case .direct: return try direct(left, right)
        case .any, .all: return try quantified(left, right)
        }
    }

    // MARK: ANY and ALL

    private func quantified(
        _ left: QueryOperand,
        _ right: QueryOperand
    ) throws(StoreError) -> BoundCondition {
        let isAny = comparison.modifier == .any
        if case .collection(let end) = left, let select = end.collection {
            let condition = try compare(.value(end.value), right)
            // ALL holds if no element fails. An element fails if its comparison yields NULL.
            select.add(isAny ? condition : .isNotTrue(condition))
            return isAny ? .exists(select.source) : .not(.exists(select.source))
        }
        guard let elements = left.elements else { return try direct(left, right) }
        var conditions: [BoundCondition] = []
        for element in elements { conditions.append(try compare(element, right)) }
        guard !conditions.isEmpty else { return .constant(!isAny) }
        return isAny ? .or(conditions) : .and(conditions)
    }

    // MARK: Direct comparisons

    private func direct(_ left: QueryOperand, _ right: QueryOperand) throws(StoreError) -> BoundCondition {
        switch (left, comparison.operator, right) {
        case (.collection(let end), .contains, let element), (let element, .in, .collection(let end)):
            guard let select = end.collection else { break }
            try checkBytes(.value(end.value), element)
            select.add(try equal(.value(end.value), element))
            return .exists(select.source)
        case (.collection(let end), .equalTo, _) where right.isNull:
            guard let select = end.collection else { break }
            return .not(.exists(select.source))
        case (.collection(let end), .notEqualTo, _) where right.isNull:
            guard let select = end.collection else { break }
            return .exists(select.source)
        default: break
        }
        return try compare(left, right)
    }

    /// Compares two sides that have one value each, or a list known beforehand.
    private func compare(_ left: QueryOperand, _ right: QueryOperand) throws(StoreError) -> BoundCondition {
        if case .collection = left { throw .unsupported(comparison, "to-many key not allowed here") }
        if case .collection = right { throw .unsupported(comparison, "to-many key not allowed here") }
        if !left.isNull, !right.isNull {
            if left.type == .attribute(.transformable) || right.type == .attribute(.transformable) {
                throw .inexpressible(comparison, "SQL can only read transformable values as archives")
            }
            if left.type == .attribute(.composite) || right.type == .attribute(.composite) {
                throw .inexpressible(comparison, "SQL can only read the elements of composite values")
            }
        }
        try checkBytes(left, right)
        switch comparison.operator {
        case .lessThan: return try order(left, .less, right)
        case .lessThanOrEqualTo: return try order(left, .lessOrEqual, right)
        case .greaterThan: return try order(left, .greater, right)
        case .greaterThanOrEqualTo: return try order(left, .greaterOrEqual, right)
        case .equalTo: return try equal(left, right)
        case .notEqualTo: return try notEqual(left, right)
        case .in: return try member(left, of: right)
        case .contains:
            if left.isList { return try member(right, of: left) }
            return try match(.contains, left, right)
        case .between: return try between(left, right)
        case .beginsWith: return try match(.beginsWith, left, right)
        case .endsWith: return try match(.endsWith, left, right)
        case .like: return try match(.like, left, right)
        case .matches: return try match(.matches, left, right)
        case .customSelector: throw .inexpressible(comparison, "SQL cannot call a selector")
        }
    }

    /// Returns an operand as one value, with constants as `type` stores them.
    func scalar(
        _ operand: QueryOperand,
        as type: BoundType,
        in expression: ExpressionNode
    ) throws(StoreError) -> BoundExpression {
        try operand.scalar(as: type, in: expression, by: frame.encoder)
    }
}
