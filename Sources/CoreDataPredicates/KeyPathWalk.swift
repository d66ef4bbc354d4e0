package import CoreDataValues
import Foundation

/// Follows key paths through objects and collections, with the collection operators.
package enum KeyPathWalk {
    package static func value(of value: ExpressionValue, _ keys: ArraySlice<String>) -> ExpressionValue {
        guard let key = keys.first else { return value }
        let rest = keys.dropFirst()
        if key.hasPrefix("@") { return aggregate(key, over: value, rest) }
        switch value {
        case .value(.null): return .null
        case .object(let object):
            if key.uppercased() == "SELF" { return self.value(of: value, rest) }
            return self.value(of: object.expressionValue(forKey: key), rest)
        case .collection(let elements, let isOrdered):
            return .collection(elements.flatMap { flattened(self.value(of: $0, keys)) }, isOrdered: isOrdered)
        case .value(.composite(let values)): return self.value(of: .value(values[key] ?? .null), rest)
        case .value(.string(let text)) where key == "length": return .value(.integer(Int64(text.utf16.count)))
        case .value, .opaque:
            if key.uppercased() == "SELF" { return self.value(of: value, rest) }
            return .null
        }
    }

    private static func flattened(_ value: ExpressionValue) -> [ExpressionValue] {
        if case .collection(let elements, _) = value { elements } else { [value] }
    }

    private static func aggregate(
        _ name: String, over value: ExpressionValue, _ keys: ArraySlice<String>
    ) -> ExpressionValue {
        let members = value.elements
        if name == "@count" { return .value(.integer(Int64(members.count))) }
        let values = keys.isEmpty ? members : members.flatMap { flattened(self.value(of: $0, keys)) }
        switch name {
        case "@sum": return Functions.sum(values)
        case "@avg": return Functions.average(values)
        case "@min": return Functions.extreme(values, -1)
        case "@max": return Functions.extreme(values, 1)
        case "@unionOfObjects": return .collection(values.filter { $0 != .null }, isOrdered: true)
        case "@distinctUnionOfObjects", "@distinctUnionOfSets", "@distinctUnionOfArrays":
            return .collection(Array(Set(values.filter { $0 != .null })), isOrdered: false)
        case "@unionOfArrays", "@unionOfSets":
            return .collection(values.flatMap(flattened), isOrdered: true)
        default: return .null
        }
    }
}

extension ExpressionValue {
    /// The members of a collection; a single value is one, null none.
    package var elements: [ExpressionValue] {
        switch self {
        case .collection(let elements, _): elements
        case .value(.null): []
        default: [self]
        }
    }

    /// A value as callers know it: numbers as `NSNumber`.
    package var unboxed: Any? {
        switch self {
        case .value(let value): value.foundationObject
        case .collection(let elements, let isOrdered):
            isOrdered
                ? NSArray(array: elements.map { $0.unboxed ?? NSNull() })
                : NSSet(array: elements.map { $0.unboxed ?? NSNull() })
        case .object(let object): object
        case .opaque(let value): value.base
        }
    }

    /// Any value a caller may pass.
    package init(boxing value: Any?) {
        switch value {
        case nil, is NSNull: self = .null
        case let value as any KeyedValues: self = .object(value)
        case let value as String: self = .value(.string(value))
        case let value as Bool where !(value as Any is NSNumber) || type(of: value as Any) == Bool.self:
            self = .value(.boolean(value))
        case let value as Decimal: self = .value(.decimal(value))
        case let value as NSDecimalNumber: self = .value(.decimal(value.decimalValue))
        case let value as Int: self = .value(.integer(Int64(value)))
        case let value as any BinaryInteger: self = .value(.integer(Int64(truncatingIfNeeded: value)))
        case let value as Double where type(of: value as Any) == Double.self: self = .value(.double(value))
        case let value as NSNumber: self = ExpressionValue(number: value)
        case let value as Float: self = .value(.double(Double(value)))
        case let value as Date: self = .value(.date(value))
        case let value as Data: self = .value(.data(value))
        case let value as UUID: self = .value(.uuid(value))
        case let value as URL: self = .value(.uri(value))
        case let value as AttributeValue: self = .value(value)
        case let value as [Any]: self = .collection(value.map(ExpressionValue.init(boxing:)), isOrdered: true)
        case let value as NSArray:
            self = .collection(value.map(ExpressionValue.init(boxing:)), isOrdered: true)
        case let value as NSOrderedSet:
            self = .collection(value.array.map(ExpressionValue.init(boxing:)), isOrdered: true)
        case let value as NSSet:
            self = .collection(value.allObjects.map(ExpressionValue.init(boxing:)), isOrdered: false)
        case let value as Set<AnyHashable>:
            self = .collection(value.map { ExpressionValue(boxing: $0.base) }, isOrdered: false)
        case let value as [String: Any]: self = .object(DictionaryValues(value))
        case let value as AnyHashable: self = .opaque(value)
        case let value?: self = .opaque(AnyHashable(ObjectIdentifier(value as AnyObject)))
        }
    }

    private init(number: NSNumber) {
        switch String(cString: number.objCType) {
        case "d", "f": self = .value(.double(number.doubleValue))
        default: self = .value(.integer(number.int64Value))
        }
    }
}

/// A dictionary as something with keys.
package struct DictionaryValues: KeyedValues {
    private let values: [String: Any]

    package init(_ values: [String: Any]) {
        self.values = values
    }

    package var identity: AnyHashable { NSDictionary(dictionary: values) }
    package var rowReference: ObjectReference? { nil }

    package func expressionValue(forKey key: String) -> ExpressionValue {
        ExpressionValue(boxing: values[key])
    }
}

extension AttributeValue {
    /// The value as callers know it: numbers as `NSNumber`; nil for null.
    package var foundationObject: Any? {
        switch self {
        case .null: nil
        case .boolean(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        case .decimal(let value): NSDecimalNumber(decimal: value)
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .uuid(let value): value
        case .uri(let value): value
        case .reference(let value): value
        case .composite(let values): values.compactMapValues(\.foundationObject)
        }
    }
}
