import CoreData
import Foundation

/// A stack over a new store of the type that is checked.
final class Stage {
    let conformance: StoreConformance
    let url: URL
    private(set) var coordinator: NSPersistentStoreCoordinator
    private(set) var context: NSManagedObjectContext
    /// The folder of a store in a file.
    private let folder: URL?
    /// The context is kept for the whole check, since its objects are unusable without it.
    private var siblings: [NSManagedObjectContext] = []

    init(_ conformance: StoreConformance) throws {
        self.conformance = conformance
        let name = "conformance-\(UUID().uuidString)"
        if let place = conformance.place {
            folder = nil
            url = try place(name)
        } else {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            self.folder = folder
            url = folder.appendingPathComponent("store")
        }
        (coordinator, context) = try Self.open(conformance, url)
    }

    private static func open(
        _ conformance: StoreConformance, _ url: URL
    ) throws -> (NSPersistentStoreCoordinator, NSManagedObjectContext) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: conformance.model())
        try coordinator.addPersistentStore(
            ofType: conformance.storeType, configurationName: nil, at: url, options: conformance.options())
        return (coordinator, context(of: coordinator))
    }

    private static func context(of coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Removes the store. If this fails, the store stays where its type keeps temporary ones.
    func clear() {
        if let folder {
            try? FileManager.default.removeItem(at: folder)
        } else {
            for store in coordinator.persistentStores { try? coordinator.remove(store) }
            try? coordinator.destroyPersistentStore(at: url, ofType: conformance.storeType)
        }
    }

    var store: NSPersistentStore { coordinator.persistentStores[0] }

    // MARK: Contexts

    /// Makes another context over the same store.
    func sibling() -> NSManagedObjectContext {
        siblings.append(Self.context(of: coordinator))
        return siblings[siblings.count - 1]
    }

    /// Closes the store and opens it again.
    func reopen() throws {
        try coordinator.remove(store)
        (coordinator, context) = try Self.open(conformance, url)
    }

    /// Makes a SQLite store with a model of the same shape, to compare with.
    func reference() throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: conformance.model())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"))
        return Self.context(of: coordinator)
    }

    // MARK: Objects

    @discardableResult
    func insert(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        context.insert(entity, values)
    }

    func fetch(_ entity: String, _ format: String? = nil, _ arguments: Any...) throws -> [NSManagedObject] {
        try context.objects(entity, format.map { NSPredicate(format: $0, argumentArray: arguments) })
    }

    func first(_ entity: String, _ format: String? = nil, _ arguments: Any...) throws -> NSManagedObject {
        let predicate = format.map { NSPredicate(format: $0, argumentArray: arguments) }
        guard let object = try context.objects(entity, predicate).first else {
            throw ConformanceFailure(description: "There is no \(entity) with \(format ?? "anything").")
        }
        return object
    }
}

extension NSManagedObjectContext {
    @discardableResult
    func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    func objects(_ entity: String, _ predicate: NSPredicate? = nil) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        return try fetch(request)
    }
}

extension NSManagedObject {
    var name: String? { value(forKey: "name") as? String }

    func names(_ key: String) -> Set<String> {
        Set((value(forKey: key) as? Set<NSManagedObject> ?? []).compactMap(\.name))
    }

    func orderedNames(_ key: String) -> [String] {
        (value(forKey: key) as? NSOrderedSet)?.array.compactMap { ($0 as? NSManagedObject)?.name } ?? []
    }
}

// MARK: Expectations

func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw ConformanceFailure(description: message()) }
}

func expect<Value: Equatable>(_ value: Value, is expected: Value, _ subject: String) throws {
    try expect(value == expected, "\(subject) is \(value), not \(expected).")
}

/// Returns the error that a block throws.
func error(_ subject: String, _ body: () throws -> Void) throws -> NSError {
    do {
        try body()
    } catch {
        return error as NSError
    }
    throw ConformanceFailure(description: "\(subject) threw no error.")
}
