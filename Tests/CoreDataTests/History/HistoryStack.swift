import CoreData
import Foundation

/// A coordinator over a store with history; several of them may share the store.
final class HistoryStack {
    let folder: ScratchFolder
    let coordinator: NSPersistentStoreCoordinator
    let store: NSPersistentStore
    let context: NSManagedObjectContext

    init(
        in folder: ScratchFolder? = nil, file: String = "store.sqlite", options: [String: NSObject] = [:],
        keepsHistory: Bool = true
    ) throws {
        self.folder = try folder ?? ScratchFolder()
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        var options = options
        if keepsHistory { options[NSPersistentHistoryTrackingKey] = true as NSNumber }
        store = try coordinator.addPersistentStore(
            type: .tested, at: self.folder.place(.tested, file), options: options)
        // A confined context, since tests run on threads of their own.
        context = NSManagedObjectContext()
        context.persistentStoreCoordinator = coordinator
    }

    /// Returns a model of cars and owners. A deleted car's plate and year are preserved.
    static func model() -> NSManagedObjectModel {
        ModelSketch(
            """
            Owner
              name string
              cars ->> Car.owner
            Car
              plate string preserved
              built date preserved
              maker string
              owner -> Owner.cars
            SportCar: Car
              top int16
            """
        ).model
    }

    /// Another coordinator over the same store.
    func sibling(options: [String: NSObject] = [:]) throws -> HistoryStack {
        try HistoryStack(in: folder, options: options)
    }

    @discardableResult
    func insert(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        context.insert(entity, values)
    }

    /// One transaction that inserts one car.
    @discardableResult
    func saveCar(_ plate: String = "A") throws -> NSManagedObject {
        let car = insert("Car", ["plate": plate])
        try context.save()
        return car
    }

    // MARK: History

    var token: NSPersistentHistoryToken? {
        coordinator.currentPersistentHistoryToken(fromStores: coordinator.persistentStores)
    }

    func result<Result>(
        _ request: NSPersistentHistoryChangeRequest, as type: NSPersistentHistoryResultType
    ) throws -> Result {
        request.resultType = type
        let result = try context.execute(request) as? NSPersistentHistoryResult
        guard result?.resultType == type, let value = result?.result as? Result else {
            throw WrongResult(description: "\(String(describing: result?.result))")
        }
        return value
    }

    struct WrongResult: Error {
        let description: String
    }

    func transactions(after token: NSPersistentHistoryToken? = nil) throws -> [NSPersistentHistoryTransaction]
    {
        try result(.fetchHistory(after: token), as: .transactionsAndChanges)
    }

    /// Returns the names of the properties that an update wrote.
    func written(_ change: NSPersistentHistoryChange?) -> Set<String> {
        Set((change?.updatedProperties ?? []).map(\.name))
    }

    /// Returns the numbers of the transactions that a predicate matches.
    func numbers(_ format: String, _ arguments: Any...) throws -> [Int64] {
        let fetch = NSPersistentHistoryTransaction.fetchRequest!
        fetch.predicate = NSPredicate(format: format, argumentArray: arguments)
        let found: [NSPersistentHistoryTransaction] = try result(
            .fetchHistory(withFetch: fetch), as: .transactionsOnly)
        return found.map(\.transactionNumber)
    }

    /// Returns the changes that a predicate matches.
    func changes(_ format: String, _ arguments: Any...) throws -> [NSPersistentHistoryChange] {
        let fetch = NSPersistentHistoryChange.fetchRequest!
        fetch.predicate = NSPredicate(format: format, argumentArray: arguments)
        return try result(.fetchHistory(withFetch: fetch), as: .changesOnly)
    }

    /// Returns the code of a request's error.
    func code(of request: NSPersistentHistoryChangeRequest) -> Int? {
        do {
            try context.execute(request)
            return nil
        } catch {
            return (error as NSError).code
        }
    }
}
