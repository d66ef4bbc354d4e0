import CoreDataPredicates
import CoreDataStore
import CoreDataValues
public import Foundation

/// A Swift type whose values a packed row stores without conversion; only the framework adds conformances.
@_documentation(visibility: internal)
public protocol ManagedValue {
    /// Reads a column that has a value.
    static func load(_ words: UnsafeMutablePointer<UInt64>, _ column: CachedColumn, _ object: NSManagedObject)
        -> Self
    /// Returns the value of a non-optional property that has no value.
    ///
    /// As with bridging on Apple's systems: zero, the empty string or empty data; other types trap.
    static func valueForNull(_ property: ManagedProperty) -> Self
    /// The value in the form of key-value access.
    var boxed: Any { get }
    /// Returns a value of key-value access as this type; nil if it has another type.
    static func unboxed(_ value: Any) -> Self?
    /// Writes a column of the object's own row.
    static func store(
        _ value: Self?, _ words: UnsafeMutablePointer<UInt64>, _ column: CachedColumn,
        _ object: NSManagedObject)
    /// Sets the stored value of a property.
    ///
    /// It is a requirement only so that each type has specialized code.
    static func assign(_ value: Self?, to object: NSManagedObject, _ property: ManagedProperty)
    /// The form in which a row stores the type.
    static var kind: ManagedValueKind { get }
}

/// The form in which a row stores a `ManagedValue`.
@_documentation(visibility: internal)
public enum ManagedValueKind: Sendable {
    /// Whole numbers and truth values, in one word.
    case integer
    /// Floating-point numbers, in one word.
    case double
    /// Seconds since the reference date, in one word.
    case date
    /// Text.
    case string
    /// Bytes.
    case data
    /// The 16 bytes of a UUID.
    case uuid
    /// The text of a URL.
    case url
    /// A decimal number.
    case decimal
}

extension ManagedValue {
    static func fits(_ type: AttributeType) -> Bool {
        switch type {
        case .integer16, .integer32, .integer64, .boolean: kind == .integer
        case .double, .float: kind == .double
        // A date reads as a `TimeInterval` since the reference date if the model asks for scalars.
        case .date: kind == .date || Self.self == Double.self
        case .string: kind == .string
        case .binary: kind == .data
        case .uuid: kind == .uuid
        case .uri: kind == .url
        case .decimal: kind == .decimal
        case .undefined, .transformable, .objectID, .composite: false
        }
    }

    /// Sets the stored value of a property; called by generated code.
    public static func assign(_ value: Self?, to object: NSManagedObject, _ property: ManagedProperty) {
        guard let column = object.column(of: property, holding: Self.self) else {
            return object.baseSetPrimitiveValue(value.map(\.boxed), forKey: property.name)
        }
        store(value, object.ownRow().words, column, object)
    }
}

extension ManagedValue where Self: FixedWidthInteger {
    /// Reads a column that has a value; called by generated code.
    @inlinable
    public static func load(
        _ words: UnsafeMutablePointer<UInt64>, _ column: CachedColumn, _ object: NSManagedObject
    ) -> Self {
        Self(truncatingIfNeeded: words[column.offset])
    }

    /// Returns the value of a non-optional property that has no value; called by generated code.
    @inlinable public static func valueForNull(_ property: ManagedProperty) -> Self { 0 }
    /// Writes a column of the object's own row; called by generated code.
    @inlinable
    public static func store(
        _ value: Self?, _ words: UnsafeMutablePointer<UInt64>, _ column: CachedColumn,
        _ object: NSManagedObject
    ) {
        column.setWord(value.map { UInt64(truncatingIfNeeded: $0) }, in: words)
    }
    /// The value in the form of key-value access.
    public var boxed: Any { NSNumber(value: Int64(truncatingIfNeeded: self)) }
    /// Returns a value of key-value access as this type; nil if it has another type.
    public static func unboxed(_ value: Any) -> Self? {
        (value as? NSNumber).map { Self(truncatingIfNeeded: $0.int64Value) }
    }
    /// The form in which a row stores the type.
    public static var kind: ManagedValueKind { .integer }
}

@_documentation(visibility: internal)
extension Int: ManagedValue {}
@_documentation(visibility: internal)
extension Int16: ManagedValue {}
@_documentation(visibility: internal)
extension Int32: ManagedValue {}
@_documentation(visibility: internal)
extension Int64: ManagedValue {}

@_documentation(visibility: internal)
extension Bool: ManagedValue {
    /// Reads a column that has a value; called by generated code.
    @inlinable
    public static func load(
        _ words: UnsafeMutablePointer<UInt64>, _ column: CachedColumn, _ object: NSManagedObject
    ) -> Bool {
        words[column.offset] != 0
    }

    /// Returns the value of a non-optional property that has no value; called by generated code.
    @inlinable public static func valueForNull(_ property: ManagedProperty) -> Bool { false }
    /// Writes a column of the object's own row; called by generated code.
    @inlinable
    public static func store(
        _ value: Self?, _ words: UnsafeMutablePointer<UInt64>, _ column: CachedColumn,
        _ object: NSManagedObject
    ) {
        column.setWord(value.map { $0 ? 1 : 0 }, in: words)
    }
    /// The value in the form of key-value access.
    public var boxed: Any { NSNumber(value: self) }
    /// Returns a value of key-value access as this type; nil if it has another type.
    public static func unboxed(_ value: Any) -> Bool? { (value as? NSNumber)?.boolValue }
    /// The form in which a row stores the type.
    public static var kind: ManagedValueKind { .integer }
}

@_documentation(visibility: internal)
extension Double: ManagedValue {
    /// Reads a column that has a value; called by generated code.
    @inlinable
    public static func load(
        _ words: UnsafeMutablePointer<UInt64>, _ column: CachedColumn, _ object: NSManagedObject
    ) -> Double {
        Double(bitPattern: words[column.offset])
    }

    /// Returns the value of a non-optional property that has no value; called by generated code.
    @inlinable public static func valueForNull(_ property: ManagedProperty) -> Double { 0 }
    /// Writes a column of the object's own row; called by generated code.
    @inlinable
    public static func store(
        _ value: Self?, _ words: UnsafeMutablePointer<UInt64>, _ column: CachedColumn,
        _ object: NSManagedObject
    ) {
        column.setWord(value?.bitPattern, in: words)
    }
    /// The value in the form of key-value access.
    public var boxed: Any { NSNumber(value: self) }
    /// Returns a value of key-value access as this type; nil if it has another type.
    public static func unboxed(_ value: Any) -> Double? { (value as? NSNumber)?.doubleValue }
    /// The form in which a row stores the type.
    public static var kind: ManagedValueKind { .double }
}

@_documentation(visibility: internal)
extension Float: ManagedValue {
    /// Reads a column that has a value; called by generated code.
    @inlinable
    public static func load(
        _ words: UnsafeMutablePointer<UInt64>, _ column: CachedColumn, _ object: NSManagedObject
    ) -> Float {
        Float(Double(bitPattern: words[column.offset]))
    }

    /// Returns the value of a non-optional property that has no value; called by generated code.
    @inlinable public static func valueForNull(_ property: ManagedProperty) -> Float { 0 }
    /// Writes a column of the object's own row; called by generated code.
    @inlinable
    public static func store(
        _ value: Self?, _ words: UnsafeMutablePointer<UInt64>, _ column: CachedColumn,
        _ object: NSManagedObject
    ) {
        column.setWord(value.map { Double($0).bitPattern }, in: words)
    }
    /// The value in the form of key-value access.
    public var boxed: Any { NSNumber(value: self) }
    /// Returns a value of key-value access as this type; nil if it has another type.
    public static func unboxed(_ value: Any) -> Float? { (value as? NSNumber)?.floatValue }
    /// The form in which a row stores the type.
    public static var kind: ManagedValueKind { .double }
}

@_documentation(visibility: internal)
extension Date: ManagedValue {
    /// Reads a column that has a value; called by generated code.
    @inlinable
    public static func load(
        _ words: UnsafeMutablePointer<UInt64>, _ column: CachedColumn, _ object: NSManagedObject
    ) -> Date {
        Date(
            timeIntervalSinceReferenceDate: Double(
                bitPattern: words[column.offset]))
    }

    /// Returns the value of a non-optional property that has no value; called by generated code.
    public static func valueForNull(_ property: ManagedProperty) -> Date { property.trapForNull(Date.self) }
    /// Writes a column of the object's own row; called by generated code.
    @inlinable
    public static func store(
        _ value: Self?, _ words: UnsafeMutablePointer<UInt64>, _ column: CachedColumn,
        _ object: NSManagedObject
    ) {
        column.setWord(value?.timeIntervalSinceReferenceDate.bitPattern, in: words)
    }
    /// The value in the form of key-value access.
    public var boxed: Any { self }
    /// Returns a value of key-value access as this type; nil if it has another type.
    public static func unboxed(_ value: Any) -> Date? { value as? Date }
    /// The form in which a row stores the type.
    public static var kind: ManagedValueKind { .date }
}

@_documentation(visibility: internal)
extension String: ManagedValue {
    /// Reads a column that has a value; called by generated code.
    public static func load(
        _ words: UnsafeMutablePointer<UInt64>, _ column: CachedColumn, _ object: NSManagedObject
    ) -> String {
        string(words, column)
    }

    /// Returns the text of a column that has a value.
    fileprivate static func string(_ words: UnsafeMutablePointer<UInt64>, _ column: CachedColumn) -> String {
        Snapshot.string(
            column.number, at: column.offset,
            in: words)
    }

    /// Returns the value of a non-optional property that has no value; called by generated code.
    public static func valueForNull(_ property: ManagedProperty) -> String { "" }
    /// Writes a column of the object's own row; called by generated code.
    public static func store(
        _ value: String?, _ words: UnsafeMutablePointer<UInt64>, _ column: CachedColumn,
        _ object: NSManagedObject
    ) {
        Snapshot.setText(value, column.number, at: column.offset, in: words)
    }
    /// The value in the form of key-value access.
    public var boxed: Any { self }
    /// Returns a value of key-value access as this type; nil if it has another type.
    public static func unboxed(_ value: Any) -> String? { value as? String }
    /// The form in which a row stores the type.
    public static var kind: ManagedValueKind { .string }
}

@_documentation(visibility: internal)
extension Data: ManagedValue {
    /// Reads a column that has a value; called by generated code.
    public static func load(
        _ words: UnsafeMutablePointer<UInt64>, _ column: CachedColumn, _ object: NSManagedObject
    ) -> Data {
        object.row!.data(column.number)
    }

    /// Returns the value of a non-optional property that has no value; called by generated code.
    public static func valueForNull(_ property: ManagedProperty) -> Data { Data() }
    /// Writes a column of the object's own row; called by generated code.
    public static func store(
        _ value: Data?, _ words: UnsafeMutablePointer<UInt64>, _ column: CachedColumn,
        _ object: NSManagedObject
    ) {
        let (number, row) = (column.number, object.row!)
        if let value { row.setData(number, value) } else { row.setNull(number) }
    }
    /// The value in the form of key-value access.
    public var boxed: Any { self }
    /// Returns a value of key-value access as this type; nil if it has another type.
    public static func unboxed(_ value: Any) -> Data? { value as? Data }
    /// The form in which a row stores the type.
    public static var kind: ManagedValueKind { .data }
}

@_documentation(visibility: internal)
extension UUID: ManagedValue {
    /// Reads a column that has a value; called by generated code.
    public static func load(
        _ words: UnsafeMutablePointer<UInt64>, _ column: CachedColumn, _ object: NSManagedObject
    ) -> UUID {
        object.row!.uuid(column.number)
    }

    /// Returns the value of a non-optional property that has no value; called by generated code.
    public static func valueForNull(_ property: ManagedProperty) -> UUID { property.trapForNull(UUID.self) }
    /// Writes a column of the object's own row; called by generated code.
    public static func store(
        _ value: UUID?, _ words: UnsafeMutablePointer<UInt64>, _ column: CachedColumn,
        _ object: NSManagedObject
    ) {
        let (number, row) = (column.number, object.row!)
        if let value { row.setUUID(number, value) } else { row.setNull(number) }
    }
    /// The value in the form of key-value access.
    public var boxed: Any { self }
    /// Returns a value of key-value access as this type; nil if it has another type.
    public static func unboxed(_ value: Any) -> UUID? { value as? UUID }
    /// The form in which a row stores the type.
    public static var kind: ManagedValueKind { .uuid }
}

@_documentation(visibility: internal)
extension URL: ManagedValue {
    /// Reads a column that has a value; called by generated code.
    public static func load(
        _ words: UnsafeMutablePointer<UInt64>, _ column: CachedColumn, _ object: NSManagedObject
    ) -> URL {
        let text = String.string(words, column)
        return URL(string: text) ?? URL(fileURLWithPath: text)
    }

    /// Returns the value of a non-optional property that has no value; called by generated code.
    public static func valueForNull(_ property: ManagedProperty) -> URL { property.trapForNull(URL.self) }
    /// Writes a column of the object's own row; called by generated code.
    public static func store(
        _ value: URL?, _ words: UnsafeMutablePointer<UInt64>, _ column: CachedColumn,
        _ object: NSManagedObject
    ) {
        String.store(value?.absoluteString, words, column, object)
    }
    /// The value in the form of key-value access.
    public var boxed: Any { self }
    /// Returns a value of key-value access as this type; nil if it has another type.
    public static func unboxed(_ value: Any) -> URL? { value as? URL }
    /// The form in which a row stores the type.
    public static var kind: ManagedValueKind { .url }
}

@_documentation(visibility: internal)
extension Decimal: ManagedValue {
    /// Reads a column that has a value; called by generated code.
    public static func load(
        _ words: UnsafeMutablePointer<UInt64>, _ column: CachedColumn, _ object: NSManagedObject
    ) -> Decimal {
        object.row!.decimal(column.number)
    }

    /// Returns the value of a non-optional property that has no value; called by generated code.
    public static func valueForNull(_ property: ManagedProperty) -> Decimal { 0 }
    /// Writes a column of the object's own row; called by generated code.
    public static func store(
        _ value: Decimal?, _ words: UnsafeMutablePointer<UInt64>, _ column: CachedColumn,
        _ object: NSManagedObject
    ) {
        let (number, row) = (column.number, object.row!)
        if let value { row.setDecimal(number, value) } else { row.setNull(number) }
    }
    /// The value in the form of key-value access.
    public var boxed: Any { HashedDecimalNumber(decimal: self) }
    /// Returns a value of key-value access as this type; nil if it has another type.
    public static func unboxed(_ value: Any) -> Decimal? { (value as? NSNumber)?.anyDecimalValue }
    /// The form in which a row stores the type.
    public static var kind: ManagedValueKind { .decimal }
}

extension ManagedProperty {
    func trapForNull<Value>(_ type: Value.Type) -> Value {
        programmerError(
            "\"\(name)\" has no value, and the property is declared \(type), not \(type)?: declare it optional or "
                + "give the attribute a default.")
    }
}
