internal import CoreData

/// A store as it is at one moment, read by a context: whatever is saved later is not seen, where stores have query
/// generations.
struct StoreMoment {
    let context: NSManagedObjectContext
    private let generation: NSQueryGenerationToken?

    /// Whether later saves are not seen. They are in a store without a write-ahead log, or where the coordinator has
    /// another store without query generations.
    var isPinned: Bool { generation != nil }

    /// Pins a context to the present.
    init(of access: StoreAccess, in context: NSManagedObjectContext) throws {
        self.context = context
        do {
            try context.setQueryGenerationFrom(.current)
        } catch {
            generation = nil
            return
        }
        // A context is pinned with its first reading.
        if let entity = access.entities.first(where: { !$0.isAbstract }), let name = entity.name {
            let request = NSFetchRequest<NSManagedObject>(entityName: name)
            request.fetchLimit = 1
            request.affectedStores = [access.store]
            _ = try context.count(for: request)
        }
        generation = context.queryGenerationToken
    }

    /// Has the context forget the objects that it has read. One that is reset would move on to the present.
    func forgetObjects() throws {
        context.reset()
        if let generation { try context.setQueryGenerationFrom(generation) }
    }
}
