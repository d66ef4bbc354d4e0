import CoreData
import Foundation

/// A coordinator with one store.
final class Stack {
    let coordinator: NSPersistentStoreCoordinator
    private let store: NSPersistentStore

    init(
        _ url: URL, _ type: String, _ model: NSManagedObjectModel, _ options: [AnyHashable: Any]? = nil
    ) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        store = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: url, options: options)
    }

    convenience init(
        _ path: String, _ model: NSManagedObjectModel, _ options: [AnyHashable: Any]? = nil
    ) throws {
        try self.init(URL(fileURLWithPath: path), NSSQLiteStoreType, model, options)
    }

    func makeContext(_ type: NSManagedObjectContextConcurrencyType = .mainQueueConcurrencyType)
        -> NSManagedObjectContext
    {
        let context = NSManagedObjectContext(concurrencyType: type)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    func close() throws { try coordinator.remove(store) }
}

extension NSManagedObjectContext {
    /// Returns the objects of an entity with their values loaded, fetched with a request that the body
    /// configures.
    func objects<Object: NSManagedObject>(
        _ entity: String, of type: Object.Type,
        _ configure: (NSFetchRequest<Object>) -> Void = { _ in }
    ) throws -> [Object] {
        let request = NSFetchRequest<Object>(entityName: entity)
        request.returnsObjectsAsFaults = false
        configure(request)
        return try fetch(request)
    }
}
