import CoreDataPredicates
import CoreDataValues
import Foundation

/// Makes of a value what an attribute of the destination takes, by the rules of a migration in place: all numbers become
/// numbers of the other types if they fit, with what lies behind the point cut off.
struct MigratedValue {
    private let attribute: NSAttributeDescription
    private let entity: NSEntityDescription
    private let path: String

    init(_ attribute: NSAttributeDescription, at path: String, of entity: NSEntityDescription) {
        self.attribute = attribute
        self.entity = entity
        self.path = path
    }

    func converted(_ value: Any) throws(UnacceptableValue) -> Any {
        let type = attribute.attributeType.value
        if let composite = attribute as? NSCompositeAttributeDescription, let values = value as? [String: Any]
        {
            return try elements(values, of: composite)
        }
        switch type {
        case .transformable, .composite, .undefined, .objectID: return value
        case .integer16:
            return NSNumber(value: Int16(try integer(value, Int64(Int16.min)...Int64(Int16.max))))
        case .integer32:
            return NSNumber(value: Int32(try integer(value, Int64(Int32.min)...Int64(Int32.max))))
        case .integer64: return NSNumber(value: try integer(value, Int64.min...Int64.max))
        case .boolean: return NSNumber(value: try number(value).double != 0)
        case .double: return NSNumber(value: try number(value).double)
        case .float: return NSNumber(value: Float(try number(value).double))
        case .decimal:
            let decimal = try number(value).decimal
            guard decimal.isFinite else { throw unacceptable(value) }
            return NSDecimalNumber(decimal: decimal)
        case .date, .string, .uri, .uuid, .binary:
            guard ValueBox.attributeValue(value, as: type) != nil else { throw unacceptable(value) }
            return value
        }
    }

    /// Elements that the destination has not are left out.
    private func elements(
        _ values: [String: Any], of composite: NSCompositeAttributeDescription
    ) throws(UnacceptableValue) -> [String: Any] {
        var result: [String: Any] = [:]
        for element in composite.elements {
            guard let value = values[element.name], !(value is NSNull) else { continue }
            result[element.name] =
                try MigratedValue(element, at: "\(path).\(element.name)", of: entity).converted(value)
        }
        return result
    }

    // MARK: Numbers

    private func number(_ value: Any) throws(UnacceptableValue) -> PromotedNumber {
        guard let number = PromotedNumber(ExpressionValue(boxing: value)) else { throw unacceptable(value) }
        return number
    }

    private func integer(_ value: Any, _ range: ClosedRange<Int64>) throws(UnacceptableValue) -> Int64 {
        guard let integer = try number(value).integer, range.contains(integer) else {
            throw unacceptable(value)
        }
        return integer
    }

    private func unacceptable(_ value: Any) -> UnacceptableValue {
        UnacceptableValue(value, forProperty: path, of: entity.name ?? "", as: attribute.attributeType.value)
    }
}
