/// An object with methods that `FUNCTION(object, "name:", …)` calls.
package protocol MethodReceiver: KeyedValues {
    /// What the method yields; nil if the object has none of that name.
    func call(_ name: String, _ arguments: [ExpressionValue]) throws -> ExpressionValue?
}
