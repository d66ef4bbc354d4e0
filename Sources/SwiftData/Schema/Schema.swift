/// The models of a program with their attributes and relationships, from which a store's model is made.
///
/// Unlike Apple's: `save(to:)` writes JSON.
public final class Schema {
    /// The version of the schema; 1.0.0 unless the app says otherwise.
    public let version: Version
    /// The entities, sorted by name.
    public let entities: [Entity]

    /// The version of the form in which the schema is written: that of this framework.
    public var encodingVersion: Version { Self.encodingVersion }
    /// The version of the form that the schema was read from; that of this framework if it was not read.
    public internal(set) var schemaEncodingVersion = Schema.encodingVersion

    static let encodingVersion = Version(1, 0, 0)

    /// Makes a schema without models.
    public convenience init() {
        self.init([] as [Entity])
    }

    /// Makes a schema of entities that are described by hand.
    public convenience init(_ entities: Entity..., version: Version = Version(1, 0, 0)) {
        self.init(entities, version: version)
    }

    /// The classes of the entities; none if the entities were described by hand.
    let types: [any PersistentModel.Type]

    package init(
        _ entities: [Entity], version: Version = Version(1, 0, 0), types: [any PersistentModel.Type] = []
    ) {
        self.types = types
        self.version = version
        self.entities = entities.sorted { $0.name < $1.name }
        for entity in self.entities {
            guard let superentity = entity.superentityName.flatMap({ entitiesByName[$0] }) else { continue }
            entity.superentity = superentity
            superentity.subentities.append(entity)
        }
        InverseInference(self).connect()
    }

    /// The entities by their names.
    public var entitiesByName: [String: Entity] {
        Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
