import CoreDataModelFormat
import Foundation

/// Leads a store through the stages of a manager.
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

    /// Nil if the store's options name no manager.
    init?(_ store: NSPersistentStore, to destination: NSManagedObjectModel) {
        guard
            let manager = store.options?[NSPersistentStoreStagedMigrationManagerOptionKey]
                as? NSStagedMigrationManager
        else { return nil }
        self.manager = manager
        self.store = store
        self.destination = destination
    }

    func run() throws {
        guard let url = store.url else { return }
        let metadata = try type(of: store).metadataForPersistentStore(with: url)
        let steps = try steps(from: checksum(of: metadata))
        try MigrationBackup(of: store)?.keep()
        // What a stage has led to is what the next starts from, also where no bundle has it.
        var former: NSManagedObjectModel?
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
                step.model, from: former,
                custom?.didMigrateHandler.map { handler in { try handler(manager, custom!) } })
            former = step.model
        }
    }

    // MARK: The chain

    private func checksum(of metadata: [String: Any]) -> String {
        if let checksum = metadata[NSPersistentStoreModelVersionChecksumKey] as? String { return checksum }
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        return VersionHashes(byEntity: hashes).checksum
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
            // What leads on from the coordinator's own version is for later versions of the app.
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
        // The stages end before the model does.
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

    /// To where the next custom stage starts, or to the end. Nil where another lightweight stage follows, which leads
    /// further.
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

    /// Opens the store with a model, which migrates it if it is of another version, and lets the app do its work.
    private func open(
        _ model: NSManagedObjectModel, from former: NSManagedObjectModel?, _ handler: (() throws -> Void)?
    ) throws {
        let container = NSPersistentContainer(name: "Migration", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: store.url!)
        description.type = store.addedType
        var options = store.options ?? [:]
        options[NSPersistentStoreStagedMigrationManagerOptionKey] = nil
        options[PersistentStoreMigrationBackupKey] = nil
        if let former { options[PersistentStoreMigrationSourceModelKey] = former }
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
    }
}
