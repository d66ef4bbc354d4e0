public import Foundation

extension Schema: Codable {
    private enum CodingKeys: CodingKey { case encodingVersion, version, entities, classes }

    /// Reads a schema, whose types the program has to have.
    ///
    /// - Throws: `DecodingError` that names a type that the program does not have, or a form that only later
    ///   versions of the framework read.
    public convenience init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        // The first schemas were written without a version of their form.
        let form = try values.decodeIfPresent(Version.self, forKey: .encodingVersion) ?? Version(1, 0, 0)
        guard form.major <= Self.encodingVersion.major else {
            throw DecodingError.dataCorruptedError(
                forKey: .encodingVersion, in: values,
                debugDescription: "the schema has the form \(form), and this framework reads forms up to "
                    + "\(Self.encodingVersion)")
        }
        let types = try values.decode([TypeName].self, forKey: .classes).map { name in
            guard let type = name.type as? any PersistentModel.Type else {
                throw DecodingError.dataCorruptedError(
                    forKey: .classes, in: values, debugDescription: "\(name.type) is no model class")
            }
            return type
        }
        self.init(
            try values.decode([Entity].self, forKey: .entities),
            version: try values.decode(Version.self, forKey: .version), types: types)
        schemaEncodingVersion = form
        findKeyPaths()
    }

    /// Writes the entities, and the names of the types by which a program finds them.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(encodingVersion, forKey: .encodingVersion)
        try values.encode(version, forKey: .version)
        try values.encode(entities, forKey: .entities)
        let types = types.sorted { Self.entityName(for: $0) < Self.entityName(for: $1) }
        try values.encode(types.map { TypeName($0) }, forKey: .classes)
    }

    /// Writes the schema to a file, as JSON.
    ///
    /// - Throws: `EncodingError` that names a property whose type has no name outside of the program; the error
    ///   of the file.
    public func save(to url: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: url, options: .atomic)
    }

    /// Reads a schema that `save(to:)` wrote.
    ///
    /// - Throws: `DecodingError` that names a type that the program does not have; the error of the file.
    public static func load(from url: URL) throws -> Schema {
        try JSONDecoder().decode(Schema.self, from: Data(contentsOf: url))
    }

    /// Gives relationships that were read the key paths of their classes.
    private func findKeyPaths() {
        let classes = Dictionary(types.map { (Self.entityName(for: $0), $0) }) { first, _ in first }
        func keyPath(_ name: String, of entity: String) -> AnyKeyPath? {
            classes[entity]?.schemaMetadata.first { $0.name == name }?.keypath
        }
        for entity in entities {
            for relationship in entity.orderedRelationships {
                relationship.keypath = keyPath(relationship.name, of: entity.name)
                relationship.inverseKeyPath = relationship.inverseName.flatMap {
                    keyPath($0, of: relationship.destination)
                }
            }
        }
    }
}

extension Schema.Entity: Codable {
    private enum CodingKeys: CodingKey {
        case name, superentity, properties, uniquenessConstraints, indexes
    }

    /// Reads an entity. Its superentity is found by the schema that it becomes a part of.
    public convenience init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try values.decode(String.self, forKey: .name),
            properties: try values.decode([Schema.CodedProperty].self, forKey: .properties).map(\.property),
            uniquenessConstraints: try values.decode([[String]].self, forKey: .uniquenessConstraints),
            indexes: try values.decode([Index].self, forKey: .indexes),
            superentityName: try values.decodeIfPresent(String.self, forKey: .superentity))
    }

    /// Writes the name of the superentity, and what the entity has itself.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(name, forKey: .name)
        try values.encodeIfPresent(superentityName, forKey: .superentity)
        try values.encode(properties.map { Schema.CodedProperty($0) }, forKey: .properties)
        try values.encode(uniquenessConstraints, forKey: .uniquenessConstraints)
        try values.encode(indexes, forKey: .indexes)
    }
}

extension Schema {
    /// A property of an entity as it is written: under the name of its kind.
    fileprivate struct CodedProperty: Codable {
        let property: any SchemaProperty

        private enum CodingKeys: CodingKey { case attribute, relationship }

        init(_ property: any SchemaProperty) { self.property = property }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            if values.contains(.relationship) {
                property = try values.decode(Relationship.self, forKey: .relationship)
            } else {
                let attribute = try values.decode(Attribute.self, forKey: .attribute)
                property = CompositeAttribute(of: attribute) ?? attribute
            }
        }

        func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            if let relationship = property as? Relationship {
                try values.encode(relationship, forKey: .relationship)
            } else if let attribute = property as? Attribute {
                try values.encode(attribute, forKey: .attribute)
            } else {
                let reason = "\(property.name) is neither an attribute nor a relationship"
                throw EncodingError.invalidValue(
                    property, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: reason))
            }
        }
    }
}
