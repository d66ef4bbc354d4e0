import CoreData

/// The model of a container's stores: that of its schema, with a configuration for each store.
struct StoreModel {
    private let schema: Schema
    private let configurations: [any DataStoreConfiguration]
    /// Whether the schema is a version of a plan: its models need not be those that configurations name.
    private let isVersion: Bool

    init(_ schema: Schema, _ configurations: [any DataStoreConfiguration], isVersion: Bool = false) {
        self.schema = schema
        self.configurations = configurations
        self.isVersion = isVersion
    }

    func makeModel() throws -> NSManagedObjectModel {
        try checkClasses()
        for configuration in configurations { try configuration.validate() }
        try checkTransformers()
        let model = try NSManagedObjectModel.makeManagedObjectModel(for: schema)
        for entity in model.entities { entity.managedObjectClassName = ModelObject.className }
        guard configurations.count > 1 else { return model }
        guard Set(configurations.map(\.name)).count == configurations.count else {
            throw SwiftDataError(.duplicateConfiguration, "several configurations have the same name")
        }
        for configuration in configurations {
            let names =
                isVersion
                ? namesInVersion(of: configuration)
                : configuration.schema?.entities.map(\.name) ?? schema.entities.map(\.name)
            let entities = try names.map { name in
                guard let entity = model.entitiesByName[name] else {
                    throw SwiftDataError(
                        .configurationSchemaNotFoundInContainerSchema,
                        "the configuration \"\(configuration.name)\" has \(name), which the "
                            + "container's schema lacks"
                    )
                }
                return entity
            }
            model.setEntities(entities, forConfigurationName: configuration.name)
        }
        return model
    }

    /// Returns the entities that a store has in a version of a plan: those that its configuration names, and
    /// those that no configuration names any more, but the store has.
    private func namesInVersion(of configuration: any DataStoreConfiguration) -> [String] {
        let all = schema.entities.map(\.name)
        guard let own = configuration.schema?.entitiesByName else { return all }
        let metadata = (configuration as? ModelConfiguration).flatMap {
            try? NSPersistentStoreCoordinator.metadataForPersistentStore(with: $0.url)
        }
        let stored = metadata?[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        return all.filter { name in
            if own[name] != nil { return true }
            let isNamed = configurations.contains { $0.schema?.entitiesByName[name] != nil }
            return !isNamed && stored[name] != nil
        }
    }

    private func checkTransformers() throws(SwiftDataError) {
        for entity in schema.entities {
            for attribute in entity.properties.compactMap({ $0 as? Schema.Attribute }) {
                guard let name = attribute.transformerName,
                    ValueTransformer(forName: NSValueTransformerName(name)) == nil
                else { continue }
                throw SwiftDataError(
                    .loadIssueModelContainer,
                    "\(entity.name).\(attribute.name) is transformable by \(name), which is not registered: call "
                        + "ValueTransformer.setValueTransformer(_:forName:) before the container is made")
            }
        }
    }

    private func checkClasses() throws(SwiftDataError) {
        if schema.types.isEmpty {
            throw SwiftDataError(
                .loadIssueModelContainer, "the schema has no model classes: make it of them, not of entities")
        }
    }
}
