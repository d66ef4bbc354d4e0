import CoreDataModelFormat
import CoreDataStore
import Foundation

/// The migration of a store through the stages of a manager.
struct StagedMigration {
    private struct Step {
        let stage: NSMigrationStage
        /// The model that the store is brought to.
        let model: NSManagedObjectModel
        var before: NSManagedObjectModel?
    }

    private let manager: NSStagedMigrationManager
    private let store: NSPersistentStore
    private let destination: NSManagedObjectModel

    /// Makes the migration of a store; nil if the store's options name no manager.
    init?(_ store: NSPersistentStore, to destination: NSManagedObjectModel) {
        guard
            let manager = store.options?[NSPersistentStoreStagedMigrationManagerOptionKey]
                as? NSStagedMigrationManager
        else { return nil }
        self.manager = manager
        self.store = store
        self.destination = destination
    }

    /// Whether a stage has migrated the store but its last handler has not ended, because a process died or
    /// is still at work.
    var isUnfinished: Bool {
        guard let url = store.url, !url.isNowhere,
            let metadata = try? type(of: store).metadataForPersistentStore(with: url)
        else { return false }
        return StoreMetadata(metadata).unfinishedStage != nil
    }

    /// Finishes a stage that was left unfinished, and runs the stages that follow.
    ///
    /// It waits for other processes that are migrating the store.
    ///
    /// - Parameter mismatch: The error that the store was opened with; nil if it is of the right version.
    /// - Throws: An error of stores, of kind `overtaken`, if another process has migrated the store
    ///   meanwhile.
    func run(after mismatch: NSError? = nil) throws {
        guard let url = store.url else { return }
        let options = store.options ?? [:]
        let lock: AnyObject
        do {
            lock = try type(of: store).reserveStages(at: url, timeout: options.timeout)
        } catch {
            throw translated(error)
        }
        try withExtendedLifetime(lock) {
            let metadata = StoreMetadata(try type(of: store).metadataForPersistentStore(with: url))
            if let found = mismatch?.userInfo["metadata"] as? [String: Any] {
                try metadata.requireVersion(of: StoreMetadata(found), at: url)
            }
            if let unfinished = try metadata.unfinishedStage.flatMap(unfinishedStep) {
                try run([unfinished], at: url)
            }
            guard mismatch != nil else { return }
            let checksum = checksum(of: metadata.values)
            let steps = try steps(from: checksum)
            if metadata.unfinishedStage == nil { try MigrationBackup(of: store)?.keep() }
            try run(steps, from: known(checksum), at: url)
        }
    }

    private func run(_ steps: [Step], from start: NSManagedObjectModel? = nil, at url: URL) throws {
        // The next stage starts from the model to which this one led, even if no bundle has that model.
        var former = start
        for step in steps {
            MigrationDebug.log("stage \"\(step.stage.label ?? "")\" of the store at \(url.path)")
            let custom = step.stage as? NSCustomMigrationStage
            if let before = step.before {
                try open(
                    before, from: former,
                    custom?.willMigrateHandler.map { handler in { try handler(manager, custom!) } })
                former = before
            }
            try open(
                step.model, from: former, isLast: true,
                custom?.didMigrateHandler.map { handler in { try handler(manager, custom!) } })
            former = step.model
        }
    }

    /// Returns the model of a version that one of the stages starts from or leads to, where a process that
    /// died may have left the store.
    private func known(_ checksum: String) throws -> NSManagedObjectModel? {
        try manager.stages.compactMap { $0 as? NSCustomMigrationStage }
            .flatMap { [$0.currentModel, $0.nextModel] }
            .first { $0.versionChecksum == checksum }?.resolve()
    }

    /// Returns the rest of a stage that has migrated the store to a version.
    private func unfinishedStep(_ checksum: String) throws -> Step? {
        let stage = manager.stages.lazy.compactMap { $0 as? NSCustomMigrationStage }
            .first { $0.nextModel.versionChecksum == checksum }
        return try stage.map { Step(stage: $0, model: try $0.nextModel.resolve()) }
    }

    // MARK: The chain

    /// Returns the version of a store: of one that has a part of its model's entities, as its configuration says,
    /// the latest version of a stage in which that part is the store's.
    private func checksum(of metadata: [String: Any]) -> String {
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        let own =
            metadata[NSPersistentStoreModelVersionChecksumKey] as? String
            ?? VersionHashes(byEntity: hashes).checksum
        if manager.stages.contains(where: { $0.startingChecksums.contains(own) || leads($0, to: own) }) {
            return own
        }
        let versions = manager.stages.compactMap { $0 as? NSCustomMigrationStage }
            .flatMap { [$0.currentModel, $0.nextModel] }
        let fitting = versions.last {
            (try? $0.resolve())?.isConfiguration(
                withName: store.configurationName, compatibleWithStoreMetadata: metadata) ?? false
        }
        return fitting?.versionChecksum ?? own
    }

    private func steps(from checksum: String) throws -> [Step] {
        let start = try firstStage(from: checksum)
        let target = destination.versionChecksum
        if let end = manager.stages.firstIndex(where: { $0.startingChecksums.contains(target) }), end < start
        {
            throw failure(
                NSStagedMigrationBackwardMigrationError,
                "Cannot migrate backwards: the store is of a later version than the model of the coordinator."
            )
        }
        var steps: [Step] = []
        for (index, stage) in manager.stages.enumerated().dropFirst(start) {
            // Stages from the coordinator's own version on are for later versions of the app.
            if stage.startingChecksums.contains(target) { break }
            if let custom = stage as? NSCustomMigrationStage {
                steps.append(
                    Step(
                        stage: stage, model: try custom.nextModel.resolve(),
                        before: try custom.currentModel.resolve()))
            } else if let step = try lightweightStep(stage, index) {
                steps.append(step)
            }
        }
        if steps.last?.model.versionChecksum == target { return steps }
        // The stages end before the coordinator's model.
        let rest = NSLightweightMigrationStage([])
        rest.label = "to the model of the coordinator"
        return steps + [Step(stage: rest, model: destination)]
    }

    private func firstStage(from checksum: String) throws -> Int {
        let stages = manager.stages
        if let start = stages.firstIndex(where: { $0.startingChecksums.contains(checksum) }) { return start }
        if stages.last.map({ leads($0, to: checksum) }) ?? false { return stages.count }
        throw failure(
            NSManagedObjectModelReferenceNotFoundError,
            "Cannot use staged migration with an unknown model version: no stage starts from \(checksum), the version "
                + "of the store.")
    }

    private func leads(_ stage: NSMigrationStage, to checksum: String) -> Bool {
        (stage as? NSCustomMigrationStage)?.nextModel.versionChecksum == checksum
            || (stage as? NSLightweightMigrationStage)?.versionChecksums.last == checksum
    }

    /// Returns the step to the version that the next custom stage starts from, or to the last version.
    ///
    /// It is nil if another lightweight stage follows, whose step includes this one.
    private func lightweightStep(_ stage: NSMigrationStage, _ index: Int) throws -> Step? {
        guard index + 1 < manager.stages.count else { return Step(stage: stage, model: destination) }
        guard let next = manager.stages[index + 1] as? NSCustomMigrationStage else { return nil }
        return Step(stage: stage, model: try next.currentModel.resolve())
    }

    private func failure(_ code: Int, _ reason: String) -> NSError {
        CoreDataError.error(
            code, reason: reason,
            [
                "reason": reason, filePathKey: store.url?.path ?? "",
                "stages": manager.stages.map { $0.label ?? "" },
            ])
    }

    // MARK: Steps

    /// Opens the store with a model, which migrates it if it is of another version, and calls the app's
    /// handler.
    ///
    /// - Parameter isLast: Whether the handler is the last part of the stage. The migration notes in the
    ///   store that the handler is still to be called, so that the next process calls it if this one dies.
    private func open(
        _ model: NSManagedObjectModel, from former: NSManagedObjectModel?, isLast: Bool = false,
        _ handler: (() throws -> Void)?
    ) throws {
        let container = NSPersistentContainer(name: "Migration", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: store.url!)
        description.type = store.addedType
        var options = store.options ?? [:]
        options[NSPersistentStoreStagedMigrationManagerOptionKey] = nil
        options[PersistentStoreMigrationBackupKey] = nil
        if let former { options[PersistentStoreMigrationSourceModelKey] = former }
        if isLast, handler != nil {
            options[UnfinishedStageKey] = NSString(string: model.versionChecksum)
        }
        options[NSMigratePersistentStoresAutomaticallyOption] = true as NSNumber
        options[NSInferMappingModelAutomaticallyOption] = true as NSNumber
        for (key, value) in options {
            if let key = key as? String { description.setOption(value as? NSObject, forKey: key) }
        }
        if model.configurations.contains(store.configurationName) {
            description.configuration = store.configurationName
        }
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        defer {
            manager.container = nil
            let coordinator = container.persistentStoreCoordinator
            for store in coordinator.persistentStores { try? coordinator.remove(store) }
        }
        manager.container = container
        try handler?()
        if isLast { container.persistentStoreCoordinator.persistentStores.forEach(finishStage) }
    }

    private func finishStage(of store: NSPersistentStore) {
        var metadata = StoreMetadata(store.metadata)
        guard metadata.unfinishedStage != nil else { return }
        metadata.unfinishedStage = nil
        store.metadata = metadata.values
    }
}
