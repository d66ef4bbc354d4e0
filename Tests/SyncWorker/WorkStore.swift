import CoreData
import CoreDataSync
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The store of a client, which is synced with those of the others.
final class WorkStore: Sendable {
    static let zone = "Work"
    static let token = "a-token-of-the-sync-test"

    let container: PersistentSyncContainer

    init(at url: URL, server: URL, device: String) throws {
        let model = Self.model
        // Faults last for seconds, and what comes after them should not last much longer.
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 5
        var options = SyncOptions(
            transport: try HTTPSyncTransport(
                server: server, zone: Self.zone, model: model, deviceName: device,
                configuration: configuration, token: { Self.token }))
        (options.longestRetryInterval, options.timeout, options.pollInterval) = (1, 5, 5)
        container = PersistentSyncContainer(name: "Work", managedObjectModel: model, sync: options)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
    }

    /// Runs a block with all that the store shows at one moment.
    func look<Result: Sendable>(
        _ body: @escaping @Sendable (View, NSManagedObjectContext) throws -> Result
    ) async throws -> Result {
        try await container.performBackgroundTask { context in
            try context.setQueryGenerationFrom(.current)
            return try body(try Self.view(in: context), context)
        }
    }

    // MARK: Reading

    private static func view(in context: NSManagedObjectContext) throws -> View {
        var view = View()
        for entry in try dictionaries("Entry", ["client", "number"], in: context) {
            guard let client = entry["client"] as? String, let number = entry["number"] as? Int else {
                continue
            }
            let known = view.entries[client] ?? View.Entries(last: 0, count: 0)
            view.entries[client] = View.Entries(last: max(known.last, number), count: known.count + 1)
        }
        for cell in try dictionaries("Cell", ["name", "left", "right"], in: context) {
            guard let name = cell["name"] as? String else { continue }
            if view.cells[name] != nil { view.doubles.append(name) }
            view.cells[name] = View.Cell(left: cell["left"] as? String, right: cell["right"] as? String)
        }
        for tally in try dictionaries("Tally", ["name", "count"], in: context) {
            guard let name = tally["name"] as? String else { continue }
            if view.tallies[name] != nil { view.doubles.append(name) }
            view.tallies[name, default: 0] += tally["count"] as? Int ?? 0
        }
        view.leaves = try dictionaries("Leaf", ["name"], in: context).compactMap { $0["name"] as? String }
            .sorted()
        return view
    }

    private static func dictionaries(
        _ entity: String, _ properties: [String], in context: NSManagedObjectContext
    ) throws -> [[String: Any]] {
        let request = NSFetchRequest<NSDictionary>(entityName: entity)
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = properties
        return try context.fetch(request).compactMap { $0 as? [String: Any] }
    }

    // MARK: Writing

    /// Does a write in one save.
    static func save(_ write: Write, in context: NSManagedObjectContext) throws {
        let entry = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
        entry.setValue(write.client, forKey: "client")
        entry.setValue(write.number, forKey: "number")
        let cell = try object("Cell", named: write.cell, in: context)
        for side in ["left", "right"] { cell.setValue(write.name, forKey: side) }
        let tally = try object("Tally", named: write.tally, in: context)
        tally.setValue((tally.value(forKey: "count") as? Int ?? 0) + write.amount, forKey: "count")
        if write.addsLeaf { _ = try object("Leaf", named: write.name, in: context) }
        if let name = write.deletes { context.delete(try object("Leaf", named: name, in: context)) }
        try context.save()
    }

    /// Returns the object of a name, which is made if there is none. Those that several clients make are one.
    private static func object(
        _ entity: String, named name: String, in context: NSManagedObjectContext
    ) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "name == %@", name)
        if let object = try context.fetch(request).first { return object }
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValue(name, forKey: "name")
        return object
    }

    // MARK: Model

    private static var model: NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = [
            entity("Entry", [attribute("client"), attribute("number", .integer64AttributeType)]),
            entity("Cell", isNamed: true, isUnique: true, [attribute("left"), attribute("right")]),
            entity(
                "Tally", isNamed: true,
                [attribute("count", .integer64AttributeType, info: ["SyncMerge": "counter"])]),
            entity("Leaf", isNamed: true, []),
        ]
        return model
    }

    /// - Parameter isUnique: Whether the store refuses a second object of a name. Without, an import and a save that do not
    ///   see each other may make two, which become one when they are synced.
    private static func entity(
        _ name: String, isNamed: Bool = false, isUnique: Bool = false, _ attributes: [NSAttributeDescription]
    ) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = "NSManagedObject"
        entity.properties = attributes
        if isNamed {
            entity.properties.append(attribute("name"))
            entity.userInfo = ["SyncIdentity": "name"]
        }
        if isUnique { entity.uniquenessConstraints = [["name"]] }
        return entity
    }

    private static func attribute(
        _ name: String, _ type: NSAttributeType = .stringAttributeType, info: [String: String] = [:]
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        attribute.userInfo = info
        return attribute
    }
}
