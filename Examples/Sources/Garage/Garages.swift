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

    private let place: (String) -> URL
    private var containers: [String: NSPersistentContainer] = [:]

    /// Garages whose stores are where the function says, by their names. Without it they are in memory, and
    /// gone with the program.
    init(at place: @escaping (String) -> URL = { _ in URL(fileURLWithPath: "/dev/null") }) {
        self.place = place
    }

    /// Opens the garage of a town: its registry in one store, and its log, which grows and may be thrown away,
    /// in another.
    func container(of town: String) throws -> NSPersistentContainer {
        if let container = containers[town] { return container }
        let container = NSPersistentContainer(name: town, managedObjectModel: Self.model)
        container.persistentStoreDescriptions = ["Registry", "Log"].map { configuration in
            let description = NSPersistentStoreDescription(url: place("\(town)-\(configuration)"))
            description.configuration = configuration
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
