import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// Comparisons of sides that have one value each, or a list known beforehand.
extension QueryBinder {
    /// Returns both sides as values, each constant encoded as the other side's type.
    private func sides(
        _ comparison: ComparisonNode,
        _ left: QueryOperand,
        _ right: QueryOperand
    ) throws(StoreError) -> (BoundExpression, BoundExpression) {
        (
            try scalar(left, as: right.type ?? .unknown, in: comparison.left),
            try scalar(right, as: left.type ?? .unknown, in: comparison.right)
        )
    }

    /// Returns whether the options `[cd]` apply: they are for strings.
    private func isFolded(
        _ comparison: ComparisonNode,
        _ left: BoundExpression,
        _ right: BoundExpression
    ) -> Bool {
        func mayBeText(_ side: BoundExpression) -> Bool { side.type.isText || side.type == .unknown }
        return comparison.options.isSpecial && mayBeText(left) && mayBeText(right)
    }

    /// Returns whether both sides are rows of different trees, which are never equal, whatever their keys.
    private func areStrangers(_ left: BoundExpression, _ right: BoundExpression) -> Bool {
        guard case .reference(let first) = left.type, case .reference(let second) = right.type else {
            return false
        }
        return schema.model[first].root != schema.model[second].root
    }

    // MARK: Equality

    func equal(
        _ comparison: ComparisonNode,
        _ left: QueryOperand,
        _ right: QueryOperand
    ) throws(StoreError) -> BoundCondition {
        let (first, second) = try sides(comparison, left, right)
        if first.isNull || second.isNull {
            if first.isNull && second.isNull { return .constant(true) }
            return .isNull(first.isNull ? second : first)
        }
        if areStrangers(first, second) { return .constant(false) }
        let areNullable = first.isNullable && second.isNullable
        if isFolded(comparison, first, second) {
            let match = BoundCondition.match(.equal, first, second, comparison.options)
            return areNullable ? .or([match, .all([.isNull(first), .isNull(second)])]) : match
        }
        if let condition = emptiness(first, .equal, second) { return condition }
        return .compare(first, areNullable ? .same : .equal, second)
    }

    /// Returns the condition that both sides differ; NULL differs from every value.
    func notEqual(
        _ comparison: ComparisonNode,
        _ left: QueryOperand,
        _ right: QueryOperand
    ) throws(StoreError) -> BoundCondition {
        let (first, second) = try sides(comparison, left, right)
        if first.isNull || second.isNull {
            if first.isNull && second.isNull { return .constant(false) }
            return .isNotNull(first.isNull ? second : first)
        }
        if areStrangers(first, second) { return .constant(true) }
        let nullable = [first, second].filter(\.isNullable)
        if isFolded(comparison, first, second) {
            let differs = BoundCondition.not(.match(.equal, first, second, comparison.options))
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
        _ comparison: ComparisonNode,
        _ left: QueryOperand,
        _ relation: SQLComparison,
        _ right: QueryOperand
    ) throws(StoreError) -> BoundCondition {
        let (first, second) = try sides(comparison, left, right)
        if first.isNull || second.isNull { return .constant(false) }
        if isFolded(comparison, first, second) {
            return .collated(first, relation, second, comparison.options)
        }
        return emptiness(first, relation, second) ?? .compare(first, relation, second)
    }

    func between(
        _ comparison: ComparisonNode,
        _ left: QueryOperand,
        _ right: QueryOperand
    ) throws(StoreError) -> BoundCondition {
        guard let bounds = right.elements, bounds.count == 2 else {
            throw unsupported(comparison, "BETWEEN needs a list of two values")
        }
        if left.isNull || bounds.contains(where: \.isNull) { return .constant(false) }
        let type = left.type ?? bounds.lazy.compactMap(\.type).first ?? .unknown
        let value = try scalar(left, as: type, in: comparison.left)
        let low = try scalar(bounds[0], as: type, in: comparison.right)
        let high = try scalar(bounds[1], as: type, in: comparison.right)
        if isFolded(comparison, value, low) {
            return .all([
                .collated(value, .greaterOrEqual, low, comparison.options),
                .collated(value, .lessOrEqual, high, comparison.options),
            ])
        }
        return .between(value, low, high)
    }

    // MARK: Strings

    func match(
        _ comparison: ComparisonNode,
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
                throw unsupported(comparison, "SQL searches strings, not objects")
            }
        }
        return .match(kind, haystack, needle, comparison.options)
    }

    // MARK: Lists

    /// The greatest length of a list that is written out; longer ones become one bound array, so that their
    /// length does not make a statement of its own.
    private static let longestSpelledList = 8

    func member(
        _ comparison: ComparisonNode,
        _ element: QueryOperand,
        of list: QueryOperand
    ) throws(StoreError) -> BoundCondition {
        if case .query(let query, let selection) = list {
            let value = try scalar(element, as: selection.type, in: comparison.left)
            if areStrangers(value, selection) { return .constant(false) }
            return .oneOfQuery(value, query, selecting: selection)
        }
        guard let elements = list.elements else {
            // `"x" IN name` takes the string as a collection of its parts.
            guard list.type?.isText == true || !list.isConstant else {
                throw unsupported(comparison, "IN needs a collection on its right")
            }
            var swapped = comparison
            (swapped.left, swapped.right) = (comparison.right, comparison.left)
            return try match(swapped, .contains, list, element)
        }
        let isFoldable = element.type?.isText ?? true
        if isFoldable, !comparison.options.isSubset(of: .normalized) {
            if let condition = try foldedMember(comparison, element, of: elements) { return condition }
            var conditions: [BoundCondition] = []
            for other in elements { conditions.append(try equal(comparison, element, other)) }
            return conditions.isEmpty ? .constant(false) : .or(conditions)
        }
        let type = element.type ?? elements.lazy.compactMap(\.type).first ?? .unknown
        let value = try scalar(element, as: type, in: comparison.left)
        var values: [BoundExpression] = []
        var conditions: [BoundCondition] = []
        var hasNull = false
        for other in elements {
            let other = try scalar(other, as: type, in: comparison.right)
            if other.isNull {
                hasNull = true
            } else if value.isNullable, other.isNullable {
                conditions.append(.compare(value, .same, other))
            } else {
                values.append(other)
            }
        }
        if !values.isEmpty { conditions.append(oneOf(value, values)) }
        if hasNull { conditions.append(value.isNull ? .constant(true) : .isNull(value)) }
        return conditions.isEmpty ? .constant(false) : .or(conditions)
    }

    /// Returns membership of each row's text in a long list of texts, both without the differences that
    /// `[cd]` ignores; nil where elements have to be compared one by one.
    private func foldedMember(
        _ comparison: ComparisonNode,
        _ element: QueryOperand,
        of elements: [QueryOperand]
    ) throws(StoreError) -> BoundCondition? {
        let options = comparison.options
        guard elements.count > Self.longestSpelledList, let type = element.type, options.folds,
            !options.contains(.localeSensitive)
        else { return nil }
        let value = try scalar(element, as: type, in: comparison.left)
        var texts: [BoundExpression] = []
        var hasNull = false
        for element in elements {
            switch try scalar(element, as: type, in: comparison.right).form {
            case .value(.null): hasNull = true
            case .value(.text(let text)):
                texts.append(.value(.text(StringComparison.foldedKey(text, options: options)), type))
            default: return nil
            }
        }
        let number = BoundExpression.value(.integer(Int64(options.rawValue)), .attribute(.integer64))
        let folded = BoundExpression(form: .call(.folded, [value, number]), type: .attribute(.string))
        let isMember = texts.isEmpty ? .constant(false) : oneOf(folded, texts)
        return hasNull ? .or([isMember, .isNull(value)]) : isMember
    }

    private func oneOf(_ value: BoundExpression, _ values: [BoundExpression]) -> BoundCondition {
        if values.count > Self.longestSpelledList, let array = JSONArray.text(of: values) {
            return .oneOfJSON(value, array)
        }
        return .oneOf(value, values)
    }
}
