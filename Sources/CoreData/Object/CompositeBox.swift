import CoreDataValues
import Foundation

/// The value of a composite attribute: for the app a dictionary with the names of its elements, without those that have no
/// value; for the store the elements.
struct CompositeBox {
    private let composite: NSCompositeAttributeDescription
    private let entity: NSEntityDescription
    /// The names that lead to the composite, from the entity on.
    private let path: String

    init(_ composite: NSCompositeAttributeDescription, at path: String, of entity: NSEntityDescription) {
        self.composite = composite
        self.entity = entity
        self.path = path
    }

    /// Nil where no element has a value.
    func object(_ value: AttributeValue) -> [String: Any]? {
        guard case .composite(let values) = value else { return nil }
        var objects: [String: Any] = [:]
        for element in composite.elements {
            guard let value = values[element.name] else { continue }
            objects[element.name] = object(value, of: element)
        }
        return objects.isEmpty ? nil : objects
    }

    private func object(_ value: AttributeValue, of element: NSAttributeDescription) -> Any? {
        switch (element, value) {
        case (let nested as NSCompositeAttributeDescription, _): box(nested).object(value)
        case (_, .data(let data)) where element.attributeType == .transformableAttributeType:
            ValueTransforms.value(from: data, of: element, in: entity)
        default: value.object
        }
    }

    /// What a dictionary stands for. Elements that it does not name have no value.
    func stored(_ object: Any) throws(UnacceptableValue) -> AttributeValue {
        guard let objects = object as? [String: Any] else { throw unacceptable(object, composite, path) }
        var values: [String: AttributeValue] = [:]
        for (name, object) in objects {
            guard let element = composite.elements.first(where: { $0.name == name }) else {
                let names = composite.elements.map { "\"\($0.name)\"" }.joined(separator: ", ")
                throw UnacceptableValue(
                    message: "\(entity.name ?? "").\(path) has no element \"\(name)\"; it has \(names).")
            }
            if Swift.type(of: object) == NSNull.self { continue }
            values[name] = try stored(object, of: element)
        }
        return .composite(values)
    }

    private func stored(
        _ object: Any, of element: NSAttributeDescription
    ) throws(UnacceptableValue) -> AttributeValue {
        let type = element.attributeType.value
        if let nested = element as? NSCompositeAttributeDescription { return try box(nested).stored(object) }
        if type == .transformable {
            return ValueTransforms.data(for: object, of: element, in: entity).map(AttributeValue.data)
                ?? .null
        }
        guard let value = ValueBox.attributeValue(object, as: type) else {
            throw unacceptable(object, element, "\(path).\(element.name)")
        }
        return value
    }

    private func box(_ nested: NSCompositeAttributeDescription) -> CompositeBox {
        CompositeBox(nested, at: "\(path).\(nested.name)", of: entity)
    }

    private func unacceptable(
        _ object: Any, _ attribute: NSAttributeDescription, _ path: String
    ) -> UnacceptableValue {
        UnacceptableValue(object, forProperty: path, of: entity.name ?? "", as: attribute.attributeType.value)
    }

    // MARK: Defaults

    /// The dictionary of the elements' defaults, for a composite without a default of its own.
    var defaultValue: [String: Any]? {
        var objects: [String: Any] = [:]
        for element in composite.elements {
            let nested = element as? NSCompositeAttributeDescription
            objects[element.name] = element.defaultValue ?? nested.flatMap { box($0).defaultValue }
        }
        return objects.isEmpty ? nil : objects
    }
}
