import CoreData
import Foundation

/// A stack over any model, in a folder that is removed with its last user.
final class ModelStack {
    let folder: ScratchFolder
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext

    init(
        _ model: NSManagedObjectModel, in folder: ScratchFolder? = nil,
        type: NSPersistentStore.StoreType = .sqlite, options: [String: NSObject] = [:]
    ) throws {
        self.folder = try folder ?? ScratchFolder()
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(type: type, at: self.folder.file(), options: options)
        context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
    }

    convenience init(_ entities: [NSEntityDescription]) throws {
        let model = NSManagedObjectModel()
        model.entities = entities
        try self.init(model)
    }

    /// Returns a new stack on the same file.
    func reopened() throws -> ModelStack {
        try ModelStack(coordinator.managedObjectModel, in: folder)
    }

    /// Returns the values at a key path of each object, as a new stack reads the file.
    func stored(_ entity: String, _ keyPath: String) throws -> [Any?] {
        let fresh = try reopened()
        return try fresh.fetch(entity).map { $0.value(forKeyPath: keyPath) }
    }

    /// Another context over the same coordinator.
    func sibling() -> NSManagedObjectContext {
        let sibling = NSManagedObjectContext(.mainQueue)
        sibling.persistentStoreCoordinator = coordinator
        return sibling
    }

    @discardableResult
    func insert(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        context.insert(entity, values)
    }

    func fetch(_ entity: String, _ format: String? = nil, _ arguments: Any...) throws -> [NSManagedObject] {
        try context.fetch(entity, format, arguments, sortedBy: nil)
    }
}

extension NSManagedObjectContext {
    /// Saves, and has another context merge the notification.
    func save(mergingInto context: NSManagedObjectContext) throws {
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: self, queue: nil
        ) { context.mergeChanges(fromContextDidSave: $0) }
        defer { NotificationCenter.default.removeObserver(token) }
        try save()
    }
}
