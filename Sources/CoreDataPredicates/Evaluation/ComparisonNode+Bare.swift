import CoreDataValues

/// Comparisons of a key with a constant, which most are: the value is compared where it lies, without being wrapped.
/// Each falls back to the general comparison for what turns out to be something else.
extension ComparisonNode {
    /// Nil for any other comparison.
    func compiledBare(or general: @escaping CompiledCondition) -> CompiledCondition? {
        guard modifier == .direct, case .keyPath(.evaluatedObject, let keys) = left, keys.count == 1,
            !keys[0].hasPrefix("@"), keys[0].lowercased() != "self", case .constant(let constant) = right
        else { return nil }
        let key = PropertyKey(keys[0])
        if let number = PromotedNumber(constant) { return compareNumbers(key, number, general) }
        if case .value(.string(let text)) = constant { return compareTexts(key, text, general) }
        return nil
    }

    // MARK: Numbers

    private func compareNumbers(
        _ key: PropertyKey, _ constant: PromotedNumber, _ general: @escaping CompiledCondition
    ) -> CompiledCondition? {
        let `operator` = `operator`
        switch `operator` {
        case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo: break
        default: return nil
        }
        /// Null, and what is no number at all, has no order and equals no number.
        @Sendable func accepts(_ order: Int?) -> Bool {
            order.map(`operator`.accepts) ?? (`operator` == .notEqualTo)
        }
        return { scope throws(EvaluationError) in
            guard case .object(let object) = scope.object else { return try general(scope) }
            switch object.bareValue(for: key) {
            case .integer(let value): return accepts(PromotedNumber.compare(.integer(value), constant))
            case .double(let value): return accepts(PromotedNumber.compare(.double(value), constant))
            case .null: return accepts(nil)
            case .other: return try general(scope)
            }
        }
    }

    // MARK: Texts

    private func compareTexts(
        _ key: PropertyKey, _ constant: String, _ general: @escaping CompiledCondition
    ) -> CompiledCondition? {
        guard !options.contains(.localeSensitive) else { return nil }
        let search: @Sendable (UnsafeBufferPointer<UInt8>, FoldedNeedle) -> Bool
        switch `operator` {
        case .equalTo: search = StringComparison.equals
        case .notEqualTo: search = { !StringComparison.equals($0, $1) }
        case .contains: search = StringComparison.contains
        case .beginsWith: search = StringComparison.hasPrefix
        case .endsWith: search = StringComparison.hasSuffix
        default: return nil
        }
        let needle = FoldedNeedle(constant, options: options)
        return { scope throws(EvaluationError) in
            guard case .object(let object) = scope.object,
                let isFound = object.withText(for: key, { search($0, needle) })
            else { return try general(scope) }
            return isFound
        }
    }
}
