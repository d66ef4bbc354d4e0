import CoreDataValues
import Foundation

extension FormatParser {
    /// Reads a call: a word, a parenthesis and arguments.
    mutating func call() throws(PredicateSyntaxError) -> ExpressionNode {
        try enter()
        let node = try entered()
        leave()
        return node
    }

    private mutating func entered() throws(PredicateSyntaxError) -> ExpressionNode {
        switch current.keyword {
        case "SUBQUERY": return try subquery()
        case "TERNARY": return try ternary()
        case "CAST":
            beginCall()
            return Self.cast(try exactly(2, "CAST"))
        case "FUNCTION": return try function()
        case "FETCH": return try fetch()
        default: break
        }
        let token = current
        beginCall()
        return try Self.call(token, try list(until: ")"))
    }

    private mutating func beginCall() {
        advance()
        advance()
    }

    private static func call(
        _ token: FormatToken,
        _ arguments: [ExpressionNode]
    ) throws(PredicateSyntaxError) -> ExpressionNode {
        guard case .word(let word) = token.kind,
            let name = FunctionName.resolve(word, argumentCount: arguments.count)
        else {
            throw PredicateSyntaxError(
                position: token.position,
                expected: "a known function of \(arguments.count) arguments",
                found: token.text)
        }
        if name == "castObject:toType:" { return cast(arguments) }
        return .function(operand: nil, name: name, arguments: arguments)
    }

    private mutating func exactly(
        _ count: Int,
        _ name: String
    ) throws(PredicateSyntaxError) -> [ExpressionNode] {
        let position = current.position
        let arguments = try list(until: ")")
        guard arguments.count == count else {
            throw PredicateSyntaxError(
                position: position, expected: "\(count) arguments of \(name)", found: "\(arguments.count)")
        }
        return arguments
    }

    /// Reads `collection, $variable, predicate)`.
    private mutating func subquery() throws(PredicateSyntaxError) -> ExpressionNode {
        beginCall()
        let collection = try inner()
        let collectionHeight = height
        try expect(sign: ",")
        guard case .variable(let name) = current.kind else {
            throw unexpected("the variable of SUBQUERY, such as '$x'")
        }
        advance()
        try expect(sign: ",")
        let predicate = try innerPredicate()
        try expect(sign: ")")
        try grow(above: max(collectionHeight, height))
        return .subquery(collection: collection, variable: name, predicate: predicate)
    }

    /// Reads a predicate inside an expression. It contains at least a comparison before the next expression,
    /// hence the three levels.
    private mutating func innerPredicate() throws(PredicateSyntaxError) -> PredicateNode {
        try enter(3)
        let node = try predicate()
        leave(3)
        return node
    }

    /// Reads `predicate, value, value)`.
    private mutating func ternary() throws(PredicateSyntaxError) -> ExpressionNode {
        beginCall()
        let predicate = try innerPredicate()
        let predicateHeight = height
        try expect(sign: ",")
        let values = try exactly(2, "TERNARY behind its predicate")
        try grow(above: max(predicateHeight, height))
        return .conditional(predicate, values[0], values[1])
    }

    /// Reads `request, context, YES)`, whose last argument tells whether the results are only counted.
    private mutating func fetch() throws(PredicateSyntaxError) -> ExpressionNode {
        beginCall()
        let position = current.position
        let arguments = try exactly(3, "FETCH")
        guard case .constant(.value(.boolean(let isCountOnly))) = arguments[2] else {
            throw PredicateSyntaxError(
                position: position, expected: "YES or NO as the last argument of FETCH",
                found: NodePrinter.format(arguments[2]))
        }
        return .fetch(request: arguments[0], context: arguments[1], isCountOnly: isCountOnly)
    }

    /// Reads `operand, "selector:", argument…)`.
    private mutating func function() throws(PredicateSyntaxError) -> ExpressionNode {
        beginCall()
        let position = current.position
        let arguments = try list(until: ")")
        guard arguments.count >= 2, case .constant(.value(.string(let name))) = arguments[1] else {
            throw PredicateSyntaxError(
                position: position,
                expected: "an operand and a selector string in FUNCTION",
                found: arguments.isEmpty
                    ? "nothing" : arguments.map(NodePrinter.format).joined(separator: ", "))
        }
        return .function(operand: arguments[0], name: name, arguments: Array(arguments.dropFirst(2)))
    }

    /// Returns the function for a cast. The cast of a number to a date gives the date itself, since dates are
    /// printed in that form.
    private static func cast(_ arguments: [ExpressionNode]) -> ExpressionNode {
        if case .constant(.value(.string("NSDate"))) = arguments[1] {
            switch arguments[0] {
            case .constant(.value(.double(let seconds))):
                return .constant(.value(.date(Date(timeIntervalSinceReferenceDate: seconds))))
            case .constant(.value(.integer(let seconds))):
                return .constant(.value(.date(Date(timeIntervalSinceReferenceDate: Double(seconds)))))
            default: break
            }
        }
        return .function(operand: nil, name: "castObject:toType:", arguments: arguments)
    }
}
