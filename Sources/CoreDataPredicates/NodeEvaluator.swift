import CoreDataValues
import Foundation

/// Evaluates trees in memory.
package struct NodeEvaluator {
    /// The evaluated object: anything with keys, or a plain value.
    private let object: ExpressionValue
    private let variables: [String: ExpressionValue]

    package init(_ object: ExpressionValue, variables: [String: ExpressionValue] = [:]) {
        self.object = object
        self.variables = variables
    }

    package static func evaluate(_ predicate: PredicateNode, with object: any KeyedValues) -> Bool {
        NodeEvaluator(.object(object)).evaluate(predicate)
    }

    // MARK: Predicates

    package func evaluate(_ predicate: PredicateNode) -> Bool {
        switch predicate {
        case .constant(let value): value
        case .comparison(let comparison): evaluate(comparison)
        case .compound(.and, let operands): operands.allSatisfy(evaluate)
        case .compound(.or, let operands): operands.contains(where: evaluate)
        case .compound(.not, let operands): !operands.contains(where: evaluate)
        case .block(let block): block.evaluate(object.unboxed, variables.mapValues { $0.unboxed as Any })
        }
    }

    private func evaluate(_ comparison: ComparisonNode) -> Bool {
        let (left, right) = (value(comparison.left), value(comparison.right))
        switch comparison.modifier {
        case .direct: return compare(left, comparison, right)
        case .any: return left.elements.contains { compare($0, comparison, right) }
        case .all: return left.elements.allSatisfy { compare($0, comparison, right) }
        }
    }

    private func compare(_ left: ExpressionValue, _ comparison: ComparisonNode, _ right: ExpressionValue)
        -> Bool
    {
        let options = comparison.options
        switch comparison.operator {
        case .equalTo: return ValueOrder.areEqual(left, right, options)
        case .notEqualTo: return !ValueOrder.areEqual(left, right, options)
        case .lessThan: return ValueOrder.compare(left, right, options).map { $0 < 0 } ?? false
        case .lessThanOrEqualTo: return ValueOrder.compare(left, right, options).map { $0 <= 0 } ?? false
        case .greaterThan: return ValueOrder.compare(left, right, options).map { $0 > 0 } ?? false
        case .greaterThanOrEqualTo: return ValueOrder.compare(left, right, options).map { $0 >= 0 } ?? false
        case .between:
            let bounds = right.elements
            guard bounds.count == 2, let low = ValueOrder.compare(left, bounds[0], options),
                let high = ValueOrder.compare(left, bounds[1], options)
            else { return false }
            return low >= 0 && high <= 0
        case .in: return contains(right, left, options)
        case .contains: return contains(left, right, options)
        case .beginsWith, .endsWith, .like, .matches:
            guard case .value(.string(let text)) = left, case .value(.string(let part)) = right else {
                return false
            }
            switch comparison.operator {
            case .beginsWith: return StringComparison.hasPrefix(text, part, options)
            case .endsWith: return StringComparison.hasSuffix(text, part, options)
            case .like: return StringComparison.isLike(text, part, options)
            default: return StringComparison.matches(text, part, options)
            }
        case .customSelector: return false
        }
    }

    /// Membership in a collection, or in a string.
    private func contains(
        _ whole: ExpressionValue, _ part: ExpressionValue, _ options: ComparisonOptions
    ) -> Bool {
        if case .value(.string(let text)) = whole {
            guard case .value(.string(let part)) = part else { return false }
            return StringComparison.contains(text, part, options)
        }
        return whole.elements.contains { ValueOrder.areEqual($0, part, options) }
    }

    // MARK: Expressions

    package func value(_ expression: ExpressionNode) -> ExpressionValue {
        switch expression {
        case .constant(let value): return value
        case .evaluatedObject: return object
        case .variable(let name): return variables[name] ?? .null
        case .keyPath(let operand, let keys): return KeyPathWalk.value(of: value(operand), keys[...])
        case .aggregate(let elements): return .collection(elements.map(value), isOrdered: true)
        case .function(let operand, let name, let arguments):
            return Functions.call(name, on: operand.map(value), arguments.map(value))
        case .subquery(let collection, let variable, let predicate):
            let members = value(collection).elements.filter { member in
                var inner = variables
                inner[variable] = member
                return NodeEvaluator(object, variables: inner).evaluate(predicate)
            }
            return .collection(members, isOrdered: true)
        case .unionSet(let left, let right):
            return .collection(
                Array(Set(value(left).elements).union(value(right).elements)), isOrdered: false)
        case .intersectSet(let left, let right):
            return .collection(
                Array(Set(value(left).elements).intersection(value(right).elements)), isOrdered: false)
        case .minusSet(let left, let right):
            return .collection(
                Array(Set(value(left).elements).subtracting(value(right).elements)), isOrdered: false)
        case .conditional(let predicate, let whenTrue, let whenFalse):
            return value(evaluate(predicate) ? whenTrue : whenFalse)
        case .anyKey: return .null
        case .block(let block, let arguments):
            let result = block.evaluate(object.unboxed, arguments.map { value($0).unboxed })
            return ExpressionValue(boxing: result)
        }
    }
}
