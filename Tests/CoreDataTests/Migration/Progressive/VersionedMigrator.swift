import CoreData
import Foundation

// How apps often migrate step by step, with a list of versions. It uses nothing but Apple's API, and compiles
// unchanged on Apple's systems.

enum LibraryVersion: String, CaseIterable {
    case version1 = "Library"
    case version2 = "Library 2"
    case version3 = "Library 3"
    case version4 = "Library 4"

    static var current: LibraryVersion { allCases.last! }

    var next: LibraryVersion? {
        switch self {
        case .version1: .version2
        case .version2: .version3
        case .version3: .version4
        case .version4: nil
        }
    }

    func model(in bundle: Bundle) -> NSManagedObjectModel {
        let folder = "Library.momd"
        let optimized = bundle.url(forResource: rawValue, withExtension: "omo", subdirectory: folder)
        guard
            let url = optimized
                ?? bundle.url(forResource: rawValue, withExtension: "mom", subdirectory: folder),
            let model = NSManagedObjectModel(contentsOf: url)
        else { fatalError("no model named \(rawValue)") }
        return model
    }

    static func compatible(with metadata: [String: Any], in bundle: Bundle) -> LibraryVersion? {
        allCases.first {
            $0.model(in: bundle).isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
        }
    }
}

struct LibraryMigrationStep {
    let sourceModel: NSManagedObjectModel
    let destinationModel: NSManagedObjectModel
    let mappingModel: NSMappingModel

    init(from source: LibraryVersion, to destination: LibraryVersion, in bundle: Bundle) {
        sourceModel = source.model(in: bundle)
        destinationModel = destination.model(in: bundle)
        let custom = NSMappingModel(
            from: [bundle], forSourceModel: sourceModel, destinationModel: destinationModel)
        guard
            let mapping = custom
                ?? (try? NSMappingModel.inferredMappingModel(
                    forSourceModel: sourceModel, destinationModel: destinationModel))
        else { fatalError("no mapping from \(source) to \(destination)") }
        mappingModel = mapping
    }
}

final class VersionedMigrator {
    let bundle: Bundle
    let storeType: String

    init(bundle: Bundle, storeType: String) {
        self.bundle = bundle
        self.storeType = storeType
    }

    func requiresMigration(at storeURL: URL, to version: LibraryVersion) -> Bool {
        guard let metadata = metadata(at: storeURL) else { return false }
        return LibraryVersion.compatible(with: metadata, in: bundle) != version
    }

    func migrateStore(at storeURL: URL, to version: LibraryVersion) throws {
        try forceCheckpoint(of: storeURL)
        var currentURL = storeURL
        for step in steps(for: storeURL, to: version) {
            let manager = NSMigrationManager(
                sourceModel: step.sourceModel, destinationModel: step.destinationModel)
            let destinationURL = URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true)
                .appendingPathComponent(UUID().uuidString)
            try manager.migrateStore(
                from: currentURL, sourceType: storeType, options: nil, with: step.mappingModel,
                toDestinationURL: destinationURL, destinationType: storeType, destinationOptions: nil)
            if currentURL != storeURL { try destroyStore(at: currentURL) }
            currentURL = destinationURL
        }
        try replaceStore(at: storeURL, with: currentURL)
        if currentURL != storeURL { try destroyStore(at: currentURL) }
    }

    private func steps(for storeURL: URL, to destination: LibraryVersion) -> [LibraryMigrationStep] {
        guard let metadata = metadata(at: storeURL),
            var version = LibraryVersion.compatible(with: metadata, in: bundle)
        else { fatalError("unknown version of the store at \(storeURL)") }
        var steps: [LibraryMigrationStep] = []
        while version != destination, let next = version.next {
            steps.append(LibraryMigrationStep(from: version, to: next, in: bundle))
            version = next
        }
        return steps
    }

    // MARK: Write-ahead log

    /// Moves the log's content into the database by opening it once with another journal mode.
    private func forceCheckpoint(of storeURL: URL) throws {
        guard let metadata = metadata(at: storeURL),
            let model = NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata)
        else { return }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let options: [AnyHashable: Any] = [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
        let store = try coordinator.addPersistentStore(
            ofType: storeType, configurationName: nil, at: storeURL, options: options)
        try coordinator.remove(store)
    }

    // MARK: Files

    private func metadata(at storeURL: URL) -> [String: Any]? {
        try? NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: storeType, at: storeURL, options: nil)
    }

    private func destroyStore(at storeURL: URL) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
        try coordinator.destroyPersistentStore(at: storeURL, ofType: storeType, options: nil)
    }

    private func replaceStore(at targetURL: URL, with sourceURL: URL) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
        try coordinator.replacePersistentStore(
            at: targetURL, destinationOptions: nil, withPersistentStoreFrom: sourceURL, sourceOptions: nil,
            ofType: storeType)
    }
}
