import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// The migration of a store from the version of the model that it was made with to the one it is opened with,
/// as its options say.
struct StoreMigrator {
    let store: NSPersistentStore
    let coordinator: NSPersistentStoreCoordinator
    /// The entities of the store's configuration; nil for all.
    let entities: Set<EntityIndex>?
    /// The bundles to search for models and mapping models; nil stands for the program.
    var bundles: [Bundle]?

    var isAsked: Bool { store.options.isSet(NSMigratePersistentStoresAutomaticallyOption) }
    private var backup: MigrationBackup? { MigrationBackup(of: store) }

    /// Returns whether a store could not be opened because it is of another version of the model.
    static func isVersionMismatch(_ error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == NSCocoaErrorDomain
            && error.code == NSPersistentStoreIncompatibleVersionHashError
    }

    /// Migrates the store.
    ///
    /// - Parameter mismatch: The error that the store was opened with.
    /// - Throws: An error of stores, of kind `overtaken`, if another process has changed the store meanwhile,
    ///   which may then be of the wanted version.
    func migrate(after mismatch: NSError? = nil) throws {
        guard let url = store.url else { return }
        let metadata = try metadata(at: url)
        if let found = mismatch?.userInfo["metadata"] as? [String: Any] {
            try StoreMetadata(metadata).requireVersion(of: StoreMetadata(found), at: url)
        }
        do {
            try Profiling.recording(.migration) {
                try migrate(url, metadata)
            } describe: { event, _ in
                event.store = url.isFileURL ? url.path : url.shown
                event.mark = StoreMark(store)
                event.detail = destination.versionSummary
            }
        } catch {
            // The migration may have failed since another process changed the version of the store in
            // between.
            try StoreMetadata(self.metadata(at: url)).requireVersion(of: StoreMetadata(metadata), at: url)
            throw error
        }
    }

    private func migrate(_ url: URL, _ metadata: [String: Any]) throws {
        let source = try SourceModelSearch(
            metadata: metadata, url: url, destination: destination, options: store.options, bundles: bundles
        )
        .model(of: type(of: store))
        MigrationDebug.log(
            "will attempt automatic schema migration of the store at \(url.path) from \(source.versionSummary) to "
                + destination.versionSummary)
        let copying = CopyingMigration(store, at: url, metadata)
        if let found = MappingFiles(bundles: bundles).onlyMatch(from: source, to: destination) {
            let mapping = NSMappingModel(found.document)
            if !found.unmapped.isEmpty {
                FrameworkLog.warning(
                    "The mapping model has no mapping of \(found.unmapped.sorted().joined(separator: ", ")): the objects "
                        + "that the store at \(url.path) has of it are not migrated")
            }
            MigrationDebug.log("beginning migration by a mapping model with \(mapping.entityNames)")
            try copying.run(mapping, from: source, to: destination, entityNames, backup: backup)
            return MigrationDebug.log("the store at \(url.path) has been migrated by a copy")
        }
        MigrationDebug.log("no mapping model was found in the bundles")
        guard store.options.isSet(NSInferMappingModelAutomaticallyOption) else {
            throw missingMapping("Can't find mapping model for migration", source)
        }
        let evolution = try ModelEvolution(fromModel: source, toModel: destination)
        if let obstacle = evolution.obstacles.first {
            for obstacle in evolution.obstacles { MigrationDebug.log("cannot be inferred: \(obstacle)") }
            throw missingMapping(
                "Can't find or automatically infer mapping model for migration", source,
                [NSUnderlyingErrorKey: evolution.inferenceError(obstacle)])
        }
        MigrationDebug.log("beginning lightweight migration by an inferred mapping model")
        if try migrateInPlace(evolution, metadata) {
            return MigrationDebug.log("the store at \(url.path) has been migrated in place")
        }
        try copying.run(
            NSMappingModel(MappingDocument(evolution)), from: source, to: destination, entityNames,
            inferredFrom: evolution, backup: backup)
        MigrationDebug.log("the store at \(url.path) has been migrated by a copy")
    }

    private var destination: NSManagedObjectModel { coordinator.managedObjectModel }

    /// The names of the entities of the store's configuration; nil for all.
    private var entityNames: Set<String>? { coordinator.frozen.names(of: entities) }

    /// Returns the metadata of the store; a store of an app's own class has read them when it was opened.
    private func metadata(at url: URL) throws -> [String: Any] {
        if !(store is any FileBasedStore), let loaded = store.metadata,
            loaded[NSStoreModelVersionHashesKey] != nil
        {
            return loaded
        }
        return try type(of: store).metadataForPersistentStore(with: url)
    }

    /// Migrates the store in place, or returns false for a store that cannot do that or a change that needs
    /// objects.
    private func migrateInPlace(_ evolution: ModelEvolution, _ metadata: [String: Any]) throws -> Bool {
        guard let database = store as? DatabaseStore else { return false }
        do {
            try database.migrate(evolution, metadata, entities, backup)
            return true
        } catch let error as StoreError {
            switch error.kind {
            case .inexpressible: return false
            case .overtaken: throw error
            case .migrationViolation(let violation): throw violated(violation, error.nsError())
            default: throw error.nsError()
            }
        }
    }

    /// Returns the error that Apple's framework has for objects that break a rule, with the cause, which
    /// names the place.
    private func violated(_ violation: MigrationViolation, _ cause: NSError) -> NSError {
        let url = store.url ?? .nowhere
        var userInfo = cause.userInfo.filter { key, _ in key != NSLocalizedDescriptionKey }
        userInfo["reason"] = "Cannot migrate store in-place: \(violation.reason)"
        userInfo["sourceURL"] = url
        userInfo["destinationURL"] = url
        userInfo[NSUnderlyingErrorKey] = cause
        return CoreDataError.error(NSMigrationError, reason: cause.localizedFailureReason, userInfo)
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

extension NSManagedObjectModel {
    /// The version of the model as text for the log.
    fileprivate final var versionSummary: String {
        let identifiers = versionIdentifiers.map { "\($0)" }.filter { !$0.isEmpty }.sorted()
        return "version \(identifiers.joined(separator: ", ")) (\(versionChecksum))"
    }
}

extension NSMappingModel {
    fileprivate final var entityNames: String {
        (entityMappings ?? []).map { $0.name ?? "" }.joined(separator: ", ")
    }
}

extension ModelEvolution {
    /// Compares two models.
    ///
    /// Throws if one of them cannot be used.
    init(fromModel source: NSManagedObjectModel, toModel destination: NSManagedObjectModel) throws {
        self.init(from: try source.freeze().compiled, to: try destination.freeze().compiled)
    }

    /// Returns the error that says what cannot be inferred and why: the first obstacle by its parts, all of
    /// them as a list.
    func inferenceError(_ obstacle: MigrationObstacle) -> NSError {
        var userInfo: [String: Any] = ["entity": obstacle.entity, "reason": obstacle.reason]
        userInfo["property"] = obstacle.property
        userInfo["NSMigrationObstacles"] = obstacles.map(\.description)
        return CoreDataError.error(
            NSInferredMappingModelError, reason: obstacles.map(\.description).joined(separator: "; "),
            userInfo)
    }
}
