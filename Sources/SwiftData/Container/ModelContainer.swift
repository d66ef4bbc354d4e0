package import CoreData
import Synchronization

/// The stores of a schema, and the contexts that use them.
///
/// Stores whose models differ are migrated when the container is made: by the stages of a migration plan, or
/// without one as far as the differences say how.
public final class ModelContainer: Equatable, Sendable {
    package let coordinator: NSPersistentStoreCoordinator
    /// The stores in the layouts of Core Data; those of an app's own are not among them.
    public let configurations: Set<ModelConfiguration>
    /// The classes by the names of their entities.
    let types: [String: ModelType]
    private let version: Schema.Version
    /// How stores of other versions are migrated; nil for a container without a plan.
    public let migrationPlan: (any SchemaMigrationPlan.Type)?
    @MainActor private var context: ModelContext?
    /// What posts `remoteChange`; nil for a container without watched stores.
    let remoteChanges = Mutex<NotificationObservation?>(nil)

    /// Makes a container with a store for each configuration.
    ///
    /// - Parameters:
    ///   - schema: The models.
    ///   - migrationPlan: How stores of other versions are migrated; nil if the differences say how.
    ///   - configurations: The stores; without one, `default.store` in the program's folder for application
    ///     data.
    /// - Throws: `SwiftDataError`, with the error of a store that cannot be opened in `underlyingError`.
    public convenience init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: [any DataStoreConfiguration] = []
    ) throws {
        let configurations = configurations.isEmpty ? [ModelConfiguration()] : configurations
        let model = try StoreModel(schema, configurations).makeModel()
        self.init(
            NSPersistentStoreCoordinator(managedObjectModel: model), of: schema, migrationPlan,
            configurations: configurations)
        let plan = try migrationPlan.map { try PlannedMigration($0, configurations) }
        let opening = StoreOpening(
            coordinator: coordinator, plan: plan, types: types,
            current: PlannedMigration.Version(schema: schema, model: model))
        for configuration in configurations {
            try opening.open(
                configuration, named: configurations.count == 1 ? "default" : configuration.name)
        }
        coordinator.mergeForeignCommits()
        announceRemoteChanges()
    }

    /// Makes a container whose stores are open.
    init(
        _ coordinator: NSPersistentStoreCoordinator, of schema: Schema,
        _ migrationPlan: (any SchemaMigrationPlan.Type)? = nil, configurations: [any DataStoreConfiguration]
    ) {
        self.coordinator = coordinator
        self.configurations = Set(configurations.compactMap { $0 as? ModelConfiguration })
        self.migrationPlan = migrationPlan
        types = Dictionary(
            schema.types.map { (Schema.entityName(for: $0), ModelType(type: $0)) },
            uniquingKeysWith: { first, _ in first })
        version = schema.version
        OpenCoordinators.add(coordinator)
    }

    /// Makes a container of model classes and those that their relationships lead to.
    public convenience init(
        for types: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(for: Schema(types), migrationPlan: migrationPlan, configurations: configurations)
    }

    /// Makes a container with a store for each configuration.
    public convenience init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(for: schema, migrationPlan: migrationPlan, configurations: configurations)
    }

    /// Makes a container with a store for each configuration, also stores of an app's own (`DataStore`).
    @_disfavoredOverload
    public convenience init(
        for types: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: any DataStoreConfiguration...
    ) throws {
        try self.init(for: Schema(types), migrationPlan: migrationPlan, configurations: configurations)
    }

    /// Makes a container with a store for each configuration, also stores of an app's own (`DataStore`).
    @_disfavoredOverload
    public convenience init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: any DataStoreConfiguration...
    ) throws {
        try self.init(for: schema, migrationPlan: migrationPlan, configurations: configurations)
    }

    /// The stores of an app's own.
    var dataStores: [CustomStore] { coordinator.persistentStores.compactMap { $0 as? CustomStore } }

    /// The models.
    public var schema: Schema { Schema(types.values.map(\.type), version: version) }

    /// The context of the main actor, made at first use.
    @MainActor public var mainContext: ModelContext {
        if let context { return context }
        let made = ModelContext(self, .mainQueueConcurrencyType)
        context = made
        return made
    }

    /// Returns whether both are the same object.
    public static func == (left: ModelContainer, right: ModelContainer) -> Bool { left === right }

    /// Returns the class of an entity.
    func type(named name: String) -> (any PersistentModel.Type)? { types[name]?.type }
}
