import CoreDataPredicates

// Calls of objects' methods and accessors by expressions.

extension ExposedMethods {
    /// Returns the result of a method; nil if the object has no method with that name.
    static func value(
        of selector: String, _ arguments: [ExpressionValue], on object: AnyObject
    ) throws -> ExpressionValue? {
        guard let method = method(selector, of: type(of: object)) else { return nil }
        return ExpressionValue(boxing: try method(object, MessageArguments(arguments.map(\.unboxed))))
    }

    /// Returns the value of a key by its accessor; nil if the object has none.
    static func value(forKey key: String, of object: AnyObject) -> ExpressionValue? {
        getter(of: key, of: type(of: object)).map { ExpressionValue(boxing: value(of: $0, on: object)) }
    }
}
