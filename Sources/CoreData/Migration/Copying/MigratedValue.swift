import CoreDataModelFormat
import CoreDataPredicates
import CoreDataValues
import Foundation

/// The conversion of values for an attribute of the destination, by the rules of a migration in place.
///
/// A number becomes a number of the new type if it fits; its fraction is dropped if need be.
struct MigratedValue {
    private let attribute: NSAttributeDescription
    private let entity: NSEntityDescription
    private let path: String
    private let former: NSAttributeDescription?

    /// Makes the conversion for an attribute.
    ///
    /// - Parameter former: The attribute of the source whose values are copied; nil if the values are made in
    ///   another way.
    init(
        _ attribute: NSAttributeDescription, at path: String, of entity: NSEntityDescription,
        from former: NSAttributeDescription? = nil
    ) {
        self.attribute = attribute
        self.entity = entity
        self.path = path
        self.former = former
    }

    /// Returns the converted value; nil for a composite value of which nothing remains.
    func converted(_ value: Any) throws(UnacceptableValue) -> Any? {
        let type = attribute.attributeType.value
        if let composite = attribute as? NSCompositeAttributeDescription, let values = value as? [String: Any]
        {
            guard let former = former as? NSCompositeAttributeDescription else {
                return try elements(values, of: composite)
            }
            return try elements(values, of: composite, from: former)
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

    /// Returns the elements that the destination has; others are left out.
    private func elements(
        _ values: [String: Any], of composite: NSCompositeAttributeDescription
    ) throws(UnacceptableValue) -> [String: Any] {
        var result: [String: Any] = [:]
        for element in composite.elements {
            guard let value = values[element.name], !(value is NSNull) else { continue }
            result[element.name] = try self.value(of: element, from: nil).converted(value)
        }
        return result
    }

    /// Returns the elements of the destination, which follow their renaming identifiers.
    ///
    /// Elements that are new or have become mandatory get their defaults, if any other element has a value.
    private func elements(
        _ values: [String: Any], of composite: NSCompositeAttributeDescription,
        from former: NSCompositeAttributeDescription
    ) throws(UnacceptableValue) -> [String: Any]? {
        let names = composite.elements.map(\.versionedName)
            .predecessors(among: former.elements.map(\.versionedName))
        var result: [String: Any] = [:]
        for element in composite.elements {
            guard let name = names[element.name], let value = values[name], !(value is NSNull) else {
                continue
            }
            let origin = former.elements.first { $0.name == name }
            result[element.name] = try self.value(of: element, from: origin).converted(value)
        }
        if result.isEmpty, composite.isOptional { return nil }
        for element in composite.elements where result[element.name] == nil {
            if names[element.name] == nil || !element.isOptional { result[element.name] = element.newValue }
        }
        return result.isEmpty ? nil : result
    }

    private func value(of element: NSAttributeDescription, from origin: NSAttributeDescription?)
        -> MigratedValue
    {
        MigratedValue(element, at: "\(path).\(element.name)", of: entity, from: origin)
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

extension NSAttributeDescription {
    fileprivate final var versionedName: VersionedName {
        VersionedName(name, renamingIdentifier: renamingIdentifier)
    }

    /// The value that a new object has.
    fileprivate final var newValue: Any? {
        guard let composite = self as? NSCompositeAttributeDescription else { return defaultValue }
        var values: [String: Any] = [:]
        for element in composite.elements { values[element.name] = element.newValue }
        return values.isEmpty ? nil : values
    }
}
