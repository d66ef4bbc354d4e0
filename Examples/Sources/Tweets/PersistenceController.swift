import CoreData

/// The app's stack, made once for the app and in memory for each test and preview.
struct PersistenceController {
    static let shared = PersistenceController()

    let container: NSPersistentContainer

    init(inMemory: Bool = false) {
        container = NSPersistentContainer(name: "Tweets")
        if inMemory {
            container.persistentStoreDescriptions.first?.url = URL(fileURLWithPath: "/dev/null")
        }
        container.loadPersistentStores { _, error in
            if let error = error as NSError? {
                fatalError("Unresolved error \(error), \(error.userInfo)")
            }
        }
        container.viewContext.automaticallyMergesChangesFromParent = true
    }

    /// Imports a time line in the background and tells how many tweets it brought.
    func importTimeline(_ data: Data) async throws -> Int {
        try await container.performBackgroundTask { context in
            let timeline = try Timeline(data: data)
            let tweets = try timeline.tweets.map { try Tweet.findOrCreate($0, in: context) }
            let inserted = tweets.filter(\.isInserted).count
            try User.link(timeline.users, in: context)
            try context.save()
            return inserted
        }
    }
}
