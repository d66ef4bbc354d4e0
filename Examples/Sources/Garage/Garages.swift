import CoreData

/// The garages of a company: each has a container of its own, and all share one model.
@MainActor
final class Garages {
    static let model: NSManagedObjectModel = {
        guard let url = Bundle.module.url(forResource: "Garage", withExtension: "momd"),
            let model = NSManagedObjectModel(contentsOf: url)
        else { fatalError("The model is not in the bundle") }
        return model
    }()

    private let directory: URL?
    private var containers: [String: NSPersistentContainer] = [:]

    /// Garages whose files lie in a folder; without one they are at `/dev/null`, and gone with the program.
    init(directory: URL? = nil) {
        self.directory = directory
    }

    /// Opens the garage of a town: its registry in one file, and its log, which grows and may be thrown away,
    /// in another.
    func container(of town: String) throws -> NSPersistentContainer {
        if let container = containers[town] { return container }
        let container = NSPersistentContainer(name: town, managedObjectModel: Self.model)
        container.persistentStoreDescriptions = ["Registry", "Log"].map { configuration in
            let description = NSPersistentStoreDescription()
            description.configuration = configuration
            if let directory {
                description.url = directory.appendingPathComponent("\(town)-\(configuration).sqlite")
            }
            return description
        }
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = failure ?? error }
        if let failure { throw failure }
        container.viewContext.automaticallyMergesChangesFromParent = true
        containers[town] = container
        return container
    }
}
