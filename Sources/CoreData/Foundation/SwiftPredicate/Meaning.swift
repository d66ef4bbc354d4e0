import CoreDataPredicates
import CoreDataValues
import Foundation

/// The counterpart of a node of a Swift predicate in the language of predicates.
///
/// Swift distinguishes nil from a value by type, predicates by comparison with nil. Therefore a meaning has,
/// in `presence`, the condition under which there is a value. If it does not hold, an expression yields nil,
/// and a condition may yield anything.
struct Meaning {
    enum Form {
        case expression(ExpressionNode)
        /// A condition, of type `Bool` or `Bool?`.
        case condition(PredicateNode)
        case range(RangeBounds)
        /// The order of two strings, a `ComparisonResult`, whose operator is not known yet.
        case order(ComparisonNode)
        /// Captured elements, each with the condition under which it is in the list.
        case list([(element: Meaning, isIncluded: PredicateNode)])
        /// A value that may be compared with nil only, for a reason.
        case unreadable(String)
    }

    var form: Form
    var presence: PredicateNode

    init(_ form: Form, presence: PredicateNode = .always) {
        self.form = form
        self.presence = presence
    }

    init(_ expression: ExpressionNode, presence: PredicateNode = .always) {
        self.init(.expression(expression), presence: presence)
    }

    init(_ condition: PredicateNode, presence: PredicateNode = .always) {
        self.init(.condition(condition), presence: presence)
    }

    /// Makes the value of an expression whose Swift type is known: a `Bool` is a condition.
    init(_ expression: ExpressionNode, of type: Any.Type, presence: PredicateNode = .always) {
        if type == Bool.self || type == Bool?.self {
            self.init(.comparison(ComparisonNode(expression, .equalTo, .true)), presence: presence)
        } else {
            self.init(expression, presence: presence)
        }
    }

    static var `nil`: Meaning { Meaning(.constant(.null), presence: .never) }

    var isNil: Bool { presence == .never }
    var isPresent: Bool { presence == .always }

    var constant: ExpressionValue? {
        if case .expression(.constant(let value)) = form { value } else { nil }
    }

    /// The meaning for a value that always exists.
    var unwrapped: Meaning { Meaning(form) }

    // MARK: As a condition, as an expression

    /// Returns the meaning of a `Bool` as a condition; nil counts as false.
    func condition(of node: some PredicateExpression) throws(PredicateTranslationError) -> PredicateNode {
        guard case .condition(let condition) = form else {
            throw PredicateTranslationError(node: node, reason: "it is not a condition")
        }
        return .all([presence, condition])
    }

    func expression(of node: some PredicateExpression) throws(PredicateTranslationError) -> ExpressionNode {
        switch form {
        // The history of a store takes its tokens, which no attribute holds.
        case .expression(.constant(let value))
        where value.isOpaque && !(value.unboxed is NSPersistentHistoryToken):
            let stored = value.stored
            if !stored.isOpaque { return .constant(stored) }
            throw PredicateTranslationError(
                node: node, reason: "no attribute holds the captured value \(value.unboxed ?? "nil")")
        case .expression(let expression): return expression
        case .condition(.comparison(let comparison))
        where comparison.operator == .equalTo && comparison.right == .true && comparison.options.isEmpty:
            return comparison.left
        case .condition(let condition):
            let flag = ExpressionNode.choice(condition, .true, .false)
            return isPresent ? flag : .choice(presence, flag, .constant(.null))
        case .list(let elements):
            return .aggregate(try includedElements(elements, of: node))
        case .unreadable(let reason): throw PredicateTranslationError(node: node, reason: reason)
        case .range, .order:
            throw PredicateTranslationError(node: node, reason: "it has no value of its own")
        }
    }

    private func includedElements(
        _ elements: [(element: Meaning, isIncluded: PredicateNode)], of node: some PredicateExpression
    ) throws(PredicateTranslationError) -> [ExpressionNode] {
        var expressions: [ExpressionNode] = []
        for (element, isIncluded) in elements where isIncluded != .never {
            guard isIncluded == .always else {
                throw PredicateTranslationError(
                    node: node, reason: "its captured elements differ from object to object")
            }
            expressions.append(try element.expression(of: node))
        }
        return expressions
    }
}

/// The bounds of a range; nil where it is open.
struct RangeBounds {
    var lower: ExpressionNode?
    var upper: ExpressionNode?
    var includesUpper: Bool

    func contains(_ element: ExpressionNode) -> PredicateNode {
        if let lower, let upper, includesUpper {
            return .comparison(ComparisonNode(element, .between, .bounds(lower, upper)))
        }
        let lowerTest = lower.map {
            PredicateNode.comparison(ComparisonNode(element, .greaterThanOrEqualTo, $0))
        }
        let upperTest = upper.map {
            PredicateNode.comparison(
                ComparisonNode(element, includesUpper ? .lessThanOrEqualTo : .lessThan, $0))
        }
        return .all([lowerTest, upperTest].compactMap(\.self))
    }
}

extension ExpressionNode {
    static let `true` = ExpressionNode.constant(.value(.boolean(true)))
    static let `false` = ExpressionNode.constant(.value(.boolean(false)))

    /// Returns a `TERNARY`, or one of its two values if the condition is constant.
    static func choice(
        _ condition: PredicateNode, _ first: ExpressionNode, _ second: ExpressionNode
    ) -> ExpressionNode {
        switch condition {
        case .always: first
        case .never: second
        default: .conditional(condition.simplified, first, second)
        }
    }

    fileprivate static func bounds(_ lower: ExpressionNode, _ upper: ExpressionNode) -> ExpressionNode {
        guard case .constant(let low) = lower, case .constant(let high) = upper else {
            return .aggregate([lower, upper])
        }
        return .constant(.collection([low, high], isOrdered: true))
    }

    /// Returns the path extended by a key.
    func appending(_ key: String) -> ExpressionNode {
        if case .keyPath(let operand, let keys) = self {
            return .keyPath(operand: operand, keys: keys + [key])
        }
        return .keyPath(operand: self, keys: [key])
    }
}

extension ExpressionValue {
    /// Whether this is or contains a value that no attribute can hold.
    var isOpaque: Bool {
        switch self {
        case .opaque: true
        case .collection(let elements, _): elements.contains(where: \.isOpaque)
        case .value, .object: false
        }
    }
}
