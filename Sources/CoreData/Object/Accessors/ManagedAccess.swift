import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// The functions that generated accessors call; not for use by hand.
///
/// The declared type of the property chooses the overload.
@_documentation(visibility: internal)
public enum ManagedAccess {
    // MARK: Attributes

    /// Reads a non-optional attribute; if it has no value, returns zero or an empty value, or traps.
    @inlinable
    public static func read<Value: ManagedValue>(_ object: NSManagedObject, _ property: ManagedProperty)
        -> Value
    {
        // Tested here, since a generic function looks its types up at run time.
        if object.words == nil { object.fire() }
        if let words = object.words, let column = property.column(for: object.layoutID) {
            if !column.isNull(in: words) { return Value.load(words, column, object) }
            reportUnreadable(object, words, column)
            return Value.valueForNull(property)
        }
        return readSlowly(object, property) ?? Value.valueForNull(property)
    }

    /// Reads an optional attribute.
    @inlinable
    public static func read<Value: ManagedValue>(_ object: NSManagedObject, _ property: ManagedProperty)
        -> Value?
    {
        if object.words == nil { object.fire() }
        if let words = object.words, let column = property.column(for: object.layoutID) {
            if !column.isNull(in: words) { return Value.load(words, column, object) }
            reportUnreadable(object, words, column)
            return nil
        }
        return readSlowly(object, property)
    }

    /// Logs why a null column that owns a value reads as nil (`Snapshot`).
    @inlinable
    static func reportUnreadable(
        _ object: NSManagedObject, _ words: UnsafeMutablePointer<UInt64>, _ column: CachedColumn
    ) {
        if column.isNative(in: words) { object.reportUnreadableValue(column.number) }
    }

    /// Writes a non-optional attribute.
    @inlinable
    public static func write<Value: ManagedValue>(
        _ object: NSManagedObject, _ property: ManagedProperty, _ value: Value
    ) {
        write(object, property, Optional(value))
    }

    /// Writes an optional attribute.
    @inlinable
    public static func write<Value: ManagedValue>(
        _ object: NSManagedObject, _ property: ManagedProperty, _ value: Value?
    ) {
        // Most writes follow another write to the same object.
        if object.flags.ownRow, let words = object.words, let column = property.column(for: object.layoutID) {
            Value.store(value, words, column, object)
            if object.flags.areNoted { return }
        } else {
            Value.assign(value, to: object, property)
        }
        object.noteChange(of: property)
    }

    /// Reads the primitive value of a non-optional attribute.
    public static func readPrimitive<Value: ManagedValue>(
        _ object: NSManagedObject, _ property: ManagedProperty
    ) -> Value {
        read(object, property)
    }

    /// Reads the primitive value of an optional attribute.
    public static func readPrimitive<Value: ManagedValue>(
        _ object: NSManagedObject, _ property: ManagedProperty
    ) -> Value? {
        read(object, property)
    }

    /// Writes the primitive value of a non-optional attribute.
    @inlinable
    public static func writePrimitive<Value: ManagedValue>(
        _ object: NSManagedObject, _ property: ManagedProperty, _ value: Value
    ) {
        Value.assign(value, to: object, property)
    }

    /// Writes the primitive value of an optional attribute.
    @inlinable
    public static func writePrimitive<Value: ManagedValue>(
        _ object: NSManagedObject, _ property: ManagedProperty, _ value: Value?
    ) {
        Value.assign(value, to: object, property)
    }

    /// Returns whether the rows of an object store values of a type without conversion.
    package static func holds<Value: ManagedValue>(
        _ type: Value.Type, _ object: NSManagedObject, _ property: ManagedProperty
    ) -> Bool {
        property.column(for: object.layoutID) != nil || object.column(of: property, holding: type) != nil
    }

    /// Calls a block with the bytes of a composite attribute's value, equal for equal values; returns nil
    /// without calling it for no value, and for another attribute. The read is not noted.
    package static func withBytes<Result>(
        ofComposite property: ManagedProperty, of object: NSManagedObject,
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result? {
        object.fireIfNeeded()
        guard let row = object.row, let index = object.runtime.slotIndex(named: property.name),
            let column = object.runtime.column(ofSlot: index), row.type(of: column) == .composite,
            !row.isNull(column)
        else { return nil }
        return try row.withBytes(column, body)
    }

    // MARK: Raw-representable wrappers

    /// Reads a raw-representable attribute; traps if the stored value is no case.
    public static func read<Value: RawRepresentable>(
        _ object: NSManagedObject, _ property: ManagedProperty
    ) -> Value where Value.RawValue: ManagedValue {
        let raw: Value.RawValue = read(object, property)
        guard let value = Value(rawValue: raw) else {
            programmerError("\(property.name) holds \(raw), which is no \(Value.self)")
        }
        return value
    }

    /// Reads an optional raw-representable attribute; nil if the stored value is no case.
    public static func read<Value: RawRepresentable>(
        _ object: NSManagedObject, _ property: ManagedProperty
    ) -> Value? where Value.RawValue: ManagedValue {
        let raw: Value.RawValue? = read(object, property)
        return raw.flatMap(Value.init(rawValue:))
    }

    /// Writes a raw-representable value.
    public static func write<Value: RawRepresentable>(
        _ object: NSManagedObject, _ property: ManagedProperty, _ value: Value
    ) where Value.RawValue: ManagedValue {
        write(object, property, value.rawValue)
    }

    /// Writes an optional raw-representable value.
    public static func write<Value: RawRepresentable>(
        _ object: NSManagedObject, _ property: ManagedProperty, _ value: Value?
    ) where Value.RawValue: ManagedValue {
        write(object, property, value?.rawValue)
    }

    // MARK: Other types: transformable attributes, NSNumber, and types of key-value access

    /// Reads a property of any other type through key-value access.
    @_disfavoredOverload
    public static func read<Value>(_ object: NSManagedObject, _ property: ManagedProperty) -> Value {
        cast(object.baseValue(forKey: property.name), property)
    }

    /// Reads a property of type `NSObject?`, which would be ambiguous otherwise.
    public static func read(_ object: NSManagedObject, _ property: ManagedProperty) -> NSObject? {
        cast(object.baseValue(forKey: property.name), property)
    }

    /// Reads a property of type `NSObject`, which would be ambiguous otherwise.
    public static func read(_ object: NSManagedObject, _ property: ManagedProperty) -> NSObject {
        cast(object.baseValue(forKey: property.name), property)
    }

    /// Reads a property of type `Any?`, which would be ambiguous otherwise.
    public static func read(_ object: NSManagedObject, _ property: ManagedProperty) -> Any? {
        object.baseValue(forKey: property.name)
    }

    /// Reads a property of type `AnyObject?`, which would be ambiguous otherwise.
    public static func read(_ object: NSManagedObject, _ property: ManagedProperty) -> AnyObject? {
        cast(object.baseValue(forKey: property.name), property)
    }

    /// Writes an `NSDecimalNumber`, with which Xcode declares decimals, as a number.
    public static func write(
        _ object: NSManagedObject, _ property: ManagedProperty, _ value: NSDecimalNumber?
    ) {
        write(object, property, value?.decimalValue)
    }

    /// Writes a property of any other type.
    @_disfavoredOverload
    public static func write<Value>(_ object: NSManagedObject, _ property: ManagedProperty, _ value: Value) {
        object.baseSetValue(value, forKey: property.name)
    }

    /// Reads the primitive value of a property of any other type.
    @_disfavoredOverload
    public static func readPrimitive<Value>(_ object: NSManagedObject, _ property: ManagedProperty) -> Value {
        cast(object.basePrimitiveValue(forKey: property.name), property)
    }

    /// Writes the primitive value of a property of any other type.
    @_disfavoredOverload
    public static func writePrimitive<Value>(
        _ object: NSManagedObject, _ property: ManagedProperty, _ value: Value
    ) {
        object.baseSetPrimitiveValue(value, forKey: property.name)
    }

    static func cast<Value>(_ value: Any?, _ property: ManagedProperty) -> Value {
        if let value = value as? Value { return value }
        // A type may be an optional itself, for which nil is a value.
        if value == nil, let none = Optional<Any>.none as? Value { return none }
        programmerError(
            "the value of \"\(property.name)\" is \(value.map { "\($0) (\(type(of: $0)))" } ?? "nil"), not the "
                + "declared \(Value.self): make the property optional or declare the type the model says.")
    }

    @usableFromInline
    static func readSlowly<Value: ManagedValue>(_ object: NSManagedObject, _ property: ManagedProperty)
        -> Value?
    {
        object.fireIfNeeded()
        object.noteRead(property.name)
        if let column = object.column(of: property, holding: Value.self), let words = object.words {
            if !column.isNull(in: words) { return Value.load(words, column, object) }
            reportUnreadable(object, words, column)
            return nil
        }
        guard let value = object.baseValue(forKey: property.name) else { return nil }
        guard let typed = Value.unboxed(value) else { return cast(value, property) as Value }
        return typed
    }
}

extension NSManagedObject {
    /// Returns the column of a property, remembered in its token.
    ///
    /// Nil unless the row stores values of the type without conversion. For an `Int` in a column of doubles,
    /// which has to be converted each time, the column is not remembered.
    final func column<Value: ManagedValue>(
        of property: ManagedProperty, holding type: Value.Type
    ) -> CachedColumn? {
        let layoutID = layoutID == Self.trackedLayoutID ? runtime.layout.id : layoutID
        if let column = property.column(for: layoutID) { return column }
        guard let slot = runtime.slot(named: property.name) else {
            programmerError(unknownKeyMessage(property.name))
        }
        guard let number = slot.column, Value.fits(runtime.layout.columns[number].type) else { return nil }
        let offset = runtime.layout.columns[number].offset
        let column = CachedColumn(layoutID: layoutID, number: number, offset: offset)
        if let column { property.remember(column) }
        return column
    }

    /// Returns the slot of a property that is read.
    final func readSlot(of property: ManagedProperty) -> PropertySlot {
        noteRead(property.name)
        return slot(of: property)
    }

    final func slot(of property: ManagedProperty) -> PropertySlot {
        guard let slot = runtime.slot(named: property.name) else {
            programmerError(unknownKeyMessage(property.name))
        }
        return slot
    }
}
