import CoreData

/// The app's stack: its model is found by name.
public final class CompanyStore {
    public let container: NSPersistentContainer
    public var context: NSManagedObjectContext { container.viewContext }

    public init(url: URL) throws {
        container = NSPersistentContainer(name: "Company")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }
}
