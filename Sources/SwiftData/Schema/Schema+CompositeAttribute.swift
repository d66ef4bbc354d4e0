extension Schema {
    /// An attribute whose values a store keeps in a column for each of their elements.
    public final class CompositeAttribute: Attribute {
        /// The elements: attributes, composite ones among them.
        public let properties: [any SchemaProperty]

        /// Makes the composite of an attribute; nil if its values have one column.
        init?(of attribute: Attribute) {
            guard !attribute.isTransformable, !attribute.options.contains(.codable),
                let type = ValueType(attribute.valueType).wrapped as? any Codable.Type,
                case .elements(let elements)? = try? ValueLayout.of(type)
            else { return nil }
            properties = elements.map { element in
                let part = Attribute(name: element.name, valueType: element.type)
                return CompositeAttribute(of: part) ?? part
            }
            super.init(
                name: attribute.name, originalName: attribute.originalName, options: attribute.options,
                valueType: attribute.valueType, defaultValue: attribute.defaultValue,
                hashModifier: attribute.hashModifier)
        }
    }
}
