import CoreDataValues

/// An archived object that is one of Apple's predicates, expressions or operators (mom §4).
///
/// A field that is absent, nil or of another kind reads as nil. A list that is absent or nil reads as empty,
/// and a list that contains an element of another kind reads as nil.
package protocol ArchivedNode {
    var className: String { get }
    func integer(_ key: String) -> Int?
    func string(_ key: String) -> String?
    func constant(_ key: String) -> ExpressionValue?
    func expression(_ key: String) -> ExpressionNode?
    func expressions(_ key: String) -> [ExpressionNode]?
    func predicate(_ key: String) -> PredicateNode?
    func predicates(_ key: String) -> [PredicateNode]?
    func comparisonOperator(_ key: String) -> ArchivedOperator?
}

/// The operator of an archived comparison.
package struct ArchivedOperator: Sendable {
    package let type: ComparisonOperator
    package let modifier: ComparisonModifier
    package let options: ComparisonOptions
    package let selector: String?

    package init?(_ object: some ArchivedNode) {
        guard let type = object.integer("NSOperatorType").flatMap({ UInt(exactly: $0) }),
            let comparison = ComparisonOperator(rawValue: type)
        else { return nil }
        self.type = comparison
        modifier =
            object.integer("NSModifier").flatMap { UInt(exactly: $0) }.flatMap(ComparisonModifier.init)
            ?? .direct
        let flags = object.integer("NSFlags") ?? object.integer("NSOptions") ?? 0
        options = ComparisonOptions(rawValue: UInt(max(0, flags)) & 0xF)
        selector = object.string("NSSelectorName")
    }
}

extension ArchivedNode {
    /// The class of an expression by its type, for readers that do not know the class.
    package var expressionClassName: String? {
        switch integer("NSExpressionType") {
        case 0: "NSConstantValueExpression"
        case 1: "NSSelfExpression"
        case 2: "NSVariableExpression"
        case 3: "NSKeyPathExpression"
        case 4:
            ["valueForKey:", "valueForKeyPath:"].contains(string("NSSelectorName"))
                ? "NSKeyPathExpression" : "NSFunctionExpression"
        case 5, 6, 7: "NSSetExpression"
        case 10: "NSKeyPathSpecifierExpression"
        case 13: "NSSubqueryExpression"
        case 14: "NSAggregateExpression"
        case 15: "NSAnyKeyExpression"
        case 20: "NSTernaryExpression"
        case 50: "NSFetchRequestExpression"
        default: nil
        }
    }

    /// The predicate; nil for an unknown class or unexpected fields.
    package var predicateNode: PredicateNode? {
        switch className {
        case "NSTruePredicate": return .constant(true)
        case "NSFalsePredicate": return .constant(false)
        // The class that Foundation archives on Linux.
        case "NSPredicate": return integer("value").map { .constant($0 != 0) }
        case "NSComparisonPredicate":
            guard let left = expression("NSLeftExpression"), let right = expression("NSRightExpression"),
                let relation = comparisonOperator("NSPredicateOperator")
            else { return nil }
            return .comparison(
                ComparisonNode(
                    left, relation.type, right, modifier: relation.modifier, options: relation.options,
                    selector: relation.selector))
        case "NSCompoundPredicate":
            guard let nodes = predicates("NSSubpredicates"),
                let type = integer("NSCompoundPredicateType").flatMap({ UInt(exactly: $0) }),
                let logical = LogicalOperator(rawValue: type), logical != .not || nodes.count == 1
            else { return nil }
            return .compound(logical, nodes)
        default: return nil
        }
    }

    /// The expression; nil for an unknown class or unexpected fields.
    package var expressionNode: ExpressionNode? {
        switch className {
        case "NSSelfExpression": .evaluatedObject
        case "NSVariableExpression": string("NSVariable").map { .variable($0) }
        case "NSConstantValueExpression": constantNode
        case "NSKeyPathSpecifierExpression": string("NSKeyPath").map { .keyPath($0) }
        case "NSKeyPathExpression": keyPathNode
        case "NSFunctionExpression": functionNode
        case "NSAggregateExpression": expressions("NSCollection").map { .aggregate($0) }
        case "NSTernaryExpression": conditionalNode
        case "NSSubqueryExpression": subqueryNode
        case "NSSetExpression": setNode
        case "NSFetchRequestExpression": fetchNode
        case "NSAnyKeyExpression": .anyKey
        default: nil
        }
    }

    private var constantNode: ExpressionNode? {
        if let name = string("NSConstantValueClassName") { return ClassConstant(name).node }
        return constant("NSConstantValue").map { .constant($0) }
    }

    private var keyPathNode: ExpressionNode? {
        guard let operand = expression("NSOperand"),
            case .keyPath(.evaluatedObject, let keys)? = expressions("NSArguments")?.first
        else { return nil }
        return .keyPath(operand: operand, keys: keys)
    }

    private var functionNode: ExpressionNode? {
        guard let name = string("NSSelectorName"), let arguments = expressions("NSArguments") else {
            return nil
        }
        let operand = expression("NSOperand")
        let isOwn = operand == nil || operand == ClassConstant.predicateUtilities.node
        return .function(operand: isOwn ? nil : operand, name: name, arguments: arguments)
    }

    private var conditionalNode: ExpressionNode? {
        guard let predicate = predicate("NSPredicate"), let first = expression("NSTrueExpression"),
            let second = expression("NSFalseExpression")
        else { return nil }
        return .conditional(predicate, first, second)
    }

    private var subqueryNode: ExpressionNode? {
        guard let collection = expression("NSCollection"), let predicate = predicate("NSPredicate") else {
            return nil
        }
        var name = string("NSVariable")
        if name == nil, case .variable(let variable)? = expression("NSVariableExpression") { name = variable }
        return name.map { .subquery(collection: collection, variable: $0, predicate: predicate) }
    }

    private var fetchNode: ExpressionNode? {
        guard let request = expression("NSFRExpression"), let context = expression("NSMOCExpression") else {
            return nil
        }
        let isCountOnly = (integer("NSCountOnlyFlag") ?? 0) != 0
        return .fetch(request: request, context: context, isCountOnly: isCountOnly)
    }

    private var setNode: ExpressionNode? {
        guard let left = expression("NSLeftExpression"), let right = expression("NSRightExpression") else {
            return nil
        }
        switch integer("NSExpressionType") {
        case 5: return .unionSet(left, right)
        case 6: return .intersectSet(left, right)
        case 7: return .minusSet(left, right)
        default: return nil
        }
    }
}
