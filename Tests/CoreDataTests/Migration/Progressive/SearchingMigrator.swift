import CoreData
import Foundation

/// The other way in which apps migrate: from the store's version to one for which the bundle has a mapping
/// model, again and again, until the store fits the model.
final class SearchingMigrator {
    enum Failure: Error {
        case unknownVersion
        case noMapping
    }

    let bundle: Bundle
    /// The models by the version to which a step leads.
    private(set) var progress: [Float] = []

    init(bundle: Bundle) {
        self.bundle = bundle
    }

    func progressivelyMigrate(_ storeURL: URL, ofType type: String, to finalModel: NSManagedObjectModel)
        throws
    {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            type: NSPersistentStore.StoreType(rawValue: type), at: storeURL)
        if finalModel.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) { return }
        guard
            let sourceModel = NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata)
        else { throw Failure.unknownVersion }
        let (targetModel, mapping) = try successor(of: sourceModel, finalModel)

        let manager = NSMigrationManager(sourceModel: sourceModel, destinationModel: targetModel)
        let folder = storeURL.deletingLastPathComponent()
        let name = storeURL.lastPathComponent
        let newURL = folder.appendingPathComponent("migrating-\(name)")
        try manager.migrateStore(
            from: storeURL, sourceType: type, options: nil, with: mapping, toDestinationURL: newURL,
            destinationType: type, destinationOptions: nil)
        progress.append(manager.migrationProgress)

        let backupURL = folder.appendingPathComponent("backup-\(name)")
        try FileManager.default.moveItem(at: storeURL, to: backupURL)
        do {
            try FileManager.default.moveItem(at: newURL, to: storeURL)
        } catch {
            try FileManager.default.moveItem(at: backupURL, to: storeURL)
            throw error
        }
        try FileManager.default.removeItem(at: backupURL)
        try progressivelyMigrate(storeURL, ofType: type, to: finalModel)
    }

    private func successor(
        of sourceModel: NSManagedObjectModel, _ finalModel: NSManagedObjectModel
    ) throws -> (NSManagedObjectModel, NSMappingModel) {
        for path in modelPaths {
            guard let model = NSManagedObjectModel(contentsOf: URL(fileURLWithPath: path)),
                let mapping = NSMappingModel(
                    from: [bundle], forSourceModel: sourceModel, destinationModel: model)
            else { continue }
            return (model, mapping)
        }
        let inferred = try NSMappingModel.inferredMappingModel(
            forSourceModel: sourceModel, destinationModel: finalModel)
        return (finalModel, inferred)
    }

    private var modelPaths: [String] {
        var paths: [String] = []
        for folder in bundle.paths(forResourcesOfType: "momd", inDirectory: nil) {
            let name = URL(fileURLWithPath: folder).lastPathComponent
            paths += bundle.paths(forResourcesOfType: "mom", inDirectory: name)
        }
        return paths + bundle.paths(forResourcesOfType: "mom", inDirectory: nil)
    }
}
