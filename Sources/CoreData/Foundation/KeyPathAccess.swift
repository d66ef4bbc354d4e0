import CoreDataPredicates
import Foundation

/// Access to the values at the end of key paths, for any object that has keys.
enum KeyPathAccess {
    /// Returns the value at the end of a key path.
    ///
    /// A path ends with nil at the first value that is nil, operators included; in predicates there are no
    /// objects to count then. Without an operator a collection answers with a collection of what its elements
    /// have, which for a relationship's relationship has collections in it; operators see what is in all of
    /// them.
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

    /// Returns a list's values for each element, nil and equal ones included; those of sets without.
    private static func values(ofElementsOf object: Any?, _ keys: [String]) -> Any? {
        switch object {
        case let list as NSArray: NSArray(array: list.map { value(of: $0, keys) ?? NSNull() })
        case let list as NSOrderedSet:
            NSOrderedSet(array: list.compactMap { member(value(of: $0, keys)) })
        case let set as NSSet: NSSet(array: set.compactMap { member(value(of: $0, keys)) })
        default: nil
        }
    }

    /// Returns a value as the member of a set, which has to be hashed as it is compared.
    private static func member(_ value: Any?) -> Any? {
        guard let list = value as? NSOrderedSet else { return value }
        return HashedOrderedSet(list.array)
    }

    /// Returns the value at the end of a path.
    ///
    /// Traps on a key that nothing answers to, as Apple's framework raises an exception.
    static func expressionValue(of object: ExpressionValue, _ keys: [String]) -> ExpressionValue {
        do throws(EvaluationError) {
            return try object.value(at: keys[...])
        } catch {
            programmerError("\(error), in the key path \(keys.joined(separator: "."))")
        }
    }
}
