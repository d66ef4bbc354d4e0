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

    /// In the order in which file managers list names.
    public func employees(of department: String) throws -> [Employee] {
        let request = NSFetchRequest<Employee>(entityName: "Employee")
        request.predicate = NSPredicate(format: "%K == %@", #keyPath(Employee.department.name), department)
        request.sortDescriptors = [
            NSSortDescriptor(
                key: #keyPath(Employee.name), ascending: true,
                selector: #selector(NSString.localizedStandardCompare(_:)))
        ]
        return try context.fetch(request)
    }
}
