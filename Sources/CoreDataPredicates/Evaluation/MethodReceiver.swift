/// An object with methods that `FUNCTION(object, "name:", …)` calls.
package protocol MethodReceiver: KeyedValues {
    /// Calls a method and returns its result; nil if the object has no method of this name.
    func call(_ name: String, _ arguments: [ExpressionValue]) throws -> ExpressionValue?
}
