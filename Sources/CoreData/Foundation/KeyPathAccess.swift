import CoreDataPredicates
import Foundation

/// Values at the end of key paths, for any object that has keys.
enum KeyPathAccess {
    /// A path ends with nil at the first value that is nil, operators included; in predicates there are no objects to
    /// count then.
    static func value(of object: Any?, _ keyPath: String) -> Any? {
        let keys = keyPath.split(separator: ".").map(String.init)
        let path = keys.prefix { !$0.hasPrefix("@") }
        let end = expressionValue(of: ExpressionValue(boxing: object), Array(path))
        guard !end.isNull, path.count < keys.count else { return end.unboxed }
        return expressionValue(of: end, Array(keys[path.count...])).unboxed
    }

    /// Traps on a key that nothing answers to, as Apple's framework does.
    static func expressionValue(of object: ExpressionValue, _ keys: [String]) -> ExpressionValue {
        do throws(EvaluationError) {
            return try object.value(at: keys[...])
        } catch {
            programmerError("\(error), in the key path \(keys.joined(separator: "."))")
        }
    }
}
