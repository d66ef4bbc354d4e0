import CoreDataPredicates
import CoreDataValues
import Foundation

/// Trees as the predicate and expression objects of compiled models (mom §4).
extension ArchiveBuilder {
    mutating func predicate(_ node: PredicateNode) throws -> PropertyList {
        switch node {
        case .constant(let value):
            return object(value ? "NSTruePredicate" : "NSFalsePredicate", [:])
        case .compound(let conjunction, let operands):
            let type = PropertyList.integer(Int64(conjunction.rawValue))
            let subpredicates = try operands.map { try predicate($0) }
            return object(
                "NSCompoundPredicate",
                ["NSCompoundPredicateType": type, "NSSubpredicates": collection(subpredicates)])
        case .comparison(let comparison):
            return object(
                "NSComparisonPredicate",
                [
                    "NSLeftExpression": try expression(comparison.left),
                    "NSRightExpression": try expression(comparison.right),
                    "NSPredicateOperator": comparisonOperator(comparison),
                ])
        case .block:
            throw ModelFileError("", .inexpressible("a block predicate"))
        }
    }

    private mutating func comparisonOperator(_ comparison: ComparisonNode) -> PropertyList {
        var fields: [String: PropertyList] = [
            "NSOperatorType": .integer(Int64(comparison.operator.rawValue)),
            "NSModifier": .integer(Int64(comparison.modifier.rawValue)),
        ]
        let options = PropertyList.integer(Int64(comparison.options.rawValue))
        let className: String
        switch comparison.operator {
        case .equalTo, .notEqualTo:
            className = "NSEqualityPredicateOperator"
            fields["NSNegate"] = .boolean(comparison.operator == .notEqualTo)
            fields["NSOptions"] = options
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
            className = "NSComparisonPredicateOperator"
            fields["NSVariant"] = fields["NSOperatorType"]
            fields["NSOptions"] = options
        case .in, .contains:
            className = "NSInPredicateOperator"
            fields["NSFlags"] = options
        case .beginsWith, .endsWith:
            className = "NSSubstringPredicateOperator"
            fields["NSFlags"] = options
            fields["NSSubstringPosition"] = .integer(comparison.operator == .beginsWith ? 0 : 1)
        case .like:
            className = "NSLikePredicateOperator"
            fields["NSFlags"] = options
        case .matches:
            className = "NSMatchingPredicateOperator"
            fields["NSFlags"] = options
        case .between: className = "NSBetweenPredicateOperator"
        case .customSelector: className = "NSCustomPredicateOperator"
        }
        return object(className, fields)
    }

    mutating func expression(_ node: ExpressionNode) throws -> PropertyList {
        switch node {
        case .evaluatedObject: return object("NSSelfExpression", type(1))
        case .variable(let name):
            return object("NSVariableExpression", type(2).merging(["NSVariable": string(name)]) { $1 })
        case .constant(let value): return try constant(value)
        case .keyPath(let operand, let keys): return try keyPath(operand, keys)
        case .function(let operand, let name, let arguments):
            return try function(operand, name, arguments)
        case .aggregate(let elements):
            let elements = try elements.map { try expression($0) }
            return object(
                "NSAggregateExpression", type(14).merging(["NSCollection": collection(elements)]) { $1 })
        case .subquery(let source, let variable, let predicateNode):
            let fields = [
                "NSCollection": try expression(source),
                "NSVariable": string(variable),
                "NSPredicate": try predicate(predicateNode),
            ]
            return object("NSSubqueryExpression", type(13).merging(fields) { $1 })
        case .unionSet(let left, let right): return try set(5, left, right)
        case .intersectSet(let left, let right): return try set(6, left, right)
        case .minusSet(let left, let right): return try set(7, left, right)
        case .conditional(let condition, let first, let second):
            let fields = [
                "NSPredicate": try predicate(condition),
                "NSTrueExpression": try expression(first),
                "NSFalseExpression": try expression(second),
            ]
            return object("NSTernaryExpression", type(20).merging(fields) { $1 })
        case .anyKey: return object("NSAnyKeyExpression", type(15))
        case .fetch: throw ModelFileError("", .inexpressible("a fetch request expression"))
        case .block: throw ModelFileError("", .inexpressible("a block expression"))
        }
    }

    // MARK: Expressions

    private func type(_ number: Int64) -> [String: PropertyList] { ["NSExpressionType": .integer(number)] }

    private mutating func constant(_ value: ExpressionValue) throws -> PropertyList {
        var fields = type(0)
        switch value {
        case .value(.null):
            fields["NSConstantValueClassName"] = Self.null
            fields["NSConstantValue"] = Self.null
        case .value(let value): fields["NSConstantValue"] = self.value(value)
        case .collection(let elements, let isOrdered):
            let references = try elements.map { element in
                guard case .value(let value) = element else { throw Self.unarchivable }
                return self.element(value)
            }
            fields["NSConstantValue"] = collection(references, isOrdered ? "NSArray" : "NSSet")
        case .object, .opaque: throw Self.unarchivable
        }
        return object("NSConstantValueExpression", fields)
    }

    private static let unarchivable = ModelFileError("", .inexpressible("an object as a constant"))

    private mutating func keyPath(_ operand: ExpressionNode, _ keys: [String]) throws -> PropertyList {
        let specifier = object(
            "NSKeyPathSpecifierExpression",
            type(10).merging(["NSKeyPath": string(keys.joined(separator: "."))]) { $1 })
        let isOnSelf = operand == .evaluatedObject
        let selector = isOnSelf && keys.count == 1 ? "valueForKey:" : "valueForKeyPath:"
        let fields = [
            "NSOperand": try expression(operand),
            "NSSelectorName": string(selector),
            "NSArguments": collection([specifier], "NSMutableArray"),
        ]
        return object("NSKeyPathExpression", type(isOnSelf ? 3 : 4).merging(fields) { $1 })
    }

    private mutating func function(
        _ operand: ExpressionNode?, _ name: String, _ arguments: [ExpressionNode]
    ) throws -> PropertyList {
        let utilities = [
            "NSConstantValueClassName": string(ArchivedClass.predicateUtilities),
            "NSConstantValue": Self.null,
        ]
        let fields = [
            "NSOperand": try operand.map { try expression($0) }
                ?? object("NSConstantValueExpression", type(0).merging(utilities) { $1 }),
            "NSSelectorName": string(name),
            "NSArguments": collection(try arguments.map { try expression($0) }),
        ]
        return object("NSFunctionExpression", type(4).merging(fields) { $1 })
    }

    private mutating func set(
        _ number: Int64, _ left: ExpressionNode, _ right: ExpressionNode
    ) throws -> PropertyList {
        let fields = ["NSLeftExpression": try expression(left), "NSRightExpression": try expression(right)]
        return object("NSSetExpression", type(number).merging(fields) { $1 })
    }
}
