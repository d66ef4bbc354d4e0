import CoreData
import Foundation

/// A loaded container over a store in a folder that is removed with its last user. Objects are fetched by
/// name.
class ContainerStack {
    let folder: ScratchFolder
    let container: NSPersistentContainer
    var context: NSManagedObjectContext { container.viewContext }
    var storeURL: URL { folder.file("Store.sqlite") }

    init(_ model: NSManagedObjectModel, in folder: ScratchFolder? = nil) throws {
        self.folder = try folder ?? ScratchFolder()
        container = NSPersistentContainer(name: "Store", managedObjectModel: model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: storeURL)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    @discardableResult
    func insert(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        context.insert(entity, values)
    }

    func fetch(_ entity: String, _ format: String? = nil, _ arguments: Any...) throws -> [NSManagedObject] {
        try context.fetch(entity, format, arguments, sortedBy: "name")
    }

    func names(_ entity: String, _ format: String? = nil, _ arguments: Any...) throws -> [String] {
        try context.fetch(entity, format, arguments, sortedBy: "name")
            .map { $0.value(forKey: "name") as? String ?? "nil" }
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
}
