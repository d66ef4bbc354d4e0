import CoreDataPredicates
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
    /// Writes a column of the object's own row.
    static func store(
        _ value: Self?, _ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64, _ object: NSManagedObject)
    /// Sets the stored value of a property. A requirement only so that each type has compiled code of its own.
    static func assign(_ value: Self?, to object: NSManagedObject, _ property: ManagedProperty)
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

    public static func assign(_ value: Self?, to object: NSManagedObject, _ property: ManagedProperty) {
        guard let entry = object.entry(of: property, holding: Self.self) else {
            return object.setPrimitive(value.map(\.boxed), forKey: property.name)
        }
        store(value, object.ownRow().words, entry, object)
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
    @inlinable
    public static func store(
        _ value: Self?, _ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64, _ object: NSManagedObject
    ) {
        ManagedAccess.setWord(value.map { UInt64(truncatingIfNeeded: $0) }, words, entry)
    }
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
    @inlinable
    public static func store(
        _ value: Self?, _ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64, _ object: NSManagedObject
    ) {
        ManagedAccess.setWord(value.map { $0 ? 1 : 0 }, words, entry)
    }
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
    @inlinable
    public static func store(
        _ value: Self?, _ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64, _ object: NSManagedObject
    ) {
        ManagedAccess.setWord(value?.bitPattern, words, entry)
    }
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
    @inlinable
    public static func store(
        _ value: Self?, _ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64, _ object: NSManagedObject
    ) {
        ManagedAccess.setWord(value.map { Double($0).bitPattern }, words, entry)
    }
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
    @inlinable
    public static func store(
        _ value: Self?, _ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64, _ object: NSManagedObject
    ) {
        ManagedAccess.setWord(value?.timeIntervalSinceReferenceDate.bitPattern, words, entry)
    }
    public var boxed: Any { self }
    public static func unboxed(_ value: Any) -> Date? { value as? Date }
    public static var kind: ManagedValueKind { .date }
}

extension String: ManagedValue {
    public static func load(
        _ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64, _ object: NSManagedObject
    ) -> String {
        string(words, entry)
    }

    /// The text of a column that holds one.
    fileprivate static func string(_ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64) -> String {
        Snapshot.string(
            Int(truncatingIfNeeded: entry >> 16 & 0xFFFF), at: Int(truncatingIfNeeded: entry & 0xFFFF),
            in: words)
    }

    public static func valueForNull(_ property: ManagedProperty) -> String { "" }
    public static func store(
        _ value: String?, _ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64, _ object: NSManagedObject
    ) {
        let (column, offset) = ManagedAccess.place(entry)
        Snapshot.setText(value, column, at: offset, in: words)
    }
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
    public static func store(
        _ value: Data?, _ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64, _ object: NSManagedObject
    ) {
        let (column, row) = (ManagedAccess.place(entry).column, object.row!)
        if let value { row.setData(column, value) } else { row.setNull(column) }
    }
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
    public static func store(
        _ value: UUID?, _ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64, _ object: NSManagedObject
    ) {
        let (column, row) = (ManagedAccess.place(entry).column, object.row!)
        if let value { row.setUUID(column, value) } else { row.setNull(column) }
    }
    public var boxed: Any { self }
    public static func unboxed(_ value: Any) -> UUID? { value as? UUID }
    public static var kind: ManagedValueKind { .uuid }
}

extension URL: ManagedValue {
    public static func load(
        _ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64, _ object: NSManagedObject
    ) -> URL {
        let text = String.string(words, entry)
        return URL(string: text) ?? URL(fileURLWithPath: text)
    }

    public static func valueForNull(_ property: ManagedProperty) -> URL { property.trapForNull(URL.self) }
    public static func store(
        _ value: URL?, _ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64, _ object: NSManagedObject
    ) {
        String.store(value?.absoluteString, words, entry, object)
    }
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
    public static func store(
        _ value: Decimal?, _ words: UnsafeMutablePointer<UInt64>, _ entry: UInt64, _ object: NSManagedObject
    ) {
        let (column, row) = (ManagedAccess.place(entry).column, object.row!)
        if let value { row.setDecimal(column, value) } else { row.setNull(column) }
    }
    public var boxed: Any { HashedDecimalNumber(decimal: self) }
    public static func unboxed(_ value: Any) -> Decimal? { (value as? NSNumber)?.anyDecimalValue }
    public static var kind: ManagedValueKind { .decimal }
}

extension ManagedProperty {
    func trapForNull<Value>(_ type: Value.Type) -> Value {
        programmerError(
            "\"\(name)\" has no value, and the property is declared \(type), not \(type)?: declare it optional or "
                + "give the attribute a default.")
    }
}
