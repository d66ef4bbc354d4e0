extension Schema {
    /// The properties of one model class.
    public final class Entity: CustomStringConvertible {
        /// The name: that of the class, without the types around it.
        public let name: String
        /// The name of the entity whose properties this one has as well; nil for none.
        public let superentityName: String?
        /// The entity whose properties this one has as well; nil for none, and before a schema has both.
        public internal(set) weak var superentity: Entity?
        /// The entities of the schema that have the properties of this one, sorted by name.
        public internal(set) var subentities: [Entity] = []
        /// The own properties, in the order of their declaration.
        public let properties: [any SchemaProperty]
        /// The names of properties whose values together no two objects share, including those of properties
        /// that are unique by themselves.
        public let uniquenessConstraints: [[String]]
        /// The names of the properties of each index.
        public var indices: [[String]] { indexes.map(\.names) }
        let indexes: [Index]

        /// An index: the names of its properties, and whether it finds points and boxes.
        struct Index: Hashable, Codable {
            let names: [String]
            var isSpatial = false
        }

        /// Makes an entity of its properties.
        ///
        /// - Parameters:
        ///   - name: The name of the entity.
        ///   - properties: Its attributes and relationships.
        ///   - uniquenessConstraints: Properties whose values together no two objects share; those that are
        ///     unique by themselves are added.
        ///   - indices: The properties of each index.
        ///   - superentityName: The entity whose properties this one has as well; nil for none.
        public convenience init(
            _ name: String, properties: [any SchemaProperty], uniquenessConstraints: [[String]] = [],
            indices: [[String]] = [], superentityName: String? = nil
        ) {
            self.init(
                name, properties: properties, uniquenessConstraints: uniquenessConstraints,
                indexes: indices.map { Index(names: $0) }, superentityName: superentityName)
        }

        init(
            _ name: String, properties: [any SchemaProperty], uniquenessConstraints: [[String]],
            indexes: [Index], superentityName: String?
        ) {
            self.name = name
            self.superentityName = superentityName
            self.properties = properties
            let own = properties.filter(\.isUnique).map { [$0.name] }
            self.uniquenessConstraints =
                own.filter { !uniquenessConstraints.contains($0) } + uniquenessConstraints
            self.indexes = indexes
        }

        /// Makes an entity of its properties.
        public convenience init(_ name: String, properties: any SchemaProperty...) {
            self.init(name, properties: properties)
        }

        /// The properties of the superentity, and what that one inherits.
        public var inheritedProperties: [any SchemaProperty] {
            superentity.map { $0.inheritedProperties + $0.properties } ?? []
        }
        /// The own properties by their names.
        public var propertiesByName: [String: any SchemaProperty] { Self.named(properties) }
        /// What the superentity has and inherits, by name.
        public var inheritedPropertiesByName: [String: any SchemaProperty] { Self.named(inheritedProperties) }
        /// The properties that a row has: inherited ones, then the own ones.
        public var storedProperties: [any SchemaProperty] { inheritedProperties + properties }
        /// The properties that a row has, by name.
        public var storedPropertiesByName: [String: any SchemaProperty] { Self.named(storedProperties) }
        /// The attributes.
        public var attributes: Set<Attribute> { Set(properties.compactMap { $0 as? Attribute }) }
        /// The relationships.
        public var relationships: Set<Relationship> { Set(orderedRelationships) }
        /// The attributes by their names.
        public var attributesByName: [String: Attribute] {
            byName(properties.compactMap { $0 as? Attribute })
        }
        /// The relationships by their names.
        public var relationshipsByName: [String: Relationship] { byName(orderedRelationships) }

        var orderedRelationships: [Relationship] { properties.compactMap { $0 as? Relationship } }

        private static func named(_ properties: [any SchemaProperty]) -> [String: any SchemaProperty] {
            Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }

        private func byName<Property: SchemaProperty>(_ properties: [Property]) -> [String: Property] {
            Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }

        /// The name.
        public var description: String { name }
    }
}
