extension Schema {
    /// An attribute whose values a store keeps in a column for each of their elements.
    public final class CompositeAttribute: Attribute {
        /// The elements: attributes, composite ones among them.
        public let properties: [any SchemaProperty]

        /// Makes the composite of an attribute; nil if its values have one column.
        init?(of attribute: Attribute) {
            guard let elements = Self.elements(of: attribute) else { return nil }
            properties = elements
            super.init(
                name: attribute.name, originalName: attribute.originalName, options: attribute.options,
                valueType: attribute.valueType, defaultValue: attribute.defaultValue,
                hashModifier: attribute.hashModifier)
        }

        /// Reads an attribute whose type has elements in the program.
        ///
        /// - Throws: `DecodingError` that names a type that the program does not have, or that has no elements
        ///   there.
        public required init(from decoder: any Decoder) throws {
            let attribute = try Attribute(from: decoder)
            guard let elements = Self.elements(of: attribute) else {
                let reason = "\(attribute.name) has the type \(attribute.valueType), which has no elements"
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(codingPath: decoder.codingPath, debugDescription: reason))
            }
            properties = elements
            try super.init(from: decoder)
        }

        /// Returns the elements of an attribute's values; nil if they have one column.
        private static func elements(of attribute: Attribute) -> [any SchemaProperty]? {
            guard !attribute.isTransformable, !attribute.options.contains(.codable),
                let type = ValueType(attribute.valueType).wrapped as? any Codable.Type,
                case .elements(let elements)? = try? ValueLayout.of(type)
            else { return nil }
            return elements.map { element in
                let part = Attribute(name: element.name, valueType: element.type)
                return CompositeAttribute(of: part) ?? part
            }
        }
    }
}
