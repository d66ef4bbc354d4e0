import CoreData
import Foundation

/// A folder with the stores that an operation works on.
struct Place {
    let folder: URL
    let type: String
    /// Whether the stores have a history.
    var keepsHistory = false
    /// Seconds that an operation waits for others.
    var timeout = 10.0

    /// The store that the operation works on.
    var store: URL { folder.appendingPathComponent("store") }
    /// The store that the operation takes content from.
    var source: URL { Self.source(in: folder, type) }
    private static func source(in folder: URL, _ type: String) -> URL {
        folder.appendingPathComponent("source-\(type)")
    }
    var backup: URL { folder.appendingPathComponent("backup") }
    /// A store that only carries a model.
    var carrier: URL { folder.appendingPathComponent("carrier") }

    var options: [AnyHashable: Any] {
        var options: [AnyHashable: Any] = [NSPersistentStoreTimeoutOption: timeout as NSNumber]
        if keepsHistory { options[NSPersistentHistoryTrackingKey] = true as NSNumber }
        return options
    }

    static var migrating: [AnyHashable: Any] {
        [
            NSMigratePersistentStoresAutomaticallyOption: true as NSNumber,
            NSInferMappingModelAutomaticallyOption: true as NSNumber,
            // Only a database carries its model.
            PersistentStoreMigrationSourceModelKey: Items.model(.first),
        ]
    }

    /// Opens a store with a coordinator of its own.
    func open(
        _ url: URL, _ version: Items.Version = .first, type: String? = nil, _ more: [AnyHashable: Any] = [:]
    ) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Items.model(version))
        try coordinator.addPersistentStore(
            ofType: type ?? self.type, configurationName: nil, at: url, options: options.merging(more) { $1 })
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    func close(_ context: NSManagedObjectContext) throws {
        guard let coordinator = context.persistentStoreCoordinator else { return }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// Makes a closed store with some items.
    func make(
        _ url: URL, _ names: [String], _ version: Items.Version = .first, photos: [String] = [],
        type: String? = nil, hasMany: Bool = false
    ) throws {
        let context = try open(url, version, type: type)
        try Items.insert(names, photos: photos, into: context)
        if hasMany { try Items.insertMany(into: context) }
        try close(context)
    }

    // MARK: What is there

    /// Returns the store at a URL as text: its type, the version of its model, its items. "nothing" where a
    /// store can be made.
    func content(of url: URL) throws -> String {
        let metadata: [AnyHashable: Any]
        do {
            metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(with: url)
        } catch CocoaError.fileReadNoSuchFile {
            return "nothing"
        }
        let type = metadata[NSStoreTypeKey] as? String ?? "?"
        for version in Items.Version.allCases {
            let model = Items.model(version)
            guard
                model.isConfiguration(
                    withName: nil, compatibleWithStoreMetadata: metadata as? [String: Any] ?? [:])
            else { continue }
            let context = try open(url, version, type: type)
            defer { try? close(context) }
            let notes = [metadata["note"]].compactMap { $0 as? String }
            let history = keepsHistory ? "history " + (try Items.describeHistory(context)) : ""
            return (["\(type) \(version)"] + notes + [try Items.describe(context), history])
                .filter { !$0.isEmpty }.joined(separator: " ")
        }
        return "\(type) of an unknown version"
    }

    /// Returns the content of each of the stores that operations work with.
    func contents() throws -> [String: String] {
        var result: [String: String] = [:]
        let sources = Operation.all.map { Self.source(in: folder, Operation.storeType($0)) }
        for url in [store, backup, carrier] + sources { result[url.lastPathComponent] = try content(of: url) }
        return result
    }

    /// Returns the paths of all files and folders, with unique names replaced by a common one.
    func listing() -> [String] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        let unique = "[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}"
        return paths.map { $0.replacingOccurrences(of: unique, with: "#", options: .regularExpression) }
            .sorted()
    }
}
