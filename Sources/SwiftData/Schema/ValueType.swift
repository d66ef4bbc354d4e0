import CoreData

/// A declared type of a property, taken apart: optional or not, one value or an array.
struct ValueType {
    let isOptional: Bool
    /// Whether the type is an array, or an optional array.
    let isArray: Bool
    /// The type without the optional and the array.
    let element: Any.Type
    /// The type without the optional.
    let wrapped: Any.Type

    init(_ type: Any.Type) {
        wrapped = (type as? any OptionalType.Type)?.wrappedType ?? type
        isOptional = type is any OptionalType.Type
        let array = wrapped as? any ArrayValue.Type
        isArray = array != nil
        element = array?.elementType ?? wrapped
    }
}

private protocol ArrayValue {
    static var elementType: Any.Type { get }
}

extension Array: ArrayValue {
    static var elementType: Any.Type { Element.self }
}
