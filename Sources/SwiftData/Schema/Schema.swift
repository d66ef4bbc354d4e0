/// The models of a program with their attributes and relationships, from which a store's model is made.
///
/// Unlike Apple's: without encoding versions; `save(to:)` writes JSON.
public final class Schema {
    /// The version of the schema; 1.0.0 unless the app says otherwise.
    public let version: Version
    /// The entities, sorted by name.
    public let entities: [Entity]

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
