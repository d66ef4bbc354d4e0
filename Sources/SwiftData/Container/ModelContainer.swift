package import CoreData

/// The stores of a schema, and the contexts that use them.
///
/// Stores whose models differ are migrated when the container is made, as far as the differences say how.
///
/// Unlike Apple's: there are no migration plans, and contexts do not save by themselves.
public final class ModelContainer: Sendable {
    package let coordinator: NSPersistentStoreCoordinator
    /// The stores.
    public let configurations: Set<ModelConfiguration>
    /// The classes by the names of their entities.
    let types: [String: ModelType]
    private let version: Schema.Version
    @MainActor private var context: ModelContext?

    /// Makes a container with a store for each configuration.
    ///
    /// - Parameters:
    ///   - schema: The models.
    ///   - configurations: The stores; without one, `default.store` in the program's folder for application
    ///     data.
    /// - Throws: `SwiftDataError`, with the error of a store that cannot be opened in `underlyingError`.
    public init(for schema: Schema, configurations: [ModelConfiguration] = []) throws {
        let configurations = configurations.isEmpty ? [ModelConfiguration()] : configurations
        self.configurations = Set(configurations)
        types = Dictionary(
            schema.types.map { (Schema.entityName(for: $0), ModelType(type: $0)) },
            uniquingKeysWith: { first, _ in first })
        version = schema.version
        let model = try StoreModel(schema, configurations).makeModel()
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        OpenCoordinators.add(coordinator)
        for configuration in configurations { try open(configuration, alone: configurations.count == 1) }
    }

    /// Makes a container of model classes and those that their relationships lead to.
    public convenience init(
        for types: any PersistentModel.Type..., configurations: ModelConfiguration...
    ) throws {
        try self.init(for: Schema(types), configurations: configurations)
    }

    /// Makes a container with a store for each configuration.
    public convenience init(for schema: Schema, configurations: ModelConfiguration...) throws {
        try self.init(for: schema, configurations: configurations)
    }

    /// The models.
    public var schema: Schema { Schema(types.values.map(\.type), version: version) }

    /// The context of the main actor, made at first use.
    @MainActor public var mainContext: ModelContext {
        if let context { return context }
        let made = ModelContext(self, .mainQueueConcurrencyType)
        context = made
        return made
    }

    private func open(_ configuration: ModelConfiguration, alone: Bool) throws(SwiftDataError) {
        do {
            if !configuration.isStoredInMemoryOnly, configuration.allowsSave {
                try FileManager.default.createDirectory(
                    at: configuration.url.deletingLastPathComponent(), withIntermediateDirectories: true)
            }
            _ = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: alone ? "default" : configuration.name,
                at: configuration.url,
                options: [
                    NSMigratePersistentStoresAutomaticallyOption: true,
                    NSInferMappingModelAutomaticallyOption: true,
                    NSReadOnlyPersistentStoreOption: !configuration.allowsSave,
                    NSPersistentHistoryTrackingKey: true,
                ])
        } catch {
            throw SwiftDataError(
                .loadIssueModelContainer, "the store \(configuration.url.path) cannot be opened",
                underlying: error as NSError)
        }
    }
}

extension ModelContainer {
    /// Returns the class of an entity.
    func type(named name: String) -> (any PersistentModel.Type)? {
        types[name]?.type
    }
}
