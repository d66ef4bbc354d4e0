import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// Comparisons of sides that have one value each.
extension ComparisonBinder {
    /// Returns both sides as values, each constant encoded as the other side's type.
    private func sides(
        _ left: QueryOperand,
        _ right: QueryOperand
    ) throws(StoreError) -> (BoundExpression, BoundExpression) {
        let (first, second) = (
            try scalar(left, as: right.type ?? .unknown, in: comparison.left),
            try scalar(right, as: left.type ?? .unknown, in: comparison.right)
        )
        if frame.dialect.hasTypes, !first.type.isComparable(with: second.type) {
            throw .inexpressible(comparison, "SQL cannot compare values of different types")
        }
        return (first, second)
    }

    /// Returns whether the options `[cd]` apply, as they do to strings only.
    private func isFolded(
        _ left: BoundExpression,
        _ right: BoundExpression
    ) -> Bool {
        func mayBeText(_ side: BoundExpression) -> Bool { side.type.isText || side.type == .unknown }
        return comparison.options.isSpecial && mayBeText(left) && mayBeText(right)
    }

    /// Returns whether both sides are rows of different inheritance trees, which are never equal, whatever
    /// their keys.
    func areStrangers(_ left: BoundExpression, _ right: BoundExpression) -> Bool {
        guard case .reference(let first) = left.type, case .reference(let second) = right.type else {
            return false
        }
        return frame.schema.model[first].root != frame.schema.model[second].root
    }

    // MARK: Equality

    func equal(
        _ left: QueryOperand,
        _ right: QueryOperand
    ) throws(StoreError) -> BoundCondition {
        let (first, second) = try sides(left, right)
        if first.isNull || second.isNull {
            if first.isNull && second.isNull { return .constant(true) }
            return .isNull(first.isNull ? second : first)
        }
        if areStrangers(first, second) { return .constant(false) }
        let areNullable = first.isNullable && second.isNullable
        if isFolded(first, second) {
            let match = try matched(.equal, first, second)
            return areNullable ? .or([match, .all([.isNull(first), .isNull(second)])]) : match
        }
        if let condition = emptiness(first, .equal, second) { return condition }
        return .compare(first, areNullable ? .same : .equal, second)
    }

    /// Returns the condition that both sides differ; NULL differs from every value.
    func notEqual(
        _ left: QueryOperand,
        _ right: QueryOperand
    ) throws(StoreError) -> BoundCondition {
        let (first, second) = try sides(left, right)
        if first.isNull || second.isNull {
            if first.isNull && second.isNull { return .constant(false) }
            return .isNotNull(first.isNull ? second : first)
        }
        if areStrangers(first, second) { return .constant(true) }
        let nullable = [first, second].filter(\.isNullable)
        if isFolded(first, second) {
            let differs = BoundCondition.not(try matched(.equal, first, second))
            guard nullable.count == 2 else { return .or([differs] + nullable.map { .isNull($0) }) }
            let onlyOneIsNull: [BoundCondition] = [
                .all([.isNull(first), .isNotNull(second)]), .all([.isNotNull(first), .isNull(second)]),
            ]
            return .or([differs] + onlyOneIsNull)
        }
        if let condition = emptiness(first, .notEqual, second) { return condition }
        if nullable.count == 2 { return .compare(first, .notSame, second) }
        return .or([.compare(first, .notEqual, second)] + nullable.map { .isNull($0) })
    }

    // MARK: Order

    /// Returns a comparison of order; nothing is less or greater than NULL.
    func order(
        _ left: QueryOperand,
        _ relation: SQLComparison,
        _ right: QueryOperand
    ) throws(StoreError) -> BoundCondition {
        let (first, second) = try sides(left, right)
        if first.isNull || second.isNull { return .constant(false) }
        if isFolded(first, second) {
            return try collated(first, relation, second)
        }
        return emptiness(first, relation, second) ?? .compare(first, relation, second)
    }

    func between(
        _ left: QueryOperand,
        _ right: QueryOperand
    ) throws(StoreError) -> BoundCondition {
        guard let bounds = right.elements, bounds.count == 2 else {
            throw .unsupported(comparison, "BETWEEN needs a list of two values")
        }
        if left.isNull || bounds.contains(where: \.isNull) { return .constant(false) }
        let type = left.type ?? bounds.lazy.compactMap(\.type).first ?? .unknown
        let value = try scalar(left, as: type, in: comparison.left)
        let low = try scalar(bounds[0], as: type, in: comparison.right)
        let high = try scalar(bounds[1], as: type, in: comparison.right)
        if isFolded(value, low) {
            return .all([
                try collated(value, .greaterOrEqual, low), try collated(value, .lessOrEqual, high),
            ])
        }
        return .between(value, low, high)
    }

    // MARK: Strings

    func match(
        _ kind: StringMatch,
        _ left: QueryOperand,
        _ right: QueryOperand
    ) throws(StoreError) -> BoundCondition {
        if left.isNull || right.isNull { return .constant(false) }
        // The empty string is found nowhere, as with NSString.
        let searches: Set<StringMatch> = [.beginsWith, .endsWith, .contains]
        if searches.contains(kind), case .constant(.value(.string(""))) = right { return .constant(false) }
        let text = BoundType.attribute(.string)
        let haystack = try scalar(left, as: text, in: comparison.left)
        let needle = try scalar(right, as: text, in: comparison.right)
        for side in [haystack, needle] {
            if case .reference = side.type {
                throw .unsupported(comparison, "SQL searches strings, not objects")
            }
        }
        return try matched(kind, haystack, needle)
    }

    private func matched(
        _ kind: StringMatch, _ haystack: BoundExpression, _ needle: BoundExpression
    ) throws(StoreError) -> BoundCondition {
        let options = comparison.options
        guard frame.dialect.canMatch(kind, constant: needle.constantText, options: options) else {
            throw .inexpressible(comparison, "the database has no such search in strings")
        }
        return .match(kind, haystack, needle, options)
    }

    private func collated(
        _ first: BoundExpression, _ relation: SQLComparison, _ second: BoundExpression
    ) throws(StoreError) -> BoundCondition {
        guard frame.dialect.canCompareStrings(options: comparison.options) else {
            throw .inexpressible(comparison, "the database cannot compare strings by these options")
        }
        return .collated(first, relation, second, comparison.options)
    }
}
