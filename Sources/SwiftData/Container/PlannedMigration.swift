import CoreData

/// A migration plan with the models of its versions, as Core Data takes stores through it.
struct PlannedMigration {
    /// A version with its model; the same object for each stage that names the version.
    struct Version {
        let schema: Schema
        let model: NSManagedObjectModel
    }

    let plan: any SchemaMigrationPlan.Type
    private let configurations: [any DataStoreConfiguration]
    /// The versions, the oldest first.
    let versions: [Version]

    /// Makes the models of all versions.
    ///
    /// - Throws: `SwiftDataError` for a version without a usable model, and for two with equal models.
    init(_ plan: any SchemaMigrationPlan.Type, _ configurations: [any DataStoreConfiguration]) throws {
        self.plan = plan
        self.configurations = configurations
        versions = try plan.schemas.map { try Self.version($0, configurations) }
        for (index, version) in versions.enumerated() {
            let checksum = version.model.versionChecksum
            guard let twin = versions[..<index].first(where: { $0.model.versionChecksum == checksum }) else {
                continue
            }
            throw SwiftDataError(
                .loadIssueModelContainer,
                "The versions \(twin.schema.version) and \(version.schema.version) of \(plan) have equal models, "
                    + "so that a store does not tell of which one it is: give a property another hashModifier."
            )
        }
    }

    private static func version(
        _ type: any VersionedSchema.Type, _ configurations: [any DataStoreConfiguration]
    ) throws -> Version {
        let schema = Schema(versionedSchema: type)
        let model = try StoreModel(schema, configurations, isVersion: true).makeModel()
        return Version(schema: schema, model: model)
    }

    /// Returns what Core Data needs for the stages.
    ///
    /// - Throws: `SwiftDataError` for a stage that names a version which is not in the plan.
    func manager() throws -> NSStagedMigrationManager {
        NSStagedMigrationManager(
            try plan.stages.map { stage in
                switch stage {
                case .lightweight(let from, let to):
                    // Stores that have a part of the models are told by the models, not by checksums.
                    if configurations.count > 1 {
                        return custom(try version(from), try version(to), nil, nil)
                    }
                    return NSLightweightMigrationStage(
                        [try version(from), try version(to)].map(\.model.versionChecksum))
                case .custom(let from, let to, let willMigrate, let didMigrate):
                    return custom(try version(from), try version(to), willMigrate, didMigrate)
                }
            })
    }

    private func version(_ type: any VersionedSchema.Type) throws(SwiftDataError) -> Version {
        if let index = plan.schemas.firstIndex(where: { $0 == type }) { return versions[index] }
        throw SwiftDataError(
            .unknownSchema, "A stage of \(plan) names \(type), which is not among its schemas.")
    }

    private func custom(
        _ from: Version, _ to: Version, _ willMigrate: ((ModelContext) throws -> Void)?,
        _ didMigrate: ((ModelContext) throws -> Void)?
    ) -> NSMigrationStage {
        func reference(_ version: Version) -> NSManagedObjectModelReference {
            NSManagedObjectModelReference(
                model: version.model, versionChecksum: version.model.versionChecksum)
        }
        let stage = NSCustomMigrationStage(migratingFrom: reference(from), to: reference(to))
        stage.label = "\(from.schema.version) to \(to.schema.version)"
        stage.willMigrateHandler = willMigrate.map { work in { manager, _ in try run(work, manager, from) } }
        stage.didMigrateHandler = didMigrate.map { work in { manager, _ in try run(work, manager, to) } }
        return stage
    }

    /// Calls a closure of the app with a context of a version, and saves what it changed.
    private func run(
        _ work: (ModelContext) throws -> Void, _ manager: NSStagedMigrationManager, _ version: Version
    ) throws {
        guard let coordinator = manager.container?.persistentStoreCoordinator else { return }
        let context = ModelContext(
            ModelContainer(coordinator, of: version.schema, configurations: configurations))
        try work(context)
        if context.hasChanges { try context.save() }
    }

    /// Throws an error that tells how a store differs from the nearest version, if it is of none.
    ///
    /// - Parameter current: The container's own version, which a plan need not have.
    func requireVersion(
        of url: URL, _ configuration: String, current: Version
    ) throws(SwiftDataError) {
        guard let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(with: url) else {
            return
        }
        let known = [current] + versions
        let stored = metadata.withTextKeys
        if known.contains(where: {
            $0.model.isConfiguration(withName: configuration, compatibleWithStoreMetadata: stored)
        }) {
            return
        }
        let differences = versions.map { StoreDifference(of: url, stored, from: $0, configuration) }
        guard let nearest = differences.min(by: { $0.count < $1.count }) else { return }
        throw SwiftDataError(
            .unknownSchema, "The store \(url.path) is of no version of \(plan). \(nearest.description)")
    }
}

extension [AnyHashable: Any] {
    /// The values whose keys are texts.
    fileprivate var withTextKeys: [String: Any] {
        var result: [String: Any] = [:]
        for (key, value) in self { if let key = key as? String { result[key] = value } }
        return result
    }
}
