import CoreData

/// An object with the facts that `Store` needs of its entity: its name, and the order and extent of its
/// lists.
protocol Managed: NSFetchRequestResult {
    static var entityName: String { get }
    static var defaultSortDescriptors: [NSSortDescriptor] { get }
    static var defaultPredicate: NSPredicate { get }
}

extension Managed {
    static var defaultSortDescriptors: [NSSortDescriptor] { [] }
    static var defaultPredicate: NSPredicate { NSPredicate(value: true) }
}

extension Managed where Self: NSManagedObject {
    static var entityName: String { entity().name! }

    /// All objects that belong in a list, in its order.
    static var sortedFetchRequest: NSFetchRequest<Self> {
        let request = NSFetchRequest<Self>(entityName: entityName)
        request.sortDescriptors = defaultSortDescriptors
        request.predicate = defaultPredicate
        return request
    }

    /// The object that matches: one at hand, one of the store, or a new one.
    static func findOrCreate(
        in context: NSManagedObjectContext, matching predicate: NSPredicate, configure: (Self) -> Void
    ) throws -> Self {
        if let object = try findOrFetch(in: context, matching: predicate) { return object }
        let object: Self = context.insertObject()
        configure(object)
        return object
    }

    static func findOrFetch(in context: NSManagedObjectContext, matching predicate: NSPredicate) throws
        -> Self?
    {
        if let object = materializedObject(in: context, matching: predicate) { return object }
        let request = NSFetchRequest<Self>(entityName: entityName)
        request.predicate = predicate
        request.returnsObjectsAsFaults = false
        request.fetchLimit = 1
        return try context.fetch(request).first
    }

    /// An object that the context has already, found without asking the store.
    static func materializedObject(in context: NSManagedObjectContext, matching predicate: NSPredicate)
        -> Self?
    {
        for object in context.registeredObjects where !object.isFault {
            guard let result = object as? Self, predicate.evaluate(with: result) else { continue }
            return result
        }
        return nil
    }
}

extension NSManagedObjectContext {
    func insertObject<A: NSManagedObject>() -> A where A: Managed {
        guard let object = NSEntityDescription.insertNewObject(forEntityName: A.entityName, into: self) as? A
        else {
            fatalError("Wrong object type")
        }
        return object
    }

    func saveOrRevert() throws {
        do {
            try save()
        } catch {
            rollback()
            throw error
        }
    }
}
