public import CoreData

extension ModelAccess {
    // MARK: Raw values

    /// Reads an attribute that is stored as a raw value.
    public static func read<Value: RawRepresentable & Codable>(
        _ object: ModelObject, _ property: Property
    ) -> Value where Value.RawValue: ManagedValue {
        raw(object, property) ?? coded(object, property)
    }

    /// Reads an optional attribute that is stored as a raw value.
    public static func read<Value: RawRepresentable & Codable>(
        _ object: ModelObject, _ property: Property
    ) -> Value? where Value.RawValue: ManagedValue {
        raw(object, property) ?? coded(object, property)
    }

    /// Returns the value whose raw value the row has; nil for none, and for an attribute of another form.
    private static func raw<Value: RawRepresentable>(
        _ object: ModelObject, _ property: Property
    ) -> Value? where Value.RawValue: ManagedValue {
        guard ManagedAccess.holds(Value.RawValue.self, object, property) else { return nil }
        return (ManagedAccess.read(object, property) as Value.RawValue?).flatMap(Value.init(rawValue:))
    }

    /// Writes an attribute that is stored as a raw value.
    public static func write<Value: RawRepresentable & Codable>(
        _ object: ModelObject, _ property: Property, _ value: Value
    ) where Value.RawValue: ManagedValue {
        write(object, property, Optional(value))
    }

    /// Writes an optional attribute that is stored as a raw value.
    public static func write<Value: RawRepresentable & Codable>(
        _ object: ModelObject, _ property: Property, _ value: Value?
    ) where Value.RawValue: ManagedValue {
        guard ManagedAccess.holds(Value.RawValue.self, object, property) else {
            return writeCoded(object, property, value)
        }
        if !object.isHeld { object.hold() }
        ManagedAccess.write(object, property, value?.rawValue)
    }

    /// Sets the first value of an attribute that is stored as a raw value.
    public static func start<Value: RawRepresentable & Codable>(
        _ backing: inout ModelObject?, _ template: ModelTemplate, _ property: Property, _ value: Value
    ) where Value.RawValue: ManagedValue {
        if let object = begun(&backing, template) { write(object, property, Optional(value)) }
    }

    /// Sets the first value of an optional attribute that is stored as a raw value.
    public static func start<Value: RawRepresentable & Codable>(
        _ backing: inout ModelObject?, _ template: ModelTemplate, _ property: Property, _ value: Value?
    ) where Value.RawValue: ManagedValue {
        if let object = begun(&backing, template) { write(object, property, value) }
    }

    // MARK: Other Codable values

    /// Reads an attribute of any Codable type, which may be an optional.
    @_disfavoredOverload
    public static func read<Value: Codable>(_ object: ModelObject, _ property: Property) -> Value {
        coded(object, property)
    }

    /// Writes an attribute of any Codable type.
    @_disfavoredOverload
    public static func write<Value: Codable>(_ object: ModelObject, _ property: Property, _ value: Value) {
        writeCoded(object, property, Optional(value))
    }

    /// Writes an optional attribute of any Codable type.
    @_disfavoredOverload
    public static func write<Value: Codable>(_ object: ModelObject, _ property: Property, _ value: Value?) {
        writeCoded(object, property, value)
    }

    /// Sets the first value of an attribute of any Codable type.
    @_disfavoredOverload
    public static func start<Value: Codable>(
        _ backing: inout ModelObject?, _ template: ModelTemplate, _ property: Property, _ value: Value
    ) {
        if let object = begun(&backing, template) { write(object, property, value) }
    }

    /// Sets the first value of an optional attribute of any Codable type.
    @_disfavoredOverload
    public static func start<Value: Codable>(
        _ backing: inout ModelObject?, _ template: ModelTemplate, _ property: Property, _ value: Value?
    ) {
        if let object = begun(&backing, template) { write(object, property, value) }
    }

    // MARK: Conversion

    private static func writeCoded<Value: Codable>(
        _ object: ModelObject, _ property: Property, _ value: Value?
    ) {
        if !object.isHeld { object.hold() }
        let attribute = object.entity.attributesByName[property.name]
        do {
            let stored = try value.flatMap { try attribute?.stored($0) }
            ManagedAccess.write(object, property, stored)
        } catch {
            programmerError("\(object.name(of: property)) cannot store \(value as Any): \(error)")
        }
    }

    /// Returns the value of an attribute: if its row has none, or none that can be decoded, nil, or else the
    /// value in the declaration of the property, or else an empty value. The row keeps what it has.
    private static func coded<Value: Codable>(_ object: ModelObject, _ property: Property) -> Value {
        let none = Optional<Any>.none as? Value
        let reason: String
        do {
            func decoded() throws -> Value? {
                let stored: Any? = ManagedAccess.read(object, property)
                return try stored.map { try StoredValue.value(Value.self, from: $0) }
            }
            if let value = try object.decodedValue(of: property, decode: decoded) ?? decoded() {
                return value
            }
            if let none { return none }
            // Nothing but elements without a value are a value, too.
            if let empty = try? StoredValue.value(Value.self, from: [String: Any]()) { return empty }
            reason = "has no value"
        } catch {
            reason = "has a stored value that is no \(Value.self): \(error)"
        }
        let name = object.name(of: property)
        let declared = none ?? object.declaredValue(of: property.name) as? Value
        guard let value = declared ?? (try? PlaceholderDecoder.value(of: Value.self, .empty)) else {
            programmerError(
                "\(name) \(reason). Declare it \(Value.self)?, or give it a value to read instead.")
        }
        FrameworkLog.error("\(name) \(reason). It reads as \(value).")
        return value
    }
}

extension NSAttributeDescription {
    /// Returns a value in the form that the attribute has.
    func stored(_ value: some Codable) throws -> Any? {
        if attributeType == .transformableAttributeType { return try StoredValue.bytes(of: value) }
        let object = try StoredValue.object(of: value)
        // A store of another program may have one element for one value.
        guard let composite = self as? NSCompositeAttributeDescription, let object,
            !(object is [String: Any]),
            composite.elements.count == 1
        else { return object }
        return [composite.elements[0].name: object]
    }
}

extension ModelObject {
    fileprivate func name(of property: ModelAccess.Property) -> String {
        "\(entity.name ?? "").\(property.name)"
    }

    /// Returns the value in the declaration of a property; nil for none.
    fileprivate func declaredValue(of name: String) -> Any? {
        guard let model else { return nil }
        let metadata = Schema.lineage(of: type(of: model)).flatMap { $0.schemaMetadata }
        return metadata.first { $0.name == name }?.defaultValue
    }
}
