public import CoreData

/// Attributes with `.transformable(by:)`: any type, in the form in which the app has it.
extension ModelAccess {
    /// Reads an attribute that a transformer turns into data.
    public static func readTransformed<Value>(_ object: ModelObject, _ property: Property) -> Value {
        ManagedAccess.read(object, property) as Value
    }

    /// Writes an attribute that a transformer turns into data.
    public static func writeTransformed<Value>(_ object: ModelObject, _ property: Property, _ value: Value) {
        if !object.isHeld { object.hold() }
        ManagedAccess.write(object, property, (value as? any OptionalType).map(\.content) ?? value)
    }

    /// Sets the first value of an attribute that a transformer turns into data.
    public static func startTransformed<Value>(
        _ backing: inout ModelObject?, _ template: ModelTemplate, _ property: Property, _ value: Value
    ) {
        if let object = begun(&backing, template) { writeTransformed(object, property, value) }
    }
}
