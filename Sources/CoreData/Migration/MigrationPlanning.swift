import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
public import Foundation

extension NSPersistentStoreCoordinator {
    /// Returns what a lightweight migration of a store to a model would do, and changes nothing: the dry run
    /// of opening the store with the model and `NSMigratePersistentStoresAutomaticallyOption`.
    ///
    /// The store's own model is searched for as a migration does: among the program's models, then in the
    /// store. Objects that break a rule of the new model, for which the migration would fail, are counted as
    /// violations, except in relationships whose destinations are found through the inverse, and for
    /// constraints if the store migrates by a copy. If the program has a mapping model for the two versions,
    /// a migration uses it: the plan says so, but cannot say what the mapping will do.
    ///
    /// It costs a pass over every table that changes; a store that is not a SQLite store is read as a whole.
    /// An addition to Apple's API.
    ///
    /// - Parameters:
    ///   - url: The place of the store, which need not be open.
    ///   - type: The type of the store.
    ///   - configurationName: The configuration of the new model that the store is opened with; nil for all
    ///     entities.
    ///   - options: The options that the store would be opened with; deferred clean-up changes the plan, and
    ///     they may name the store's own model.
    ///   - destination: The new model.
    /// - Throws: An error of `NSCocoaErrorDomain` if there is no store, or no model that fits it, or one of
    ///   the models cannot be used. That no mapping can be inferred is no error here: the plan has the
    ///   obstacles.
    public final class func lightweightMigrationPlan(
        forStoreAt url: URL, type: NSPersistentStore.StoreType = .sqlite, configurationName: String? = nil,
        options: [AnyHashable: Any]? = nil, to destination: NSManagedObjectModel
    ) throws -> StoreMigrationPlan {
        try MigrationPlanning(
            url: url, type: type.rawValue, configurationName: configurationName, options: options ?? [:],
            destination: destination
        ).plan()
    }
}

/// The planning of the lightweight migration of a store that need not be open.
struct MigrationPlanning {
    let url: URL
    let type: String
    let configurationName: String?
    let options: [AnyHashable: Any]
    let destination: NSManagedObjectModel
    /// The bundles to search for models and mapping models; nil stands for the program.
    var bundles: [Bundle]?

    func plan() throws -> StoreMigrationPlan {
        let storeClass = try StoreTypes.storeClass(type)
        let metadata = try storeClass.metadataForPersistentStore(with: url)
        let new = try destination.freeze()
        let subset = try NSPersistentStoreCoordinator(managedObjectModel: destination)
            .entities(of: configurationName, storedWith: metadata)
        let isCurrent = StoreMetadata(metadata)
            .differingEntities(from: new.compiled, entityNames: new.names(of: subset)).isEmpty
        if isCurrent {
            do {
                return try plan(of: storeClass, metadata, from: destination, subset, isCurrent: true)
            } catch  where StoreMigrator.isVersionMismatch(error) {
                // Hashes do not include every part of a model, such as the names of derived attributes.
            }
        }
        let search = SourceModelSearch(
            metadata: metadata, url: url, destination: destination, options: options, bundles: bundles)
        return try plan(
            of: storeClass, metadata, from: search.model(of: storeClass), subset, isCurrent: false)
    }

    private func plan(
        of storeClass: NSPersistentStore.Type, _ metadata: [String: Any], from source: NSManagedObjectModel,
        _ subset: Set<EntityIndex>?, isCurrent: Bool
    ) throws -> StoreMigrationPlan {
        let new = try destination.freeze()
        let evolution = try ModelEvolution(fromModel: source, toModel: destination)
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        let held = Set(hashes.keys.compactMap { evolution.source.indexByName[$0] })
        let survey = try survey(storeClass, source, evolution, held, subset)
        let isMapped =
            !isCurrent && MappingFiles(bundles: bundles).onlyMatch(from: source, to: destination) != nil
        let isInferred = !isCurrent && !isMapped
        let method: StoreMigrationPlan.Method =
            if isCurrent {
                .notNeeded
            } else if isMapped {
                .copying(reason: "the program has a mapping model for these versions")
            } else {
                evolution.obstacles.isEmpty ? self.method(survey, storeClass) : .impossible
            }
        return StoreMigrationPlan(
            source: version(of: metadata), destination: version(new.compiled, new.names(of: subset)),
            method: method,
            entities: StoreMigrationPlan.Entity.all(
                evolution, from: held, to: subset, survey.objectCounts),
            obstacles: isInferred ? evolution.obstacles.map(Self.obstacle) : [],
            violations: isInferred ? survey.violations.map(Self.violation) : [],
            statements: isInferred ? survey.statements : [])
    }

    private static func obstacle(_ obstacle: MigrationObstacle) -> StoreMigrationPlan.Obstacle {
        StoreMigrationPlan.Obstacle(
            entity: obstacle.entity, property: obstacle.property, reason: obstacle.reason)
    }

    private static func violation(_ rule: MigrationViolation, _ count: Int) -> StoreMigrationPlan.Violation {
        StoreMigrationPlan.Violation(
            entity: rule.entity, property: rule.property, reason: rule.reason, objectCount: count)
    }

    // MARK: Versions

    private func version(of metadata: [String: Any]) -> StoreMigrationPlan.Version {
        let identifiers = metadata[NSStoreModelVersionIdentifiersKey] as? [Any] ?? []
        let checksum = metadata[NSPersistentStoreModelVersionChecksumKey] as? String
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        return StoreMigrationPlan.Version(
            identifiers: identifiers.map { "\($0)" }.sorted(),
            checksum: checksum ?? VersionHashes(byEntity: hashes).checksum)
    }

    private func version(_ model: CompiledModel, _ names: Set<String>?) -> StoreMigrationPlan.Version {
        StoreMigrationPlan.Version(
            identifiers: model.document.versionIdentifiers.sorted(),
            checksum: model.versionHashes.limited(to: names).checksum)
    }

    // MARK: The store

    private func survey(
        _ storeClass: NSPersistentStore.Type, _ source: NSManagedObjectModel, _ evolution: ModelEvolution,
        _ held: Set<EntityIndex>, _ subset: Set<EntityIndex>?
    ) throws -> MigrationSurvey {
        guard let databaseClass = storeClass as? DatabaseStore.Type else {
            return try reading(source) { context in
                let forecast = MigrationForecast(evolution, held, subset, context)
                return MigrationSurvey(
                    objectCounts: try forecast.objectCounts(),
                    violations: evolution.obstacles.isEmpty ? try forecast.violations() : [])
            }
        }
        let migration = StoreMigration(
            evolution, sourceSubset: held, subset: subset, metadata: Data(), modelCache: nil,
            transformedDefaults: destination.transformedDefaults,
            isDeferred: Optional(options).isSet(NSPersistentStoreDeferredLightweightMigrationOptionKey))
        do {
            return try databaseClass.driver().survey(migration, at: databaseClass.place(of: url))
        } catch {
            throw translated(error)
        }
    }

    private func method(
        _ survey: MigrationSurvey, _ storeClass: NSPersistentStore.Type
    ) -> StoreMigrationPlan.Method {
        if survey.steps != nil { return .inPlace }
        return .copying(
            reason: survey.inexpressible ?? "stores of type \(type) cannot be migrated in place")
    }

    /// Runs `body` with a context of a store that only its own class can read.
    private func reading<Result>(
        _ source: NSManagedObjectModel, _ body: (NSManagedObjectContext) throws -> Result
    ) throws -> Result {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: source)
        var options = options
        options[NSReadOnlyPersistentStoreOption] = true as NSNumber
        options[NSIgnorePersistentStoreVersioningOption] = true as NSNumber
        let store = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        let result = try context.performAndWait { try body(context) }
        try coordinator.remove(store)
        return result
    }
}

extension MigrationSurvey {
    fileprivate var statements: [StoreMigrationPlan.Statement] {
        (steps ?? []).map { step in
            StoreMigrationPlan.Statement(
                title: step.title, sql: step.sql, values: step.values, estimatedRowCount: step.rowEstimate)
        }
    }
}
