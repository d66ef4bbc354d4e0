public import class CoreData.ValueTransformer

extension Schema {
    /// A property whose values a store keeps in the object's own row.
    public class Attribute: SchemaProperty, Codable {
        /// The name of the property.
        public internal(set) var name: String
        /// The name that the property had in the version before.
        public internal(set) var originalName: String
        /// The Swift type of the values.
        public internal(set) var valueType: Any.Type
        /// What the attribute asks for besides being stored.
        public let options: [Option]
        /// The value of a row that a migration gives the attribute; nil for none.
        public internal(set) var defaultValue: Any?
        /// A text that changes the hash of the attribute, so that stores of the version before are migrated.
        public let hashModifier: String?

        /// Makes what `@Attribute` says of a property; name and type are the property's.
        public init(
            _ options: Option..., originalName: String? = nil, hashModifier: String? = nil,
            defaultValue: Any? = nil
        ) {
            name = ""
            valueType = Any.self
            self.options = options
            self.originalName = originalName ?? ""
            self.hashModifier = hashModifier
            self.defaultValue = defaultValue
        }

        /// Makes an attribute.
        public init(
            name: String, originalName: String? = nil, options: [Option] = [], valueType: Any.Type,
            defaultValue: Any? = nil, hashModifier: String? = nil
        ) {
            self.name = name
            self.originalName = originalName ?? name
            self.options = options
            self.valueType = valueType
            self.defaultValue = defaultValue
            self.hashModifier = hashModifier
        }

        private enum CodingKeys: CodingKey {
            case name, originalName, valueType, options, defaultValue, hashModifier
        }

        /// Reads an attribute, whose type the program has to have.
        ///
        /// - Throws: `DecodingError` that names a type that the program does not have.
        public required init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            name = try values.decode(String.self, forKey: .name)
            originalName = try values.decode(String.self, forKey: .originalName)
            valueType = try values.decode(TypeName.self, forKey: .valueType).type
            options = try values.decode([Option].self, forKey: .options)
            hashModifier = try values.decodeIfPresent(String.self, forKey: .hashModifier)
            guard let type = ValueType(valueType).wrapped as? any Codable.Type else { return }
            defaultValue = try values.decodeIfPresent(type, forKey: .defaultValue)
        }

        /// Writes the attribute, and its default value if that is `Codable`.
        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(name, forKey: .name)
            try values.encode(originalName, forKey: .originalName)
            try values.encode(TypeName(valueType), forKey: .valueType)
            try values.encode(options, forKey: .options)
            try values.encodeIfPresent(hashModifier, forKey: .hashModifier)
            guard let value = defaultValue as? any Codable else { return }
            try values.encode(value, forKey: .defaultValue)
        }

        /// Whether no two objects may have equal values.
        public var isUnique: Bool { options.contains(.unique) }
        /// Whether a transformer turns the values into data.
        public var isTransformable: Bool { transformerName != nil }
        var transformerName: String? { options.lazy.compactMap(\.transformerName).first }

        /// What an attribute asks for besides being stored.
        public struct Option: Hashable, Codable, Sendable {
            private let name: String
            /// The name of the transformer that turns values into data; nil for none.
            var transformerName: String?

            /// Saving an object with a value that another one has updates that one instead.
            public static let unique = Option(name: "unique")
            /// Large data is kept in a file beside the store.
            public static let externalStorage = Option(name: "externalStorage")
            /// A value of any Codable type is kept as a whole, in one column, also where its elements would have
            /// columns of their own.
            public static let codable = Option(name: "codable")
            /// The history of the store keeps the value of an object that is deleted.
            public static let preserveValueOnDeletion = Option(name: "preserveValueOnDeletion")
            /// The value is not stored: a model that is fetched begins with that of the declaration.
            public static let ephemeral = Option(name: "ephemeral")
            /// Accepted without effect: there is no CloudKit here.
            public static let allowsCloudEncryption = Option(name: "allowsCloudEncryption")
            /// Accepted without effect: there is no Spotlight here.
            public static let spotlight = Option(name: "spotlight")

            /// Values of any type are kept as the data that a registered transformer makes of them.
            ///
            /// - Parameter name: The name under which the transformer is registered when a container is made.
            public static func transformable(by name: String) -> Option {
                Option(name: "transformable", transformerName: name)
            }

            /// Values of any type are kept as the data that a transformer makes of them, which is registered
            /// under the name of its class.
            public static func transformable(by type: ValueTransformer.Type) -> Option {
                transformable(by: "\(type)")
            }
        }
    }
}
