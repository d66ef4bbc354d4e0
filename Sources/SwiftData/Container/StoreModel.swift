import CoreData

/// The model of a container's stores: that of its schema, with a configuration for each store.
struct StoreModel {
    private let schema: Schema
    private let configurations: [ModelConfiguration]

    init(_ schema: Schema, _ configurations: [ModelConfiguration]) {
        self.schema = schema
        self.configurations = configurations
    }

    func makeModel() throws -> NSManagedObjectModel {
        try checkClasses()
        let model = try NSManagedObjectModel.makeManagedObjectModel(for: schema)
        for entity in model.entities { entity.managedObjectClassName = ModelObject.className }
        guard configurations.count > 1 else { return model }
        guard Set(configurations.map(\.name)).count == configurations.count else {
            throw SwiftDataError(.duplicateConfiguration, "several configurations have the same name")
        }
        for configuration in configurations {
            let names = configuration.schema?.entities.map(\.name) ?? schema.entities.map(\.name)
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

    private func checkClasses() throws(SwiftDataError) {
        if schema.types.isEmpty {
            throw SwiftDataError(
                .loadIssueModelContainer, "the schema has no model classes: make it of them, not of entities")
        }
    }
}
