import CoreDataPredicates
import Foundation

/// Access to the values at the end of key paths, for any object that has keys.
enum KeyPathAccess {
    /// Returns the value at the end of a key path.
    ///
    /// The result is nil if a value on the path is nil, also if an operator follows; in a predicate, an
    /// operator then sees an empty collection. Without an operator, the value of a collection is a collection
    /// of its elements' values, nested for a to-many of a to-many; operators see the values of all nested
    /// collections together.
    static func value(of object: Any?, _ keyPath: String) -> Any? {
        value(of: object, keyPath.split(separator: ".").map(String.init))
    }

    /// Returns the value at the end of a key path given as keys.
    ///
    /// A key may have dots in it, if it is the only one.
    static func value(of object: Any?, _ keys: [String]) -> Any? {
        if let object = object as? NSManagedObject, let first = keys.first, !first.hasPrefix("@") {
            return keys.count == 1
                ? object.value(forKey: first) : object.value(forKeyPath: keys.joined(separator: "."))
        }
        let path = keys.prefix { !$0.hasPrefix("@") }
        if path.count == keys.count, let values = values(ofElementsOf: object, keys) { return values }
        let end = expressionValue(of: ExpressionValue(boxing: object), Array(path))
        guard !end.isNull, path.count < keys.count else { return end.unboxed }
        return expressionValue(of: end, Array(keys[path.count...])).unboxed
    }

    /// Returns the elements' values: for a list one per element, with nil and equal values; for a set without
    /// these.
    private static func values(ofElementsOf object: Any?, _ keys: [String]) -> Any? {
        switch object {
        case let list as NSArray: NSArray(array: list.map { value(of: $0, keys) ?? NSNull() })
        case let list as NSOrderedSet:
            NSOrderedSet(array: list.compactMap { member(value(of: $0, keys)) })
        case let set as NSSet: NSSet(array: set.compactMap { member(value(of: $0, keys)) })
        default: nil
        }
    }

    /// Returns a value as a member of a set, whose hash has to agree with its equality.
    private static func member(_ value: Any?) -> Any? {
        guard let list = value as? NSOrderedSet else { return value }
        return HashedOrderedSet(list.array)
    }

    /// Returns the value at the end of a path.
    ///
    /// Traps on a key that the object does not have, where Apple's framework raises an exception.
    static func expressionValue(of object: ExpressionValue, _ keys: [String]) -> ExpressionValue {
        do throws(EvaluationError) {
            return try object.value(at: keys[...])
        } catch {
            programmerError("\(error), in the key path \(keys.joined(separator: "."))")
        }
    }
}
