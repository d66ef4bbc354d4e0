import CoreData

/// The objects of one entity in one context.
final class Store<Entity: NSManagedObject>: Sendable where Entity: Managed {
    private let context: NSManagedObjectContext

    init(context: NSManagedObjectContext) {
        self.context = context
    }

    func fetch(
        where predicate: NSPredicate? = nil, sortedBy sortDescriptors: [NSSortDescriptor]? = nil,
        limit: Int = 0
    ) throws -> [Entity] {
        let request = request(where: predicate)
        if let sortDescriptors { request.sortDescriptors = sortDescriptors }
        request.fetchLimit = limit
        return try context.fetch(request)
    }

    func first(where predicate: NSPredicate? = nil) throws -> Entity? {
        try fetch(where: predicate, limit: 1).first
    }

    func count(where predicate: NSPredicate? = nil) throws -> Int {
        try context.count(for: request(where: predicate))
    }

    func object(with id: NSManagedObjectID) throws -> Entity? {
        try context.existingObject(with: id) as? Entity
    }

    @discardableResult
    func insert(_ configure: (Entity) -> Void) -> Entity {
        let entity: Entity = context.insertObject()
        configure(entity)
        return entity
    }

    @discardableResult
    func findOrCreate(matching predicate: NSPredicate, configure: (Entity) -> Void) throws -> Entity {
        try Entity.findOrCreate(in: context, matching: predicate, configure: configure)
    }

    func deleteAll(where predicate: NSPredicate? = nil) throws {
        try fetch(where: predicate).forEach(context.delete)
    }

    /// Changes what the block changes, and saves; when that fails nothing has changed.
    func performChanges(_ block: @escaping @Sendable (Store) throws -> Void) async throws {
        try await context.perform {
            try block(self)
            try self.context.saveOrRevert()
        }
    }

    /// One of the model's own requests, with its variables filled in.
    func fetch(template name: String, variables: [String: Any] = [:]) throws -> [Entity] {
        let model = context.persistentStoreCoordinator?.managedObjectModel
        let template = model?.fetchRequestFromTemplate(withName: name, substitutionVariables: variables)
        guard let predicate = template?.predicate else { return [] }
        return try fetch(where: predicate)
    }

    private func request(where predicate: NSPredicate?) -> NSFetchRequest<Entity> {
        let request = Entity.sortedFetchRequest
        if let predicate, let standing = request.predicate {
            request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [standing, predicate])
        }
        return request
    }
}
