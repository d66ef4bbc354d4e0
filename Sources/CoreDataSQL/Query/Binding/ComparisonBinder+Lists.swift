import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// Comparisons with lists known beforehand, and with the rows of nested queries.
extension ComparisonBinder {
    /// The greatest length of a list that is written out. A longer list is bound as one value, so that lists
    /// of all lengths share a statement.
    private static let longestSpelledList = 8

    func member(
        _ element: QueryOperand,
        of list: QueryOperand
    ) throws(StoreError) -> BoundCondition {
        if case .query(let query, let selection) = list {
            let value = try scalar(element, as: selection.type, in: comparison.left)
            if areStrangers(value, selection) { return .constant(false) }
            return .oneOfQuery(value, query, selecting: selection)
        }
        guard let elements = list.elements else {
            // `"x" IN name` means `name CONTAINS "x"`.
            guard list.type?.isText == true || !list.isConstant else {
                throw .unsupported(comparison, "IN needs a collection on its right")
            }
            var swapped = comparison
            (swapped.left, swapped.right) = (comparison.right, comparison.left)
            return try ComparisonBinder(comparison: swapped, frame: frame).match(.contains, list, element)
        }
        let isFoldable = element.type?.isText ?? true
        if isFoldable, !comparison.options.isSubset(of: .normalized) {
            if let condition = try foldedMember(element, of: elements) { return condition }
            var conditions: [BoundCondition] = []
            for other in elements { conditions.append(try equal(element, other)) }
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

    /// Returns the test whether a text is in a long list of texts, with case and diacritics folded on both
    /// sides as `[cd]` asks; nil if the elements have to be compared one by one.
    private func foldedMember(
        _ element: QueryOperand,
        of elements: [QueryOperand]
    ) throws(StoreError) -> BoundCondition? {
        let options = comparison.options
        guard elements.count > Self.longestSpelledList, let type = element.type, options.folds,
            !options.contains(.localeSensitive), frame.dialect.canCall(.folded)
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
        if values.count > Self.longestSpelledList, let list = SQLValue(listOf: values) {
            return .oneOfList(value, list)
        }
        return .oneOf(value, values)
    }
}
