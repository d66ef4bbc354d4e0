import CoreDataPredicates
import Foundation

/// Values at the end of key paths, for any object that has keys.
enum KeyPathAccess {
    /// A path ends with nil at the first value that is nil, operators included; in predicates there are no objects to
    /// count then.
    static func value(of object: Any?, _ keyPath: String) -> Any? {
        let keys = keyPath.split(separator: ".").map(String.init)
        let path = keys.prefix { !$0.hasPrefix("@") }
        let hasOperator = path.count < keys.count
        if let list = object as? NSArray, !hasOperator {
            return NSArray(array: list.map { value(ofElement: $0, keyPath) ?? NSNull() })
        }
        let end = expressionValue(of: ExpressionValue(boxing: object), Array(path))
        if hasOperator, !end.isNull { return expressionValue(of: end, Array(keys[path.count...])).unboxed }
        guard object is NSOrderedSet, let values = end.unboxed as? NSArray else { return end.unboxed }
        return NSOrderedSet(array: values.filter { !($0 is NSNull) })
    }

    /// A list has a value for each element: what is nil or twice in it, too.
    private static func value(ofElement element: Any, _ keyPath: String) -> Any? {
        if let object = element as? NSManagedObject { return object.value(forKeyPath: keyPath) }
        return value(of: element, keyPath)
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
