import CoreData

/// The values of a model of any class.
///
/// It is encoded as one object with the identifier, as `persistentIdentifier`, and a value for each property
/// that has one, by the name of the property.
public struct DefaultSnapshot: DataStoreSnapshot, @unchecked Sendable {
    /// The identifier of the model: a temporary one until the store has saved it.
    public let persistentIdentifier: PersistentIdentifier
    /// The values by the names of their properties; none for nil.
    private(set) var values: [String: Value]

    enum Value {
        case attribute(any Codable)
        case destination(PersistentIdentifier)
        case members([PersistentIdentifier])
    }

    init(_ identifier: PersistentIdentifier, _ values: [String: Value]) {
        persistentIdentifier = identifier
        self.values = values
    }

    /// Makes the snapshot of a model that is to be saved.
    public init(
        from backingData: any BackingData,
        relatedBackingDatas: inout [PersistentIdentifier: any BackingData]
    ) {
        func read<Backing: BackingData>(_ backing: Backing) -> DefaultSnapshot {
            guard let backing = backing as? ObjectBackingData<Backing.Model> else {
                programmerError("Only the framework makes backing data, not \(Backing.self).")
            }
            return DefaultSnapshot(of: backing.model, backing._$object)
        }
        self = read(backingData)
    }

    /// Makes the snapshot of a model and the object behind it.
    init(of model: any PersistentModel, _ object: ModelObject) {
        var values: [String: Value] = [:]
        for property in StoredProperty.all(of: type(of: model)) {
            values[property.name] =
                switch property.kind {
                case .attribute: property.value(in: model).map { .attribute($0) }
                case .destination:
                    (ManagedAccess.read(object, ModelAccess.property(property.name)) as ModelObject?)
                        .map { .destination(PersistentIdentifier($0.objectID)) }
                case .members:
                    .members(
                        (ManagedAccess.read(object, ModelAccess.property(property.name)) as Set<ModelObject>)
                            .sorted { $0.orderInEntity < $1.orderInEntity }
                            .map { PersistentIdentifier($0.objectID) })
                }
        }
        self.init(PersistentIdentifier(object.objectID), values)
    }

    /// Returns the snapshot with another identifier, and other identifiers in its relationships.
    public func copy(
        persistentIdentifier: PersistentIdentifier,
        remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]? = nil
    ) -> DefaultSnapshot {
        let names = remappedIdentifiers ?? [:]
        let values = values.mapValues { value -> Value in
            switch value {
            case .attribute: value
            case .destination(let id): .destination(names[id] ?? id)
            case .members(let ids): .members(ids.map { names[$0] ?? $0 })
            }
        }
        return DefaultSnapshot(persistentIdentifier, values)
    }

    // MARK: Codable

    private struct Key: CodingKey {
        static let identifier = Key(stringValue: "persistentIdentifier")

        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Encodes the identifier and the values.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(persistentIdentifier, forKey: .identifier)
        for (name, value) in values {
            let key = Key(stringValue: name)
            switch value {
            case .attribute(let value): try container.encode(value, forKey: key)
            case .destination(let id): try container.encode(id, forKey: key)
            case .members(let ids): try container.encode(ids, forKey: key)
            }
        }
    }

    /// Decodes the identifier and the values, by the types that the class of the model has for them.
    ///
    /// - Throws: `DecodingError` for a value of another type, and if no container of the program has the store
    ///   that the identifier names.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        try self.init(container.decode(PersistentIdentifier.self, forKey: .identifier), decoder)
    }

    /// Makes the snapshot that has the values of another one.
    init(_ other: some DataStoreSnapshot) throws {
        if let same = other as? DefaultSnapshot {
            self = same
            return
        }
        let encoder = ObjectEncoder()
        try other.encode(to: encoder)
        try self.init(other.persistentIdentifier, ObjectDecoder(encoder.object))
    }

    private init(_ identifier: PersistentIdentifier, _ decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        guard let type = ModelTypes.type(of: identifier) else {
            throw DecodingError.dataCorruptedError(
                forKey: .identifier, in: container,
                debugDescription: "no container has a model \(identifier.entityName)")
        }
        var values: [String: Value] = [:]
        for property in StoredProperty.all(of: type) {
            let key = Key(stringValue: property.name)
            func decode<Content: Codable>(_ type: Content.Type) throws -> Content? {
                try container.decodeIfPresent(type, forKey: key)
            }
            values[property.name] =
                switch property.kind {
                case .attribute(let type): try decode(type).map { .attribute($0) }
                case .destination: try decode(PersistentIdentifier.self).map { .destination($0) }
                case .members: try decode([PersistentIdentifier].self).map { .members($0) }
                }
        }
        self.init(identifier, values)
    }
}

extension ModelTypes {
    /// Returns the class of a model: that of its container, if the identifier tells it.
    fileprivate static func type(of identifier: PersistentIdentifier) -> (any PersistentModel.Type)? {
        let store = identifier.objectID.persistentStore as? CustomStore
        return store?.types[identifier.entityName]?.type ?? named(identifier.entityName)
    }
}

/// A stored property of a class, as snapshots have it.
private struct StoredProperty {
    enum Kind {
        /// An attribute, and the type of its values without their optional.
        case attribute(any Codable.Type)
        case destination
        case members
    }

    let name: String
    let kind: Kind
    private let keyPath: AnyKeyPath

    /// Returns the stored properties of a class and its superclasses.
    static func all(of type: any PersistentModel.Type) -> [StoredProperty] {
        Schema.lineage(of: type).flatMap { $0.schemaMetadata.compactMap(StoredProperty.init) }
    }

    private init?(_ property: Schema.PropertyMetadata) {
        name = property.name
        keyPath = property.keypath
        let type = ValueType(Swift.type(of: property.keypath).valueType)
        if type.element is any PersistentModel.Type {
            kind = type.isArray ? .members : .destination
        } else if let coded = type.wrapped as? any Codable.Type, !property.isEphemeral {
            kind = .attribute(coded)
        } else {
            return nil
        }
    }

    /// Returns the value of an attribute; nil for an optional without one.
    func value(in model: any PersistentModel) -> (any Codable)? {
        let value = (model as Any)[keyPath: keyPath]
        return (value as? any OptionalType).map { $0.content as? any Codable } ?? value as? any Codable
    }
}
