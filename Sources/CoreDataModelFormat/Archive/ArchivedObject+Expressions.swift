import CoreDataPredicates
import CoreDataValues

/// Predicates and expressions inside compiled models as trees (mom §4). Nil means a class or shape that is
/// not understood.
extension ArchivedObject {
    var predicateNode: PredicateNode? {
        switch className {
        case "NSTruePredicate": .constant(true)
        case "NSFalsePredicate": .constant(false)
        case "NSComparisonPredicate": comparisonNode.map { .comparison($0) }
        case "NSCompoundPredicate": compoundNode
        default: nil
        }
    }

    private var compoundNode: PredicateNode? {
        let subpredicates = objects("NSSubpredicates")
        let nodes = subpredicates.compactMap(\.predicateNode)
        guard let type = integer("NSCompoundPredicateType").flatMap({ UInt(exactly: $0) }),
            let conjunction = LogicalOperator(rawValue: type), nodes.count == subpredicates.count
        else { return nil }
        return .compound(conjunction, nodes)
    }

    private var comparisonNode: ComparisonNode? {
        guard let left = object("NSLeftExpression")?.expressionNode,
            let right = object("NSRightExpression")?.expressionNode,
            let operation = object("NSPredicateOperator"),
            let type = operation.integer("NSOperatorType").flatMap({ UInt(exactly: $0) }),
            let comparison = ComparisonOperator(rawValue: type)
        else { return nil }
        let modifier = operation.integer("NSModifier").flatMap { UInt(exactly: $0) }
        let options = operation.integer("NSFlags") ?? operation.integer("NSOptions") ?? 0
        return ComparisonNode(
            left, comparison, right,
            modifier: modifier.flatMap(ComparisonModifier.init) ?? .direct,
            options: ComparisonOptions(rawValue: UInt(max(0, options)) & 0xF))
    }

    var expressionNode: ExpressionNode? {
        switch className {
        case "NSSelfExpression": .evaluatedObject
        case "NSVariableExpression": string("NSVariable").map { .variable($0) }
        case "NSConstantValueExpression": constantNode
        case "NSKeyPathSpecifierExpression": string("NSKeyPath").map { .keyPath($0) }
        case "NSKeyPathExpression": keyPathNode
        case "NSFunctionExpression": functionNode
        case "NSAggregateExpression": nodes("NSCollection").map { .aggregate($0) }
        case "NSTernaryExpression": conditionalNode
        case "NSSubqueryExpression": subqueryNode
        case "NSSetExpression": setNode
        case "NSAnyKeyExpression": .anyKey
        default: nil
        }
    }

    private var constantNode: ExpressionNode? {
        guard value("NSConstantValue") != nil else { return .constant(.null) }
        if let value = attributeValue("NSConstantValue") { return .constant(.value(value)) }
        guard let collection = object("NSConstantValue") else { return nil }
        let elements = collection.values("NS.objects")
        let values = elements.compactMap { collection.attributeValue($0) }
        guard values.count == elements.count else { return nil }
        let isOrdered = collection.className.hasSuffix("Array")
        return .constant(.collection(values.map { .value($0) }, isOrdered: isOrdered))
    }

    private var keyPathNode: ExpressionNode? {
        guard let operand = object("NSOperand")?.expressionNode,
            let path = objects("NSArguments").first?.string("NSKeyPath")
        else { return nil }
        return .keyPath(operand: operand, keys: path.split(separator: ".").map(String.init))
    }

    /// The framework's own functions have its utility class as operand.
    private var functionNode: ExpressionNode? {
        guard let name = string("NSSelectorName"), let arguments = nodes("NSArguments") else { return nil }
        let operand = object("NSOperand")
        if operand?.string("NSConstantValueClassName") == ArchivedClass.predicateUtilities {
            return .function(operand: nil, name: name, arguments: arguments)
        }
        guard let operand else { return .function(operand: nil, name: name, arguments: arguments) }
        return operand.expressionNode.map { .function(operand: $0, name: name, arguments: arguments) }
    }

    private var conditionalNode: ExpressionNode? {
        guard let predicate = object("NSPredicate")?.predicateNode,
            let first = object("NSTrueExpression")?.expressionNode,
            let second = object("NSFalseExpression")?.expressionNode
        else { return nil }
        return .conditional(predicate, first, second)
    }

    private var subqueryNode: ExpressionNode? {
        guard let collection = object("NSCollection")?.expressionNode,
            let predicate = object("NSPredicate")?.predicateNode
        else { return nil }
        let variable = string("NSVariable") ?? object("NSVariableExpression")?.string("NSVariable")
        return variable.map { .subquery(collection: collection, variable: $0, predicate: predicate) }
    }

    private var setNode: ExpressionNode? {
        guard let left = object("NSLeftExpression")?.expressionNode,
            let right = object("NSRightExpression")?.expressionNode
        else { return nil }
        switch integer("NSExpressionType") {
        case 5: return .unionSet(left, right)
        case 6: return .intersectSet(left, right)
        case 7: return .minusSet(left, right)
        default: return nil
        }
    }

    private func nodes(_ key: String) -> [ExpressionNode]? {
        let arguments = objects(key)
        let nodes = arguments.compactMap(\.expressionNode)
        return nodes.count == arguments.count ? nodes : nil
    }
}
