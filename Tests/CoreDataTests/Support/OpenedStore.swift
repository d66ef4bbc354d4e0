import Foundation

@testable import CoreData

/// A store, opened with a context on a private queue.
struct OpenedStore {
    let coordinator: NSPersistentStoreCoordinator
    let store: NSPersistentStore
    let context: NSManagedObjectContext

    init(
        _ url: URL, _ model: NSManagedObjectModel, type: String? = nil,
        options: [AnyHashable: Any]? = nil
    ) throws {
        let type = type ?? (url.isFileURL ? NSSQLiteStoreType : PostgreSQLStoreType)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        store = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: url, options: options)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    struct NoObject: Error {
        let uri: URL
    }

    func id(_ uri: URL) throws -> NSManagedObjectID {
        guard let id = coordinator.managedObjectID(forURIRepresentation: uri) else {
            throw NoObject(uri: uri)
        }
        return id
    }

    func close() throws {
        context.performAndWait { context.reset() }
        try coordinator.remove(store)
    }
}
