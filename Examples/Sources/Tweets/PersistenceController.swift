import CoreData

/// The app's stack, made once for the app, and for each preview in memory.
struct PersistenceController {
    static let shared = PersistenceController()

    let container: NSPersistentContainer

    init(inMemory: Bool = false) {
        self.init(at: inMemory ? URL(fileURLWithPath: "/dev/null") : nil)
    }

    init(at url: URL?) {
        container = NSPersistentContainer(name: "Tweets")
        if let url { container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)] }
        container.loadPersistentStores { _, error in
            if let error = error as NSError? {
                fatalError("Unresolved error \(error), \(error.userInfo)")
            }
        }
        container.viewContext.automaticallyMergesChangesFromParent = true
    }

    /// A context for imports: where another one brings the same tweets at the same time, they become one.
    func importContext() -> NSManagedObjectContext {
        let context = container.newBackgroundContext()
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        return context
    }

    /// Imports a time line in the background and tells how many tweets it brought.
    func importTimeline(_ data: Data) async throws -> Int {
        let context = importContext()
        return try await context.perform {
            let count = try Timeline(data: data).insert(into: context)
            try context.save()
            return count
        }
    }
}
