import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation

/// The conversion of a row's values into those of key-value access, and back: numbers are `NSNumber`, other
/// values have their Foundation type.
enum ValueBox {
    /// Returns the value of an attribute's column; nil for null.
    static func load(_ row: Snapshot, column: Int, of runtime: EntityRuntime, slot: PropertySlot) -> Any? {
        if row.isNull(column) { return nil }
        if let value = plain(column, at: row.columnLayout(column), in: row.words) { return value }
        switch row.type(of: column) {
        case .decimal: return HashedDecimalNumber(decimal: row.decimal(column))
        case .uri: return URL(string: row.string(column))
        case .binary, .undefined: return row.data(column)
        case .transformable, .composite: return runtime.box(slot)?.object(row.value(column))
        default: return row.string(column)
        }
    }

    /// Returns the value of a column, read from the words of the row, if it is of one of the most frequent
    /// types; nil for other types and for null.
    ///
    /// Inlined, since every function that returns an `Any?` copies it.
    @inline(__always)
    static func plain(
        _ column: Int, at layout: RowLayout.Column, in words: UnsafeMutablePointer<UInt64>
    ) -> Any? {
        if Snapshot.mask(.null, column, in: words) { return nil }
        var integer: Int64 { Int64(bitPattern: words[layout.offset]) }
        var double: Double { Double(bitPattern: words[layout.offset]) }
        switch layout.type {
        case .integer16: return NumberBox.integer16(integer)
        case .integer32: return NumberBox.integer32(integer)
        case .integer64: return NumberBox.integer64(integer)
        case .boolean: return NumberBox.boolean(integer != 0)
        case .double: return NSNumber(value: double)
        case .float: return NSNumber(value: Float(double))
        case .date: return Date(timeIntervalSinceReferenceDate: double)
        case .string: return Snapshot.string(column, at: layout.offset, in: words)
        case .uuid: return UUID(uuid: UnsafeRawPointer(words + layout.offset).loadUnaligned(as: uuid_t.self))
        default: return nil
        }
    }

    /// Writes a value into a column, nil as null; traps on a value of another type.
    static func store(
        _ value: Any?, in row: Snapshot, column: Int, of runtime: EntityRuntime, slot: PropertySlot
    ) {
        guard let value else { return row.setNull(column) }
        do throws(UnacceptableValue) {
            try write(value, to: row, column: column, of: runtime, slot: slot)
        } catch {
            programmerError(error.message)
        }
    }

    /// Writes a value that may be of another type without a mistake of the program; throws if it is.
    static func write(
        _ value: Any, to row: Snapshot, column: Int, of runtime: EntityRuntime, slot: PropertySlot
    ) throws(UnacceptableValue) {
        // Not a cast, which would look up for each Swift value to what it is bridged.
        if Swift.type(of: value) == NSNull.self { return row.setNull(column) }
        row.setValue(column, try stored(value, as: row.type(of: column), for: slot, of: runtime))
    }

    /// Returns a value in the form that the column of an attribute stores.
    static func stored(
        _ value: Any, as type: AttributeType, for slot: PropertySlot, of runtime: EntityRuntime
    ) throws(UnacceptableValue) -> AttributeValue {
        if let stored = attributeValue(value, as: type) { return stored }
        if let box = runtime.box(slot) { return try box.stored(value) }
        throw UnacceptableValue(value, forProperty: slot.name, of: runtime.name, as: type)
    }

    /// Returns a value in the form that a store keeps; nil if it does not fit the attribute's type.
    static func attributeValue(_ value: Any, as type: AttributeType) -> AttributeValue? {
        if let plain = plainValue(value, as: type) { return plain }
        return switch type {
        case .integer16, .integer32, .integer64: integer(value).map(AttributeValue.integer)
        case .boolean: integer(value).map { .boolean($0 != 0) }
        case .double, .float: double(value).map(AttributeValue.double)
        case .decimal: decimal(value).map(AttributeValue.decimal)
        case .date: (value as? Date).map(AttributeValue.date)
        case .string: (value as? String).map(AttributeValue.string)
        case .uri: (value as? URL).map(AttributeValue.uri)
        case .uuid: (value as? UUID).map(AttributeValue.uuid)
        case .binary: (value as? Data).map(AttributeValue.data)
        case .transformable, .composite, .undefined, .objectID: nil
        }
    }

    /// Returns a stored value without a cast if the value has the attribute's type, as most do, or is a
    /// number object.
    static func plainValue(_ value: Any, as type: AttributeType) -> AttributeValue? {
        if Swift.type(of: value) == NSNumber.self {
            guard let number = value as? NSNumber else { return nil }
            return switch type {
            case .integer16, .integer32, .integer64: .integer(number.int64Value)
            case .boolean: .boolean(number.int64Value != 0)
            case .double, .float: .double(number.doubleValue)
            default: nil
            }
        }
        let plain = AttributeValue(plain: value)
        return switch (type, plain) {
        case (.integer16, .integer?), (.integer32, .integer?), (.integer64, .integer?), (.boolean, .boolean?),
            (.double, .double?), (.date, .date?), (.string, .string?), (.uuid, .uuid?):
            plain
        default: nil
        }
    }

    private static func integer(_ value: Any) -> Int64? {
        switch value {
        case let value as Int: Int64(value)
        case let value as Int64: value
        case let value as Int32: Int64(value)
        case let value as Int16: Int64(value)
        case let value as Bool: value ? 1 : 0
        case let value as NSNumber: value.int64Value
        case let value as any BinaryInteger: Int64(truncatingIfNeeded: value)
        case let value as Double: Int64(exactly: value.rounded(.towardZero))
        default: nil
        }
    }

    private static func double(_ value: Any) -> Double? {
        switch value {
        case let value as Double: value
        case let value as Float: Double(value)
        case let value as Int: Double(value)
        case let value as NSNumber: value.doubleValue
        case let value as any BinaryInteger: Double(value)
        default: nil
        }
    }

    private static func decimal(_ value: Any) -> Decimal? {
        switch value {
        case let value as Decimal: value
        case let value as NSDecimalNumber: value.decimalValue
        case let value as Int: Decimal(value)
        case let value as Double: Decimal(anyOf: value)
        case let value as NSNumber: value.anyDecimalValue
        default: nil
        }
    }
}

/// A value of another type than its attribute's.
struct UnacceptableValue: Error {
    /// Names property, entity and both types.
    let message: String

    init(message: String) {
        self.message = message
    }

    init(_ value: Any, forProperty name: String, of entity: String, as type: AttributeType) {
        message =
            "Unacceptable type of value for attribute: property = \"\(name)\"; desired type = "
            + "\(Self.name(of: type)); given type = \(Swift.type(of: value)); value = \(value); entity = "
            + "\"\(entity)\"."
    }

    private static func name(of type: AttributeType) -> String {
        switch type {
        case .integer16, .integer32, .integer64, .boolean, .double, .float: "NSNumber"
        case .decimal: "NSDecimalNumber"
        case .date: "NSDate"
        case .string: "NSString"
        case .uri: "NSURL"
        case .uuid: "NSUUID"
        case .binary: "NSData"
        case .composite: "NSDictionary"
        case .transformable, .undefined, .objectID: "\(type)"
        }
    }
}
