import CoreData
import Foundation

/// A coordinator and a context over a store in a folder that is removed with its last user.
class TestStack {
    let folder: ScratchFolder
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext
    /// The key by which `fetch` sorts, or nil for the store's order.
    private let sortKey: String?

    let storeURL: URL

    init(
        _ model: NSManagedObjectModel, in folder: ScratchFolder? = nil,
        type: NSPersistentStore.StoreType = .tested, options: [String: NSObject] = [:],
        sortedBy sortKey: String? = nil
    ) throws {
        self.folder = try folder ?? ScratchFolder()
        self.sortKey = sortKey
        storeURL = try self.folder.place(type)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(type: type, at: storeURL, options: options)
        context = coordinator.context(.mainQueue)
    }

    /// Makes a stack of several stores, each in a file that has the name of its configuration.
    init(
        _ model: NSManagedObjectModel, configurations: [(String, NSPersistentStore.StoreType)],
        in folder: ScratchFolder? = nil
    ) throws {
        self.folder = try folder ?? ScratchFolder()
        sortKey = nil
        storeURL = self.folder.file()
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        for (name, type) in configurations {
            _ = try coordinator.addPersistentStore(
                type: type, configuration: name, at: self.folder.place(type, name))
        }
        context = coordinator.context(.mainQueue)
    }

    convenience init(
        _ sketch: String, classes: [String: NSManagedObject.Type] = [:], in folder: ScratchFolder? = nil,
        type: NSPersistentStore.StoreType = .tested, options: [String: NSObject] = [:]
    ) throws {
        let model = ModelSketch(sketch).model(classes: classes)
        try self.init(model, in: folder, type: type, options: options)
    }

    /// Returns a new stack on the same file.
    func reopened() throws -> TestStack {
        try TestStack(coordinator.managedObjectModel, in: folder, sortedBy: sortKey)
    }

    /// Returns the value at a key path of each object, as a new stack reads the file.
    func stored(_ entity: String, _ keyPath: String) throws -> [Any?] {
        let fresh = try reopened()
        return try withExtendedLifetime(fresh) {
            try fresh.fetch(entity).map { $0.value(forKeyPath: keyPath) }
        }
    }

    func stored<Value>(
        _ entity: String, _ keyPath: String, as type: Value.Type = Value.self
    ) throws -> [Value?] {
        let values: [Any?] = try stored(entity, keyPath)
        return values.map { $0 as? Value }
    }

    /// Returns another context over the same coordinator.
    func sibling(
        _ type: NSManagedObjectContext.ConcurrencyType = .mainQueue
    ) -> NSManagedObjectContext {
        coordinator.context(type)
    }

    @discardableResult
    func insert(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        context.insert(entity, values)
    }

    func fetch(_ entity: String, _ format: String? = nil, _ arguments: Any...) throws -> [NSManagedObject] {
        try context.fetch(entity, format, arguments, sortedBy: sortKey)
    }

    func names(_ entity: String, _ format: String? = nil, _ arguments: Any...) throws -> [String] {
        try context.names(entity, format, arguments)
    }
}

extension NSPersistentStoreCoordinator {
    func context(_ type: NSManagedObjectContext.ConcurrencyType) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(type)
        context.persistentStoreCoordinator = self
        return context
    }
}

extension NSManagedObjectContext {
    func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        object.setValuesForKeys(values)
        return object
    }

    func fetch(_ entity: String, _ format: String?, _ arguments: [Any], sortedBy key: String?) throws
        -> [NSManagedObject]
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        if let format { request.predicate = NSPredicate(format: format, argumentArray: arguments) }
        if let key { request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)] }
        return try fetch(request)
    }

    /// Returns the names of the objects that a format finds, in alphabetical order.
    func names(_ entity: String, _ format: String? = nil, _ arguments: [Any] = []) throws -> [String] {
        try fetch(entity, format, arguments, sortedBy: "name")
            .map { $0.value(forKey: "name") as? String ?? "nil" }
    }

    /// Saves, and has another context merge the notification.
    func save(mergingInto context: NSManagedObjectContext) throws {
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: self, queue: nil
        ) { context.mergeChanges(fromContextDidSave: $0) }
        defer { NotificationCenter.default.removeObserver(token) }
        try save()
    }
}
