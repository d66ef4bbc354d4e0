import CoreDataPredicates
import Foundation

/// Values at the end of key paths, for any object that has keys.
enum KeyPathAccess {
    static func value(of object: Any?, _ keyPath: String) -> Any? {
        expressionValue(of: ExpressionValue(boxing: object), keyPath.split(separator: ".").map(String.init))
            .unboxed
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
