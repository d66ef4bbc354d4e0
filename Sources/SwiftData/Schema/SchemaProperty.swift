/// An attribute or a relationship of an entity.
public protocol SchemaProperty: AnyObject, CustomStringConvertible {
    /// The name of the property.
    var name: String { get }
    /// The name that the property had in the version before; its own name if it was not renamed.
    var originalName: String { get }
    /// The Swift type of the property's values.
    var valueType: Any.Type { get }
    /// Whether no two objects may have equal values.
    var isUnique: Bool { get }
}

extension SchemaProperty {
    /// Whether the property is an attribute.
    public var isAttribute: Bool { self is Schema.Attribute }
    /// Whether the property is a relationship.
    public var isRelationship: Bool { self is Schema.Relationship }
    /// False: transient properties are no part of a schema.
    public var isTransient: Bool { false }
    /// Whether the declared type is an optional.
    public var isOptional: Bool { ValueType(valueType).isOptional }
    /// The name and the type.
    public var description: String { "\(name): \(valueType)" }
}
