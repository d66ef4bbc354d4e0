import CoreDataPredicates

/// Logic that removes constants and adds tests of each side for nil. In SQL neither a comparison with a
/// missing value nor its negation is true; with these tests a store gives the same answer as an evaluation in
/// memory.
extension PredicateNode {
    static let always = PredicateNode.constant(true)
    static let never = PredicateNode.constant(false)

    static func isNotNil(_ expression: ExpressionNode) -> PredicateNode {
        .comparison(ComparisonNode(expression, .notEqualTo, .constant(.null)))
    }

    static func isNil(_ expression: ExpressionNode) -> PredicateNode {
        .comparison(ComparisonNode(expression, .equalTo, .constant(.null)))
    }

    static func all(_ operands: [PredicateNode]) -> PredicateNode {
        combined(.and, operands, neutral: .always)
    }

    static func any(_ operands: [PredicateNode]) -> PredicateNode { combined(.or, operands, neutral: .never) }

    private static func combined(
        _ logic: LogicalOperator, _ operands: [PredicateNode], neutral: PredicateNode
    ) -> PredicateNode {
        var parts: [PredicateNode] = []
        for operand in operands {
            if operand == neutral.negated { return operand }
            let inner = if case .compound(logic, let inner) = operand { inner } else { [operand] }
            for part in inner where part != neutral && !parts.contains(part) { parts.append(part) }
        }
        return switch parts.count {
        case 0: neutral
        case 1: parts[0]
        default: .compound(logic, parts)
        }
    }

    // MARK: Simplification

    /// The predicate without tests for nil that other parts imply.
    ///
    /// For a finished predicate only: the negation of the result is not the negation of the whole.
    var simplified: PredicateNode {
        guard case .compound(let logic, let operands) = self else { return self }
        var parts = operands.map(\.simplified)
        for index in parts.indices.reversed() {
            let part = parts[index]
            let others = parts.indices.lazy.filter { $0 != index }.map { parts[$0] }
            let isNeedless =
                switch logic {
                case .and: part.testedForValue.map { tested in others.contains { $0.isFalse(ifNil: tested) } }
                case .or: part.testedForNil.map { tested in others.contains { $0.isTrue(ifNil: tested) } }
                case .not: nil as Bool?
                }
            if isNeedless == true { parts.remove(at: index) }
        }
        return parts.count == 1 && logic != .not ? parts[0] : .compound(logic, parts)
    }

    // MARK: Negation

    /// The negation, pushed down to the parts where possible.
    var negated: PredicateNode {
        switch self {
        case .constant(let value): .constant(!value)
        case .comparison(let comparison): comparison.negated
        case .compound(.and, let operands): .any(operands.map(\.negated))
        case .compound(.or, let operands): .all(operands.map(\.negated))
        case .compound(.not, let operands) where operands.count == 1: operands[0]
        case .compound(.not, _), .block: .compound(.not, [self])
        }
    }

    // MARK: Nil

    private var testedForValue: ExpressionNode? {
        guard case .comparison(let comparison) = self, comparison.operator == .notEqualTo,
            comparison.right == .constant(.null)
        else { return nil }
        return comparison.left
    }

    private var testedForNil: ExpressionNode? {
        guard case .comparison(let comparison) = self, comparison.operator == .equalTo,
            comparison.right == .constant(.null)
        else { return nil }
        return comparison.left
    }

    private func isTrue(ifNil expression: ExpressionNode) -> Bool {
        testedForNil?.isNil(ifNil: expression) ?? false
    }

    /// Returns whether this is certainly false where an expression is nil.
    private func isFalse(ifNil expression: ExpressionNode) -> Bool {
        switch self {
        case .constant(let value): !value
        case .comparison(let comparison): comparison.isFalse(ifNil: expression)
        case .compound(.and, let operands): operands.contains { $0.isFalse(ifNil: expression) }
        case .compound(.or, let operands): operands.allSatisfy { $0.isFalse(ifNil: expression) }
        case .compound(.not, _), .block: false
        }
    }
}

extension ComparisonNode {
    fileprivate var negated: PredicateNode {
        guard modifier == .direct else { return .compound(.not, [.comparison(self)]) }
        let opposites: [ComparisonOperator: ComparisonOperator] = [
            .equalTo: .notEqualTo, .notEqualTo: .equalTo, .lessThan: .greaterThanOrEqualTo,
            .greaterThanOrEqualTo: .lessThan, .greaterThan: .lessThanOrEqualTo,
            .lessThanOrEqualTo: .greaterThan,
        ]
        if let opposite = opposites[`operator`] {
            var other = self
            other.operator = opposite
            return .comparison(other)
        }
        // A search in nil is neither true nor false in SQL.
        var parts = [PredicateNode.compound(.not, [.comparison(self)])]
        for side in [left, right] {
            if case .constant = side { continue }
            if case .aggregate = side { continue }
            parts.insert(.isNil(side), at: parts.count - 1)
        }
        return .any(parts)
    }

    fileprivate func isFalse(ifNil expression: ExpressionNode) -> Bool {
        guard modifier == .direct else { return false }
        let sides = (left.isNil(ifNil: expression), right.isNil(ifNil: expression))
        switch `operator` {
        case .equalTo: return (sides.0 && right.isValue) || (sides.1 && left.isValue)
        case .notEqualTo: return sides.0 && right == .constant(.null)
        case .in: return sides.0 && right.isValue
        case .customSelector: return false
        case .contains, .between: return sides.0
        default: return sides.0 || sides.1
        }
    }
}

extension ExpressionNode {
    /// Whether this is a constant that neither is nil nor contains nil.
    fileprivate var isValue: Bool {
        guard case .constant(let value) = self else { return false }
        if case .collection(let elements, _) = value { return !elements.contains(.null) }
        return value != .null
    }

    /// Returns whether this is certainly nil where another expression is.
    func isNil(ifNil expression: ExpressionNode) -> Bool {
        if self == expression { return true }
        switch self {
        case .keyPath(let operand, let keys):
            // The count of nil is a number, too.
            if keys.contains(where: { $0.hasPrefix("@") }) { return false }
            if case .keyPath(operand, let shorter) = expression, keys.starts(with: shorter) { return true }
            return operand.isNil(ifNil: expression)
        case .function(nil, let name, let arguments):
            return Self.strictFunctions.contains(name) && arguments.contains { $0.isNil(ifNil: expression) }
        default: return false
        }
    }

    private static let strictFunctions: Set<String> = [
        "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:", "length:",
        "castObject:toType:",
    ]
}
