import CoreDataValues

extension NodePrinter {
    package static func format(_ expression: ExpressionNode) -> String {
        switch expression {
        case .constant(let value): format(value)
        case .evaluatedObject: "SELF"
        case .variable(let name): "$" + name
        case .keyPath(let operand, let keys): path(operand, keys)
        case .function(let operand, let name, let arguments): call(operand, name, arguments)
        case .aggregate(let elements): "{\(list(elements))}"
        case .subquery(let collection, let variable, let predicate):
            "SUBQUERY(\(format(collection)), $\(variable), \(format(predicate)))"
        case .unionSet(let left, let right): "\(set(left)) UNION \(set(right, isRight: true))"
        case .intersectSet(let left, let right): "\(set(left)) INTERSECT \(set(right, isRight: true))"
        case .minusSet(let left, let right): "\(set(left)) MINUS \(set(right, isRight: true))"
        case .conditional(let predicate, let first, let second):
            "TERNARY(\(format(predicate)), \(format(first)), \(format(second)))"
        case .fetch(let request, let context, let isCountOnly):
            "FETCH(\(format(request)), \(format(context)), \(isCountOnly ? "YES" : "NO"))"
        case .anyKey: "ANYKEY"
        case .block(let block, let arguments): "BLOCK(\(address(of: block)), {\(list(arguments))})"
        }
    }

    private static func list(_ expressions: [ExpressionNode]) -> String {
        expressions.map(format).joined(separator: ", ")
    }

    // MARK: Paths

    private static func path(_ operand: ExpressionNode, _ keys: [String]) -> String {
        let path = keys.map { ReservedWords.contains($0) ? "#" + $0 : $0 }.joined(separator: ".")
        if operand == .evaluatedObject { return path }
        return "\(base(operand)).\(path)"
    }

    /// Returns the text of an operand in a form that a dot or a bracket can follow.
    private static func base(_ expression: ExpressionNode) -> String {
        let text = format(expression)
        switch expression {
        case .unionSet, .intersectSet, .minusSet, .constant(.value): return "(\(text))"
        case .function(nil, let name, let arguments):
            return isInfix(name, arguments) || name == "onesComplement:" ? "(\(text))" : text
        default: return text
        }
    }

    // MARK: Functions

    private static func isInfix(_ name: String, _ arguments: [ExpressionNode]) -> Bool {
        arguments.count == 2 && FunctionName.sign(of: name) != nil
    }

    private static func call(
        _ operand: ExpressionNode?,
        _ name: String,
        _ arguments: [ExpressionNode]
    ) -> String {
        if let operand {
            return "FUNCTION(\(list([operand, .constant(.value(.string(name)))] + arguments)))"
        }
        switch (name, arguments.count) {
        case ("castObject:toType:", _): return "CAST(\(list(arguments)))"
        case ("onesComplement:", 1): return "~\(term(arguments[0], binding: FunctionName.infix.count))"
        case ("objectFrom:withIndex:", 2):
            let index = FunctionName.symbolicIndex(arguments[1]) ?? format(arguments[1])
            return "\(base(arguments[0]))[\(index)]"
        case (_, 2):
            guard let (sign, binding) = FunctionName.sign(of: name) else { break }
            let isPower = binding == FunctionName.infix.count - 1
            let left = term(arguments[0], binding: isPower ? binding + 1 : binding)
            let right = term(arguments[1], binding: isPower ? binding : binding + 1)
            return "\(left) \(sign) \(right)"
        default: break
        }
        return "\(name)(\(list(arguments)))"
    }

    /// Returns the text of an infix operator's operand, in parentheses if it binds less tightly than
    /// `binding`.
    private static func term(_ expression: ExpressionNode, binding: Int) -> String {
        let text = format(expression)
        switch expression {
        case .unionSet, .intersectSet, .minusSet: return "(\(text))"
        case .function(nil, let name, let arguments) where isInfix(name, arguments):
            let own = FunctionName.sign(of: name)?.binding ?? binding
            return own < binding ? "(\(text))" : text
        // A sign binds less tightly than a power.
        case .function(nil, "onesComplement:", _), .constant(.value):
            let isSigned = text.hasPrefix("-") || text.hasPrefix("~")
            return isSigned && binding == FunctionName.infix.count ? "(\(text))" : text
        default: return text
        }
    }

    private static func set(_ expression: ExpressionNode, isRight: Bool = false) -> String {
        switch expression {
        case .unionSet, .intersectSet, .minusSet: isRight ? "(\(format(expression)))" : format(expression)
        default: format(expression)
        }
    }
}
