import CoreData

/// Opens the app's store and hands the container over when it is ready.
func createMoodsContainer(at url: URL? = nil, completion: (Result<NSPersistentContainer, any Error>) -> Void)
{
    ColorsTransformer.register()
    let container = NSPersistentContainer(name: "Moods")
    if let url {
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    }
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    container.viewContext.mergePolicy = MoodsMergePolicy(mode: .local)
    completion(failure.map(Result.failure) ?? .success(container))
}
