import CoreDataValues

extension ExpressionNode {
    package func archive() throws(UnarchivableNode) -> NodeArchive {
        switch self {
        case .evaluatedObject: return NodeArchive("NSSelfExpression", ["NSExpressionType": .integer(1)])
        case .variable(let name):
            return NodeArchive(
                "NSVariableExpression", ["NSExpressionType": .integer(2), "NSVariable": .text(name)])
        case .constant(let value): return try Self.constant(value)
        case .keyPath(let operand, let keys): return Self.keyPath(operand, keys)
        case .function(let operand, let name, let arguments):
            return NodeArchive(
                "NSFunctionExpression",
                [
                    "NSExpressionType": .integer(4),
                    "NSOperand": .expression(operand ?? ClassConstant.predicateUtilities.node),
                    "NSSelectorName": .text(name), "NSArguments": .expressions(arguments),
                ])
        case .aggregate(let elements):
            return NodeArchive(
                "NSAggregateExpression",
                ["NSExpressionType": .integer(14), "NSCollection": .expressions(elements)])
        case .subquery(let collection, let variable, let predicate):
            return NodeArchive(
                "NSSubqueryExpression",
                [
                    "NSExpressionType": .integer(13), "NSCollection": .expression(collection),
                    "NSVariable": .text(variable), "NSPredicate": .predicate(predicate),
                ])
        case .unionSet(let left, let right): return Self.set(5, left, right)
        case .intersectSet(let left, let right): return Self.set(6, left, right)
        case .minusSet(let left, let right): return Self.set(7, left, right)
        case .conditional(let condition, let first, let second):
            return NodeArchive(
                "NSTernaryExpression",
                [
                    "NSExpressionType": .integer(20), "NSPredicate": .predicate(condition),
                    "NSTrueExpression": .expression(first), "NSFalseExpression": .expression(second),
                ])
        case .anyKey: return NodeArchive("NSAnyKeyExpression", ["NSExpressionType": .integer(15)])
        case .fetch(let request, let context, let isCountOnly):
            return NodeArchive(
                "NSFetchRequestExpression",
                [
                    "NSExpressionType": .integer(50), "NSFRExpression": .expression(request),
                    "NSMOCExpression": .expression(context), "NSCountOnlyFlag": .flag(isCountOnly),
                ])
        case .block: throw UnarchivableNode(description: "a block expression")
        }
    }

    private static func constant(_ value: ExpressionValue) throws(UnarchivableNode) -> NodeArchive {
        if let name = ClassConstant.name(in: value) {
            return NodeArchive(
                "NSConstantValueExpression",
                [
                    "NSExpressionType": .integer(0), "NSConstantValueClassName": .text(name),
                    "NSConstantValue": .null,
                ])
        }
        guard value.isArchivable else { throw UnarchivableNode(description: "an object as a constant") }
        if value.isNull {
            return NodeArchive(
                "NSConstantValueExpression",
                [
                    "NSExpressionType": .integer(0), "NSConstantValueClassName": .null,
                    "NSConstantValue": .null,
                ])
        }
        return NodeArchive(
            "NSConstantValueExpression",
            ["NSExpressionType": .integer(0), "NSConstantValue": .constant(value)])
    }

    private static func keyPath(_ operand: ExpressionNode, _ keys: [String]) -> NodeArchive {
        let isOnSelf = operand == .evaluatedObject
        return NodeArchive(
            "NSKeyPathExpression",
            [
                "NSExpressionType": .integer(isOnSelf ? 3 : 4),
                "NSArguments": .keyPathSpecifier(keys),
                "NSOperand": .expression(operand),
                "NSSelectorName": .text(isOnSelf && keys.count == 1 ? "valueForKey:" : "valueForKeyPath:"),
            ])
    }

    private static func set(_ type: Int64, _ left: ExpressionNode, _ right: ExpressionNode) -> NodeArchive {
        NodeArchive(
            "NSSetExpression",
            [
                "NSExpressionType": .integer(type), "NSLeftExpression": .expression(left),
                "NSRightExpression": .expression(right),
            ])
    }
}

extension ExpressionValue {
    /// Whether archives can contain the value: values of stored types and collections of them.
    fileprivate var isArchivable: Bool {
        switch self {
        case .value(.reference), .value(.composite), .object, .opaque: false
        case .value: true
        case .collection(let elements, _): elements.allSatisfy(\.isArchivable)
        }
    }
}
