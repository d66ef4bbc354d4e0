import CoreDataStore
import CoreDataValues
public import Foundation

/// A Swift type that a packed row holds natively. The list is closed: only the framework conforms types to it.
public protocol ManagedValue {
    /// Reads a column that is not null.
    static func load(_ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64, _ object: NSManagedObject)
        -> Self
    /// What a non-optional property yields when there is no value, as bridging does on Apple's systems: zero, the
    /// empty string, empty data; other types trap.
    static func valueForNull(_ property: ManagedProperty) -> Self
    /// The value as key-value access knows it.
    var boxed: Any { get }
    static func unboxed(_ value: Any) -> Self?
    /// Which column storage holds the type as it is.
    static var kind: ManagedValueKind { get }
}

/// How a `ManagedValue` lies in a row.
public enum ManagedValueKind: Sendable {
    case integer
    case double
    case date
    case string
    case data
    case uuid
    case url
    case decimal
}

extension ManagedValue {
    static func fits(_ type: AttributeType) -> Bool {
        switch type {
        case .integer16, .integer32, .integer64, .boolean: kind == .integer
        case .double, .float: kind == .double
        // As a `TimeInterval` since the reference date, when the model asks for scalars.
        case .date: kind == .date || Self.self == Double.self
        case .string: kind == .string
        case .binary: kind == .data
        case .uuid: kind == .uuid
        case .uri: kind == .url
        case .decimal: kind == .decimal
        case .undefined, .transformable, .objectID, .composite: false
        }
    }

    func store(in row: Snapshot, _ column: Int) {
        switch self {
        case let value as Int64: row.setInteger(column, value)
        case let value as String: row.setString(column, value)
        case let value as Double: row.setDouble(column, value)
        case let value as Bool: row.setInteger(column, value ? 1 : 0)
        case let value as Date: row.setDouble(column, value.timeIntervalSinceReferenceDate)
        case let value as Data: row.setData(column, value)
        case let value as UUID: row.setUUID(column, value)
        case let value as URL: row.setString(column, value.absoluteString)
        case let value as Decimal: row.setDecimal(column, value)
        case let value as Float: row.setDouble(column, Double(value))
        case let value as any FixedWidthInteger: row.setInteger(column, Int64(truncatingIfNeeded: value))
        default: programmerError("\(Self.self) cannot be stored in a row")
        }
    }
}

extension ManagedValue where Self: FixedWidthInteger {
    @inlinable
    public static func load(
        _ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64, _ object: NSManagedObject
    ) -> Self {
        Self(truncatingIfNeeded: words[Int(truncatingIfNeeded: entry & 0xFFFF)])
    }

    @inlinable public static func valueForNull(_ property: ManagedProperty) -> Self { 0 }
    public var boxed: Any { NSNumber(value: Int64(truncatingIfNeeded: self)) }
    public static func unboxed(_ value: Any) -> Self? {
        (value as? NSNumber).map { Self(truncatingIfNeeded: $0.int64Value) }
    }
    public static var kind: ManagedValueKind { .integer }
}

extension Int: ManagedValue {}
extension Int16: ManagedValue {}
extension Int32: ManagedValue {}
extension Int64: ManagedValue {}

extension Bool: ManagedValue {
    @inlinable
    public static func load(
        _ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64, _ object: NSManagedObject
    ) -> Bool {
        words[Int(truncatingIfNeeded: entry & 0xFFFF)] != 0
    }

    @inlinable public static func valueForNull(_ property: ManagedProperty) -> Bool { false }
    public var boxed: Any { NSNumber(value: self) }
    public static func unboxed(_ value: Any) -> Bool? { (value as? NSNumber)?.boolValue }
    public static var kind: ManagedValueKind { .integer }
}

extension Double: ManagedValue {
    @inlinable
    public static func load(
        _ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64, _ object: NSManagedObject
    ) -> Double {
        Double(bitPattern: words[Int(truncatingIfNeeded: entry & 0xFFFF)])
    }

    @inlinable public static func valueForNull(_ property: ManagedProperty) -> Double { 0 }
    public var boxed: Any { NSNumber(value: self) }
    public static func unboxed(_ value: Any) -> Double? { (value as? NSNumber)?.doubleValue }
    public static var kind: ManagedValueKind { .double }
}

extension Float: ManagedValue {
    @inlinable
    public static func load(
        _ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64, _ object: NSManagedObject
    ) -> Float {
        Float(Double(bitPattern: words[Int(truncatingIfNeeded: entry & 0xFFFF)]))
    }

    @inlinable public static func valueForNull(_ property: ManagedProperty) -> Float { 0 }
    public var boxed: Any { NSNumber(value: self) }
    public static func unboxed(_ value: Any) -> Float? { (value as? NSNumber)?.floatValue }
    public static var kind: ManagedValueKind { .double }
}

extension Date: ManagedValue {
    @inlinable
    public static func load(
        _ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64, _ object: NSManagedObject
    ) -> Date {
        Date(
            timeIntervalSinceReferenceDate: Double(
                bitPattern: words[Int(truncatingIfNeeded: entry & 0xFFFF)]))
    }

    public static func valueForNull(_ property: ManagedProperty) -> Date { property.trapForNull(Date.self) }
    public var boxed: Any { self }
    public static func unboxed(_ value: Any) -> Date? { value as? Date }
    public static var kind: ManagedValueKind { .date }
}

extension String: ManagedValue {
    public static func load(
        _ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64, _ object: NSManagedObject
    ) -> String {
        object.row!.string(Int(truncatingIfNeeded: entry >> 16 & 0xFFFF))
    }

    public static func valueForNull(_ property: ManagedProperty) -> String { "" }
    public var boxed: Any { self }
    public static func unboxed(_ value: Any) -> String? { value as? String }
    public static var kind: ManagedValueKind { .string }
}

extension Data: ManagedValue {
    public static func load(
        _ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64, _ object: NSManagedObject
    ) -> Data {
        object.row!.data(Int(truncatingIfNeeded: entry >> 16 & 0xFFFF))
    }

    public static func valueForNull(_ property: ManagedProperty) -> Data { Data() }
    public var boxed: Any { self }
    public static func unboxed(_ value: Any) -> Data? { value as? Data }
    public static var kind: ManagedValueKind { .data }
}

extension UUID: ManagedValue {
    public static func load(
        _ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64, _ object: NSManagedObject
    ) -> UUID {
        object.row!.uuid(Int(truncatingIfNeeded: entry >> 16 & 0xFFFF))
    }

    public static func valueForNull(_ property: ManagedProperty) -> UUID { property.trapForNull(UUID.self) }
    public var boxed: Any { self }
    public static func unboxed(_ value: Any) -> UUID? { value as? UUID }
    public static var kind: ManagedValueKind { .uuid }
}

extension URL: ManagedValue {
    public static func load(
        _ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64, _ object: NSManagedObject
    ) -> URL {
        let text = object.row!.string(Int(truncatingIfNeeded: entry >> 16 & 0xFFFF))
        return URL(string: text) ?? URL(fileURLWithPath: text)
    }

    public static func valueForNull(_ property: ManagedProperty) -> URL { property.trapForNull(URL.self) }
    public var boxed: Any { self }
    public static func unboxed(_ value: Any) -> URL? { value as? URL }
    public static var kind: ManagedValueKind { .url }
}

extension Decimal: ManagedValue {
    public static func load(
        _ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64, _ object: NSManagedObject
    ) -> Decimal {
        object.row!.decimal(Int(truncatingIfNeeded: entry >> 16 & 0xFFFF))
    }

    public static func valueForNull(_ property: ManagedProperty) -> Decimal { 0 }
    public var boxed: Any { NSDecimalNumber(decimal: self) }
    public static func unboxed(_ value: Any) -> Decimal? { (value as? NSNumber)?.decimalValue }
    public static var kind: ManagedValueKind { .decimal }
}

extension ManagedProperty {
    func trapForNull<Value>(_ type: Value.Type) -> Value {
        programmerError(
            "\"\(name)\" has no value, and the property is declared \(type), not \(type)?: declare it optional or "
                + "give the attribute a default.")
    }
}
