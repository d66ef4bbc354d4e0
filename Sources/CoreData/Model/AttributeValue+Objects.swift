import CoreDataModelFormat
import CoreDataPredicates
import CoreDataValues
import Foundation

extension AttributeValue {
    /// Makes the value that an attribute of the type stores for an object; nil if the object is not of that
    /// type.
    ///
    /// For a composite, transformable, object ID or undefined type the value is null; the attribute
    /// description keeps the object itself.
    init?(_ object: Any, type: NSAttributeType) {
        let value: AttributeValue? =
            switch type {
            case .integer16AttributeType: Self.wholeNumber(object, in: Int64(Int16.min)...Int64(Int16.max))
            case .integer32AttributeType: Self.wholeNumber(object, in: Int64(Int32.min)...Int64(Int32.max))
            case .integer64AttributeType: Self.wholeNumber(object, in: Int64.min...Int64.max)
            case .booleanAttributeType: (object as? NSNumber).map { .boolean($0.boolValue) }
            case .doubleAttributeType: (object as? NSNumber).map { .double($0.doubleValue) }
            case .floatAttributeType: (object as? NSNumber).map { .double(Double($0.floatValue)) }
            case .decimalAttributeType: Self.decimalNumber(object)
            case .stringAttributeType: (object as? String).map { .string($0) }
            case .dateAttributeType: (object as? Date).map { .date($0) }
            case .binaryDataAttributeType: (object as? Data).map { .data($0) }
            case .UUIDAttributeType: (object as? UUID).map { .uuid($0) }
            case .URIAttributeType: (object as? URL).map { .uri($0) }
            case .compositeAttributeType, .transformableAttributeType, .objectIDAttributeType,
                .undefinedAttributeType:
                .null
            }
        guard let value else { return nil }
        self = value
    }

    private static func wholeNumber(_ object: Any, in range: ClosedRange<Int64>) -> AttributeValue? {
        guard let number = object as? NSNumber, range.contains(number.int64Value) else { return nil }
        return .integer(number.int64Value)
    }

    private static func decimalNumber(_ object: Any) -> AttributeValue? {
        if let decimal = object as? Decimal { return .decimal(decimal) }
        return (object as? NSNumber).map { .decimal($0.anyDecimalValue) }
    }

    /// The object that callers see: numbers as `NSNumber`, which casts to every number type.
    var object: Any? {
        switch self {
        case .null, .reference: nil
        case .boolean(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        case .decimal(let value): HashedDecimalNumber(decimal: value)
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .uuid(let value): value
        case .uri(let value): value
        case .composite(let values): values.compactMapValues(\.object)
        }
    }
}
