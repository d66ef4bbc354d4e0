import CoreDataValues
import Foundation

/// The conversion of the values of an attribute, or of an element of a composite one, between the objects
/// that the app uses and stored values.
///
/// A composite is a dictionary with the names of its elements, without those that have no value. For values
/// that need no attribute description to be converted, `ValueBox` is faster.
struct AttributeBox {
    private let attribute: NSAttributeDescription
    private let entity: NSEntityDescription
    /// The names that lead to the attribute, from the entity on.
    private let path: String

    init(_ attribute: NSAttributeDescription, at path: String, of entity: NSEntityDescription) {
        self.attribute = attribute
        self.entity = entity
        self.path = path
    }

    private func box(_ element: NSAttributeDescription) -> AttributeBox {
        AttributeBox(element, at: "\(path).\(element.name)", of: entity)
    }

    /// Returns the app's value; nil for null, and for a composite without a value in any element.
    func object(_ value: AttributeValue) -> Any? {
        switch (attribute, value) {
        case (let composite as NSCompositeAttributeDescription, .composite(let values)):
            var objects: [String: Any] = [:]
            for element in composite.elements {
                objects[element.name] = values[element.name].flatMap(box(element).object)
            }
            return objects.isEmpty ? nil : objects
        case (_, .data(let data)) where attribute.attributeType == .transformableAttributeType:
            return ValueTransforms.value(from: data, of: attribute, in: entity)
        default: return value.object
        }
    }

    /// Returns the stored value; elements of a composite that are not in the dictionary have none.
    func stored(_ object: Any) throws(UnacceptableValue) -> AttributeValue {
        let type = attribute.attributeType.value
        if type == .transformable {
            return ValueTransforms.data(for: object, of: attribute, in: entity).map(AttributeValue.data)
                ?? .null
        }
        if let composite = attribute as? NSCompositeAttributeDescription,
            let objects = object as? [String: Any]
        {
            return .composite(try elements(objects, of: composite))
        }
        guard let value = ValueBox.attributeValue(object, as: type) else {
            throw UnacceptableValue(object, forProperty: path, of: entity.name ?? "", as: type)
        }
        return value
    }

    private func elements(
        _ objects: [String: Any], of composite: NSCompositeAttributeDescription
    ) throws(UnacceptableValue) -> [String: AttributeValue] {
        var values: [String: AttributeValue] = [:]
        for (name, object) in objects {
            guard let element = composite.elements.first(where: { $0.name == name }) else {
                let names = composite.elements.map { "\"\($0.name)\"" }.joined(separator: ", ")
                throw UnacceptableValue(
                    message: "\(entity.name ?? "").\(path) has no element \"\(name)\"; it has \(names).")
            }
            if Swift.type(of: object) == NSNull.self { continue }
            values[name] = try box(element).stored(object)
        }
        return values
    }

    /// The attribute's own default, or else the dictionary of its elements' defaults.
    var defaultValue: Any? {
        if let value = attribute.defaultValue { return value }
        guard let composite = attribute as? NSCompositeAttributeDescription else { return nil }
        var objects: [String: Any] = [:]
        for element in composite.elements { objects[element.name] = box(element).defaultValue }
        return objects.isEmpty ? nil : objects
    }
}
