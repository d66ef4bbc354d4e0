import CoreData
import Foundation

/// A store file that is opened with one version of a model after the other.
final class VersionedStore {
    let folder: ScratchFolder
    let type: String
    private(set) var coordinator: NSPersistentStoreCoordinator
    private(set) var context: NSManagedObjectContext

    init(_ sketch: String, type: String = NSSQLiteStoreType, options: [AnyHashable: Any] = [:]) throws {
        folder = try ScratchFolder()
        self.type = type
        (coordinator, context) = try Self.open(ModelSketch(sketch).model, at: folder.file(), type, options)
    }

    static var automatic: [AnyHashable: Any] {
        [
            NSMigratePersistentStoresAutomaticallyOption: true as NSNumber,
            NSInferMappingModelAutomaticallyOption: true as NSNumber,
        ]
    }

    /// The same, with a count before and after.
    static var verified: [AnyHashable: Any] {
        automatic.merging([PersistentStoreMigrationVerificationKey: true as NSNumber]) { $1 }
    }

    private static func open(
        _ model: NSManagedObjectModel, at url: URL, _ type: String, _ options: [AnyHashable: Any]
    ) throws -> (NSPersistentStoreCoordinator, NSManagedObjectContext) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        return (coordinator, context)
    }

    /// Saves, closes, and opens the file with another version, by an automatic lightweight migration unless the options
    /// say otherwise.
    func migrate(to sketch: String, options: [AnyHashable: Any] = automatic) throws {
        try migrate(to: ModelSketch(sketch).model, options: options)
    }

    func migrate(to model: NSManagedObjectModel, options: [AnyHashable: Any] = automatic) throws {
        try close()
        (coordinator, context) = try Self.open(model, at: folder.file(), type, options)
    }

    func close() throws {
        if context.hasChanges { try context.save() }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    @discardableResult
    func insert(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        context.insert(entity, values)
    }

    func fetch(_ entity: String, _ format: String? = nil, by key: String? = nil) throws -> [NSManagedObject] {
        try context.fetch(entity, format, [], sortedBy: key)
    }

    func value(_ key: String, of entity: String) throws -> [Any?] {
        try fetch(entity, by: "name").map { $0.value(forKeyPath: key) }
    }
}
