/// One version of a program's models, which a program keeps as long as there may be stores of it.
public protocol VersionedSchema: SendableMetatype {
    /// The classes of the version.
    static var models: [any PersistentModel.Type] { get }
    /// The number of the version.
    static var versionIdentifier: Schema.Version { get }
}

/// The way of a store from any version of a program's models to the present one.
///
/// A container that is made with a plan takes a store through the stages, from the first one that starts from
/// the store's version. Each stage is a migration of its own: if one fails, or the program ends meanwhile, the
/// next container goes on from there.
public protocol SchemaMigrationPlan: SendableMetatype {
    /// The versions, the oldest first.
    static var schemas: [any VersionedSchema.Type] { get }
    /// The steps from each version to the next, in their order.
    static var stages: [MigrationStage] { get }
}

/// A step of a migration from one version to the next.
public enum MigrationStage {
    /// A step of which the difference between the versions says how objects and properties change.
    case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
    /// A lightweight step with work before and after it.
    ///
    /// The first closure gets a context with the classes of the old version, the second one with those of the
    /// new version; what they change is saved. An error of a closure ends the migration. The second closure is
    /// called again if it failed or did not end.
    case custom(
        fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
        willMigrate: ((ModelContext) throws -> Void)?, didMigrate: ((ModelContext) throws -> Void)?)
}

extension Schema {
    /// Makes the schema of a version.
    public convenience init(versionedSchema: any VersionedSchema.Type) {
        self.init(versionedSchema.models, version: versionedSchema.versionIdentifier)
    }
}
