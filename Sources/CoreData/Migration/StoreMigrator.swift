import CoreDataModelFormat
import CoreDataValues
import Foundation

/// Brings a store from the version of the model that it was made with to the one it is opened with, as its options ask.
struct StoreMigrator {
    let store: NSPersistentStore
    let coordinator: NSPersistentStoreCoordinator
    /// Those of the store's configuration; nil for all.
    let entities: Set<EntityIndex>?

    private func isSet(_ key: String) -> Bool { (store.options?[key] as? NSNumber)?.boolValue ?? false }

    var isAsked: Bool { isSet(NSMigratePersistentStoresAutomaticallyOption) }

    /// Whether a store could not be opened because it is of another version of the model.
    static func isVersionMismatch(_ error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == NSCocoaErrorDomain
            && error.code == NSPersistentStoreIncompatibleVersionHashError
    }

    func migrate() throws {
        guard let url = store.url else { return }
        let metadata = try type(of: store).metadataForPersistentStore(with: url)
        let source = try SourceModelSearch(
            metadata: metadata, url: url, destination: coordinator.managedObjectModel
        )
        .model(of: type(of: store))
        guard isSet(NSInferMappingModelAutomaticallyOption) else {
            throw missingMapping("Can't find mapping model for migration", source)
        }
        let evolution = try ModelEvolution(fromModel: source, toModel: coordinator.managedObjectModel)
        if let obstacle = evolution.obstacles.first {
            throw missingMapping(
                "Can't find or automatically infer mapping model for migration", source,
                [NSUnderlyingErrorKey: evolution.inferenceError(obstacle)])
        }
        guard let migrating = store as? any StoreMigratingInPlace else {
            throw CoreDataError.unsupported("Migrating stores of type \(store.type)")
        }
        try MigrationBackup(of: store)?.keep()
        MigrationDebug.log("Beginning lightweight migration of the store at \(url.path)")
        try migrating.migrate(evolution, metadata, entities)
        MigrationDebug.log("The store at \(url.path) has been migrated in place")
    }

    private func missingMapping(
        _ reason: String, _ source: NSManagedObjectModel, _ more: [String: Any] = [:]
    ) -> NSError {
        CoreDataError.error(
            NSMigrationMissingMappingModelError, reason: reason,
            more.merging(
                [
                    "reason": reason, "sourceModel": source,
                    "destinationModel": coordinator.managedObjectModel,
                    filePathKey: store.url?.path ?? "",
                ]) { first, _ in first })
    }
}

/// A store that becomes one of another model where it lies.
protocol StoreMigratingInPlace: NSPersistentStore {
    /// - Parameters:
    ///   - metadata: what the store says of itself.
    ///   - entities: of the new model, those of the store's configuration; nil for all.
    func migrate(_ evolution: ModelEvolution, _ metadata: [String: Any], _ entities: Set<EntityIndex>?) throws
}

extension ModelEvolution {
    /// Throws if one of the models cannot be used.
    init(fromModel source: NSManagedObjectModel, toModel destination: NSManagedObjectModel) throws {
        self.init(from: try source.freeze().compiled, to: try destination.freeze().compiled)
    }

    /// What cannot be inferred, and why: the first obstacle by its parts, all of them as a list.
    func inferenceError(_ obstacle: MigrationObstacle) -> NSError {
        var userInfo: [String: Any] = ["entity": obstacle.entity, "reason": obstacle.reason]
        userInfo["property"] = obstacle.property
        userInfo["NSMigrationObstacles"] = obstacles.map(\.description)
        return CoreDataError.error(
            NSInferredMappingModelError, reason: obstacles.map(\.description).joined(separator: "; "),
            userInfo)
    }
}
