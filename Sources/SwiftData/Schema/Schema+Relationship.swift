extension Schema {
    /// A property whose values are other models.
    public final class Relationship: SchemaProperty, Codable {
        /// The name of the property.
        public internal(set) var name: String
        /// The name that the property had in the version before.
        public internal(set) var originalName: String
        /// The Swift type: a model, an optional one, or an array of models.
        public internal(set) var valueType: Any.Type
        /// What the relationship asks for besides being stored.
        public let options: [Option]
        /// The key path to the property; nil for a relationship that was described by hand.
        public internal(set) var keypath: AnyKeyPath?
        /// The name of the entity on the other side.
        public internal(set) var destination: String
        /// The name of the property on the other side that leads back; nil for none.
        public internal(set) var inverseName: String?
        /// The key path of the property on the other side that leads back, as declared.
        public internal(set) var inverseKeyPath: AnyKeyPath?
        /// What the deletion of an object means for the other side.
        public let deleteRule: DeleteRule
        /// The lowest number of members; nil or 0 for any.
        public let minimumModelCount: Int?
        /// The highest number of members; nil or 0 for any.
        public let maximumModelCount: Int?
        /// A text that changes the hash of the relationship, so that stores of the version before are
        /// migrated.
        public let hashModifier: String?
        /// Whether the source has `@Relationship`: the inverse of others is inferred.
        package var isAnnotated = true

        /// Makes what `@Relationship` says of a property; name and type are the property's.
        public init(
            _ options: Option..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
            maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
            hashModifier: String? = nil
        ) {
            (name, valueType, destination) = ("", Any.self, "")
            self.options = options
            self.deleteRule = deleteRule
            self.minimumModelCount = minimumModelCount
            self.maximumModelCount = maximumModelCount
            self.originalName = originalName ?? ""
            inverseKeyPath = inverse
            self.hashModifier = hashModifier
        }

        /// Makes a relationship to the entity with a name.
        ///
        /// - Parameters:
        ///   - name: The name of the property.
        ///   - originalName: The name in the version before; nil if the property was not renamed.
        ///   - options: What the relationship asks for besides being stored.
        ///   - valueType: The Swift type; an array, or an optional array, makes it a to-many relationship.
        ///   - destination: The name of the entity on the other side.
        ///   - inverseName: The property on the other side that leads back; nil for none.
        ///   - inverseKeyPath: Its key path, for information.
        ///   - deleteRule: What the deletion of an object means for the other side.
        ///   - minimumModelCount: The lowest number of members; nil or 0 for any.
        ///   - maximumModelCount: The highest number of members; nil or 0 for any.
        ///   - hashModifier: A text that changes the hash of the relationship.
        public init(
            name: String, originalName: String? = nil, options: [Option] = [], valueType: Any.Type,
            destination: String, inverseName: String? = nil, inverseKeyPath: AnyKeyPath? = nil,
            deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0, maximumModelCount: Int? = 0,
            hashModifier: String? = nil
        ) {
            self.name = name
            self.originalName = originalName ?? name
            self.options = options
            self.valueType = valueType
            self.destination = destination
            self.inverseName = inverseName
            self.inverseKeyPath = inverseKeyPath
            self.deleteRule = deleteRule
            self.minimumModelCount = minimumModelCount
            self.maximumModelCount = maximumModelCount
            self.hashModifier = hashModifier
        }

        private enum CodingKeys: CodingKey {
            case name, originalName, valueType, options, destination, inverseName, deleteRule
            case minimumModelCount, maximumModelCount, hashModifier, isAnnotated
        }

        /// Reads a relationship, whose type the program has to have, without its key paths: the schema that it
        /// becomes a part of finds them.
        ///
        /// - Throws: `DecodingError` that names a type that the program does not have.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            name = try values.decode(String.self, forKey: .name)
            originalName = try values.decode(String.self, forKey: .originalName)
            valueType = try values.decode(TypeName.self, forKey: .valueType).type
            options = try values.decode([Option].self, forKey: .options)
            destination = try values.decode(String.self, forKey: .destination)
            inverseName = try values.decodeIfPresent(String.self, forKey: .inverseName)
            deleteRule = try values.decode(DeleteRule.self, forKey: .deleteRule)
            minimumModelCount = try values.decodeIfPresent(Int.self, forKey: .minimumModelCount)
            maximumModelCount = try values.decodeIfPresent(Int.self, forKey: .maximumModelCount)
            hashModifier = try values.decodeIfPresent(String.self, forKey: .hashModifier)
            isAnnotated = try values.decode(Bool.self, forKey: .isAnnotated)
        }

        /// Writes the relationship, with the name of its inverse and without key paths.
        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(name, forKey: .name)
            try values.encode(originalName, forKey: .originalName)
            try values.encode(TypeName(valueType), forKey: .valueType)
            try values.encode(options, forKey: .options)
            try values.encode(destination, forKey: .destination)
            try values.encodeIfPresent(inverseName, forKey: .inverseName)
            try values.encode(deleteRule, forKey: .deleteRule)
            try values.encodeIfPresent(minimumModelCount, forKey: .minimumModelCount)
            try values.encodeIfPresent(maximumModelCount, forKey: .maximumModelCount)
            try values.encodeIfPresent(hashModifier, forKey: .hashModifier)
            try values.encode(isAnnotated, forKey: .isAnnotated)
        }

        /// Whether no two objects may have the same destination.
        public var isUnique: Bool { options.contains(.unique) }
        /// Whether the relationship has at most one destination.
        public var isToOneRelationship: Bool { !ValueType(valueType).isArray }

        /// What a relationship asks for besides being stored.
        public struct Option: Hashable, Codable, Sendable {
            private let name: String

            /// No two objects may have the same destination.
            public static let unique = Option(name: "unique")
        }

        /// What the deletion of an object means for the objects on the other side.
        public enum DeleteRule: String, Hashable, Codable, Sendable {
            /// They are deleted as well.
            case cascade
            /// An object that has any cannot be deleted.
            case deny
            /// They keep a reference to an object that is gone.
            case noAction
            /// They lose the reference.
            case nullify
        }
    }
}
