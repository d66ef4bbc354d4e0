import CoreData

/// The form in which a store keeps the values of a Swift type in one column.
///
/// An enumeration without associated values is kept as its raw values, or else as the names of its cases.
struct StoredType: Sendable {
    let attributeType: NSAttributeType

    /// Nil if a store has no form for the type, or for what it is optional of.
    init?(of type: Any.Type) {
        let type = ValueType(type).wrapped
        if let known = Self.types[ObjectIdentifier(type)] {
            attributeType = known
        } else if let raw = (type as? any (RawRepresentable & Codable).Type)?.rawType {
            guard let known = Self.types[ObjectIdentifier(raw)] else { return nil }
            attributeType = known
        } else if let coded = type as? any Codable.Type, EnumCases.areCases(of: coded) {
            attributeType = .stringAttributeType
        } else {
            return nil
        }
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
        case let coded as any (RawRepresentable & Codable): boxed(coded.rawValue)
        case let flag as Bool: NSNumber(value: flag)
        case let number as any FixedWidthInteger: NSNumber(value: Int64(truncatingIfNeeded: number))
        case let number as Double: NSNumber(value: number)
        case let number as Float: NSNumber(value: number)
        case let number as Decimal: NSDecimalNumber(decimal: number)
        default: EnumCases.name(ofAny: value) ?? value
        }
    }

    /// Returns the value of a type that an attribute holds; nil if it holds no value of the type.
    func unboxed<Value>(_ object: Any, as type: Value.Type) -> Value? {
        if let plain = type as? any ManagedValue.Type { return plain.unboxed(object) as? Value }
        if let coded = type as? any (RawRepresentable & Codable).Type {
            return coded.value(of: object) as? Value
        }
        guard let name = object as? String else { return nil }
        return EnumCases.all(of: type)?.first { EnumCases.name(of: $0) == name }
    }

    /// Returns a value that attributes hold.
    ///
    /// A getter that changes what it reads, say cuts spaces or negative numbers off, changes one of the first
    /// two.
    func placeholder(_ kind: Placeholder, for type: Any.Type) -> Any {
        let isSigned = (type as? any FixedWidthInteger.Type)?.isSigned ?? true
        func choice<Value>(_ first: Value, _ second: Value, _ empty: Value) -> Value {
            switch kind {
            case .first: first
            case .second: second
            case .empty: empty
            }
        }
        func id(_ number: UInt8) -> UUID { UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
        return switch attributeType {
        case .stringAttributeType: choice(" Ab ", "", "")
        case .booleanAttributeType: NSNumber(value: kind == .second)
        case .dateAttributeType: Date(timeIntervalSinceReferenceDate: choice(-1e9, 1.25, 0))
        case .binaryDataAttributeType: choice(Data([0, 1]), Data(), Data())
        case .UUIDAttributeType: id(choice(2, 1, 0))
        case .URIAttributeType: URL(string: choice("http://a/B?c#d", "a:b", "about:blank"))!
        case .decimalAttributeType: NSDecimalNumber(decimal: choice(-2, 1.25, 0))
        case .doubleAttributeType, .floatAttributeType: NSNumber(value: choice(-2.0, 1.25, 0))
        default: NSNumber(value: choice(isSigned ? -1 : 1, 2, 0))
        }
    }
}

extension RawRepresentable {
    fileprivate static var rawType: Any.Type { RawValue.self }

    /// Returns the value whose raw value an attribute holds; nil for none.
    fileprivate static func value(of object: Any) -> Self? {
        guard let raw = RawValue.self as? any ManagedValue.Type else { return nil }
        return (raw.unboxed(object) as? RawValue).flatMap(Self.init(rawValue:))
    }
}
