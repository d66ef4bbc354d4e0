import CoreData
import Foundation

/// A predicate's format with its arguments, and the conditions it is made of.
struct RandomCondition {
    var format: String
    var arguments: [Any] = []
    /// Whether the condition is never unknown in SQL, so that it may be under NOT.
    var isCertain = true
    /// Its parts that are conditions on the same object, used to shrink a failure.
    var parts: [RandomCondition] = []

    func predicate() throws -> NSPredicate { try NSPredicate(validating: format, arguments: arguments) }

    static func joined(_ left: RandomCondition, _ word: String, _ right: RandomCondition) -> RandomCondition {
        RandomCondition(
            format: "(\(left.format) \(word) \(right.format))", arguments: left.arguments + right.arguments,
            isCertain: left.isCertain && right.isCertain, parts: [left, right])
    }

    static func not(_ condition: RandomCondition) -> RandomCondition {
        RandomCondition(
            format: "NOT (\(condition.format))", arguments: condition.arguments, parts: [condition])
    }
}

/// An operand: its format with arguments, its type, and whether it may be nil.
struct RandomOperand {
    enum Shape {
        case number, text, date, other(RandomValues.Kind)
    }

    var format: String
    var arguments: [Any] = []
    var shape: Shape
    var isOptional = false
}
