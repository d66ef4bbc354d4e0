import CoreData

/// The form in which a store keeps the values of a Swift type.
struct StoredType {
    let attributeType: NSAttributeType

    /// Nil if a store has no form for the type, or for what it is optional of.
    init?(of type: Any.Type) {
        guard let known = Self.types[ObjectIdentifier(ValueType(type).wrapped)] else { return nil }
        attributeType = known
    }

    private static let types: [ObjectIdentifier: NSAttributeType] = {
        let types: [(Any.Type, NSAttributeType)] = [
            (Int8.self, .integer16AttributeType), (UInt8.self, .integer16AttributeType),
            (Int16.self, .integer16AttributeType), (UInt16.self, .integer16AttributeType),
            (Int32.self, .integer32AttributeType), (UInt32.self, .integer32AttributeType),
            (Int64.self, .integer64AttributeType), (UInt64.self, .integer64AttributeType),
            (Int.self, .integer64AttributeType), (UInt.self, .integer64AttributeType),
            (Bool.self, .booleanAttributeType), (String.self, .stringAttributeType),
            (Double.self, .doubleAttributeType), (Float.self, .floatAttributeType),
            (Decimal.self, .decimalAttributeType), (Date.self, .dateAttributeType),
            (Data.self, .binaryDataAttributeType), (UUID.self, .UUIDAttributeType),
            (URL.self, .URIAttributeType),
        ]
        return Dictionary(uniqueKeysWithValues: types.map { (ObjectIdentifier($0), $1) })
    }()

    /// Returns a value as the model of a store keeps it; nil for an optional without one.
    func boxed(_ value: Any) -> Any? {
        switch value {
        case let optional as any OptionalType: optional.content.flatMap(boxed)
        case let flag as Bool: NSNumber(value: flag)
        case let number as any FixedWidthInteger: NSNumber(value: Int64(truncatingIfNeeded: number))
        case let number as Double: NSNumber(value: number)
        case let number as Float: NSNumber(value: number)
        case let number as Decimal: NSDecimalNumber(decimal: number)
        default: value
        }
    }
}
