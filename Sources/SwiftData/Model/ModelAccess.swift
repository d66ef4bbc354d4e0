public import CoreData

/// The functions that accessors written by `@Model` call; not for use by hand.
///
/// The declared type of the property chooses the overload.
@_documentation(visibility: internal)
public enum ModelAccess {
    /// What a stored property leaves in its class: nothing, but the compiler sees whether an initializer set
    /// it.
    @frozen public struct Placeholder {
        /// Makes a placeholder.
        @inlinable public init() {}
    }

    /// The token of a property.
    public typealias Property = ManagedProperty

    /// Makes the token of a property.
    public static func property(_ name: String) -> Property { ManagedProperty(name) }

    /// Returns the value in the declaration of a property, which has the type of the property.
    public static func defaultValue<Model, Value>(of keyPath: KeyPath<Model, Value>, _ value: Value) -> Any? {
        value
    }

    // MARK: Initial values

    /// Returns the object of a model, made at the first use.
    public static func started(_ backing: inout ModelObject?, _ template: ModelTemplate) -> ModelObject {
        if let backing { return backing }
        let object = template.begin()
        backing = object
        return object
    }

    /// Returns the object of a model that an app makes, to which first values are given; nil for the model of
    /// a row, which has values.
    @usableFromInline
    static func begun(_ backing: inout ModelObject?, _ template: ModelTemplate) -> ModelObject? {
        let object = started(&backing, template)
        return object.isBegun ? object : nil
    }

    private static let given = ThreadPointer()
    private static let receiver = ThreadPointer()

    /// Gives an object to the next initializer of a class that this thread runs; does nothing for an object
    /// that is in no context yet.
    ///
    /// An initializer sets the values in declarations first, and would make another object for them.
    public static func give(_ object: ModelObject, to type: AnyClass) {
        if object.isBegun { return }
        given.value = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        receiver.value = unsafeBitCast(type, to: UnsafeRawPointer.self)
    }

    /// Returns the object that was given to a class; nil for a model that an app makes, even if the value in
    /// the declaration of another one makes it.
    public static func takeObject(for type: AnyClass) -> ModelObject? {
        guard let object = given.value, receiver.value == unsafeBitCast(type, to: UnsafeRawPointer.self)
        else { return nil }
        given.value = nil
        return Unmanaged<ModelObject>.fromOpaque(object).takeUnretainedValue()
    }

    /// Sets the first value of an attribute.
    @inlinable
    public static func start<Value: ManagedValue>(
        _ backing: inout ModelObject?, _ template: ModelTemplate, _ property: Property, _ value: Value
    ) {
        if let object = begun(&backing, template) { ManagedAccess.write(object, property, value) }
    }

    /// Sets the first value of an optional attribute.
    @inlinable
    public static func start<Value: ManagedValue>(
        _ backing: inout ModelObject?, _ template: ModelTemplate, _ property: Property, _ value: Value?
    ) {
        if let object = begun(&backing, template) { ManagedAccess.write(object, property, value) }
    }

    /// Sets the first destination of a to-one relationship.
    public static func start<Destination: PersistentModel>(
        _ backing: inout ModelObject?, _ template: ModelTemplate, _ property: Property, _ value: Destination?
    ) {
        guard let value else { return }
        begun(&backing, template)?.destinations?[property.name] = [value]
    }

    /// Sets the first members of a to-many relationship.
    public static func start<Member: PersistentModel>(
        _ backing: inout ModelObject?, _ template: ModelTemplate, _ property: Property, _ value: [Member]?
    ) {
        guard let value, !value.isEmpty else { return }
        begun(&backing, template)?.destinations?[property.name] = value
    }

    /// A type of which no store has a form yet.
    @available(*, unavailable, message: "let the type conform to Codable, or declare the property @Transient")
    @_disfavoredOverload
    public static func start<Value>(
        _ backing: inout ModelObject?, _ template: ModelTemplate, _ property: Property, _ value: Value
    ) {}

    // MARK: Attributes

    /// Reads an attribute; one whose row has no value reads as zero, or as an empty value.
    @inlinable
    public static func read<Value: ManagedValue>(_ object: ModelObject, _ property: Property) -> Value {
        ManagedAccess.read(object, property) ?? empty(object, property)
    }

    /// Returns what a mandatory attribute reads as if its row has no value, as rows of other programs and rows
    /// that are gone may have none.
    @usableFromInline
    static func empty<Value: ManagedValue>(_ object: ModelObject, _ property: Property) -> Value {
        guard let type = StoredType(of: Value.self) else { return Value.valueForNull(property) }
        return Value.unboxed(type.placeholder(.empty, for: Value.self)) ?? Value.valueForNull(property)
    }

    /// Reads an optional attribute.
    @inlinable
    public static func read<Value: ManagedValue>(_ object: ModelObject, _ property: Property) -> Value? {
        ManagedAccess.read(object, property)
    }

    /// Writes an attribute.
    @inlinable
    public static func write<Value: ManagedValue>(
        _ object: ModelObject, _ property: Property, _ value: Value
    ) {
        if !object.isHeld { object.hold() }
        ManagedAccess.write(object, property, value)
    }

    /// Writes an optional attribute.
    @inlinable
    public static func write<Value: ManagedValue>(
        _ object: ModelObject, _ property: Property, _ value: Value?
    ) {
        if !object.isHeld { object.hold() }
        ManagedAccess.write(object, property, value)
    }
}

extension UInt: ManagedValue {}
extension UInt8: ManagedValue {}
extension UInt16: ManagedValue {}
extension UInt32: ManagedValue {}
extension UInt64: ManagedValue {}
extension Int8: ManagedValue {}
