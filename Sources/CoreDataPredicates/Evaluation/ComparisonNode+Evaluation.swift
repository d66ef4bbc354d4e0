import CoreDataValues

extension ComparisonNode {
    func compiled() throws(EvaluationError) -> CompiledCondition {
        let general = try compiledGenerally()
        if let (key, condition) = conditionOfDecidingMember {
            let isAny = modifier == .any
            return { scope throws(EvaluationError) in
                if case .object(let object) = scope.object,
                    let count = object.memberCount(forKey: key, meeting: condition, upTo: 1)
                {
                    return (count > 0) == isAny
                }
                return try general(scope)
            }
        }
        guard let bare = BareCondition(.comparison(self)) else { return general }
        return { scope throws(EvaluationError) in
            if case .object(let object) = scope.object, let answer = object.meets(bare) { return answer }
            return try general(scope)
        }
    }

    /// The relationship over which `ANY` or `ALL` ranges, and the condition on one member that decides the
    /// answer: for `ANY`, that the member passes the test, for `ALL`, that it fails. Nil for any other
    /// comparison.
    private var conditionOfDecidingMember: (key: String, condition: BareCondition)? {
        guard modifier != .direct, let keys = left.propertyNames, keys.count == 2 else { return nil }
        let value = ExpressionNode.keyPath(operand: .evaluatedObject, keys: [keys[1]])
        let test = PredicateNode.comparison(ComparisonNode(value, `operator`, right, options: options))
        // Members without a value are left out.
        let hasValue = PredicateNode.comparison(ComparisonNode(value, .notEqualTo, .constant(.null)))
        return BareCondition(.compound(.and, [modifier == .any ? test : .compound(.not, [test]), hasValue]))
            .map { (keys[0], $0) }
    }

    private func compiledGenerally() throws(EvaluationError) -> CompiledCondition {
        let test = try compiledTest()
        let left = try self.left.compiled()
        let right = try self.right.compiled()
        switch modifier {
        case .direct:
            return { scope throws(EvaluationError) in try test(left(scope), right(scope)) }
        case .any:
            return { scope throws(EvaluationError) in
                let other = try right(scope)
                for element in try left(scope).quantified where try test(element, other) { return true }
                return false
            }
        case .all:
            return { scope throws(EvaluationError) in
                let other = try right(scope)
                for element in try left(scope).quantified where try !test(element, other) { return false }
                return true
            }
        }
    }

    // MARK: Tests of two values

    private func compiledTest() throws(EvaluationError) -> CompiledTest {
        switch `operator` {
        case .equalTo: return equality()
        case .notEqualTo:
            let test = equality()
            return { left, right throws(EvaluationError) in try !test(left, right) }
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
            return order(`operator`.accepts)
        case .between: return between()
        case .in: return membership()
        case .contains:
            let test = reversed().membership()
            return { left, right throws(EvaluationError) in try test(right, left) }
        case .beginsWith: return search(StringComparison.hasPrefix)
        case .endsWith: return search(StringComparison.hasSuffix)
        case .like: return like()
        case .matches: return try matches()
        case .customSelector:
            guard isFullTextSearch else { throw .unsupportedSelector(selector ?? "nil") }
            return fullTextSearch()
        }
    }

    private func reversed() -> ComparisonNode {
        ComparisonNode(right, `operator`, left, modifier: modifier, options: options)
    }

    private var foldsStrings: Bool { options.folds || options.contains(.localeSensitive) }

    private func equality() -> CompiledTest {
        guard foldsStrings else {
            return { left, right throws(EvaluationError) in ValueComparison.equals(left, right) }
        }
        let options = self.options
        if let needle = needle(of: right), !options.contains(.localeSensitive) {
            return { left, _ throws(EvaluationError) in
                guard case .value(.string(var string)) = left else { return false }
                return string.withUTF8 { StringComparison.equals($0, needle) }
            }
        }
        return { left, right throws(EvaluationError) in
            guard case .value(.string(let first)) = left, case .value(.string(let second)) = right else {
                return ValueComparison.equals(left, right)
            }
            return StringComparison.compare(first, second, options: options) == 0
        }
    }

    private func order(_ accepts: @escaping @Sendable (Int) -> Bool) -> CompiledTest {
        let options = self.options
        guard foldsStrings else {
            return { left, right throws(EvaluationError) in
                ValueComparison.order(left, right).map(accepts) ?? false
            }
        }
        return { left, right throws(EvaluationError) in
            guard case .value(.string(let first)) = left, case .value(.string(let second)) = right else {
                return ValueComparison.order(left, right).map(accepts) ?? false
            }
            return accepts(StringComparison.compare(first, second, options: options))
        }
    }

    private func between() -> CompiledTest {
        let atLeast = order { $0 >= 0 }
        let atMost = order { $0 <= 0 }
        return { left, right throws(EvaluationError) in
            guard case .collection(let bounds, _) = right, bounds.count == 2 else {
                throw .malformedRange(right.summary)
            }
            guard try atLeast(left, bounds[0]) else { return false }
            return try atMost(left, bounds[1])
        }
    }

    /// Returns the test for `left IN right`. On the right, a string counts as the collection of its
    /// substrings.
    private func membership() -> CompiledTest {
        let equality = equality()
        let search = search(StringComparison.contains, needle: needle(of: left))
        let name = `operator` == .in ? "IN" : "CONTAINS"
        if let set = MembershipSet(right, options: options) {
            return { left, _ throws(EvaluationError) in set.contains(left) }
        }
        return { element, collection throws(EvaluationError) in
            switch collection {
            case .collection(let elements, _):
                for other in elements where try equality(element, other) { return true }
                return false
            case .value(.null): return false
            default:
                guard collection.text != nil else {
                    throw .notACollection(collection.summary, operator: name)
                }
                return try search(collection, element)
            }
        }
    }

    // MARK: Strings

    /// Returns the constant string on one side, folded once for all objects; nil if that side is not a
    /// constant string.
    private func needle(of side: ExpressionNode) -> FoldedNeedle? {
        guard case .constant(.value(.string(let string))) = side else { return nil }
        return FoldedNeedle(string, options: options)
    }

    private typealias Search = @Sendable (UnsafeBufferPointer<UInt8>, FoldedNeedle) -> Bool

    private func search(_ search: @escaping Search) -> CompiledTest {
        self.search(search, needle: needle(of: right))
    }

    private func search(_ search: @escaping Search, needle: FoldedNeedle?) -> CompiledTest {
        let options = self.options
        return { left, right throws(EvaluationError) in
            guard var haystack = left.text, let text = needle == nil ? right.text : "" else { return false }
            let needle = needle ?? FoldedNeedle(text, options: options)
            return haystack.withUTF8 { search($0, needle) }
        }
    }

    private func like() -> CompiledTest {
        let options = self.options
        var known: LikePattern?
        if case .constant(.value(.string(let text))) = right { known = LikePattern(text, options: options) }
        return { [known] left, right throws(EvaluationError) in
            guard let string = left.text, let text = right.text else { return false }
            return (known ?? LikePattern(text, options: options)).matches(string)
        }
    }

    private func matches() throws(EvaluationError) -> CompiledTest {
        let options = self.options
        if case .constant(.value(.string(let text))) = right {
            guard let pattern = MatchPattern.pattern(text, options: options) else {
                throw .malformedPattern(text)
            }
            return { left, _ throws(EvaluationError) in
                guard let string = left.text else { return false }
                return pattern.matches(string)
            }
        }
        return { left, right throws(EvaluationError) in
            guard let string = left.text, let text = right.text else { return false }
            guard let pattern = MatchPattern.pattern(text, options: options) else {
                throw .malformedPattern(text)
            }
            return pattern.matches(string)
        }
    }
}

extension ExpressionValue {
    /// The values over which `ANY` and `ALL` range. A single value counts as a collection of one, null as an
    /// empty collection.
    fileprivate var quantified: [ExpressionValue] {
        switch self {
        case .collection(let elements, _): elements
        case .value(.null): []
        default: [self]
        }
    }
}
