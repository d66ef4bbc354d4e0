internal import CoreData
internal import Foundation

/// A store of teams and persons in which a self-test tries something.
final class ProbedStore {
    let folder: URL
    private let options: [AnyHashable: Any]
    private(set) var coordinator: NSPersistentStoreCoordinator
    private(set) var store: NSPersistentStore

    /// Makes a store in a folder of its own.
    init(keepingHistory keepsHistory: Bool) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "SyncSelfTest-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        options = [
            NSPersistentHistoryTrackingKey: NSNumber(value: keepsHistory),
            NSPersistentStoreRemoteChangeNotificationPostOptionKey: NSNumber(value: true),
        ]
        do {
            (coordinator, store) = try Self.open(folder, options)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    private static func open(
        _ folder: URL, _ options: [AnyHashable: Any]
    ) throws -> (NSPersistentStoreCoordinator, NSPersistentStore) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil,
            at: folder.appendingPathComponent("Probe.sqlite"),
            options: options)
        return (coordinator, store)
    }

    /// Closes the store and opens it again.
    func reopen() throws {
        try coordinator.remove(store)
        (coordinator, store) = try Self.open(folder, options)
    }

    /// Closes the store and removes its files.
    func remove() {
        try? coordinator.remove(store)
        try? FileManager.default.removeItem(at: folder)
    }

    /// Teams that have persons, who go with their team and carry badges.
    private static func model() -> NSManagedObjectModel {
        let entities = ["Team", "Person", "Badge"].map { name in
            let entity = NSEntityDescription()
            (entity.name, entity.managedObjectClassName) = (name, "NSManagedObject")
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (
                "name", .stringAttributeType, true
            )
            entity.properties = [attribute]
            return entity
        }
        relate(
            ("persons", .cascadeDeleteRule, 0), of: entities[0], ("team", .nullifyDeleteRule, 1),
            of: entities[1])
        relate(
            ("badges", .nullifyDeleteRule, 0), of: entities[1], ("persons", .nullifyDeleteRule, 0),
            of: entities[2])
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    private typealias Side = (name: String, rule: NSDeleteRule, most: Int)

    private static func relate(
        _ first: Side, of owner: NSEntityDescription, _ second: Side, of member: NSEntityDescription
    ) {
        let sides = [(first, owner, member), (second, member, owner)].map { side, entity, target in
            let relationship = NSRelationshipDescription()
            (relationship.name, relationship.deleteRule, relationship.maxCount) = (
                side.name, side.rule, side.most
            )
            (relationship.isOptional, relationship.destinationEntity) = (true, target)
            entity.properties.append(relationship)
            return relationship
        }
        (sides[0].inverseRelationship, sides[1].inverseRelationship) = (sides[1], sides[0])
    }

    // MARK: Using it

    /// Makes a context as the engine has them.
    func context(author: String = "app", name: String? = nil) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
        context.mergePolicy = NSErrorMergePolicy
        (context.transactionAuthor, context.name) = (author, name)
        return context
    }

    /// Changes objects in a context of its own, and saves it.
    @discardableResult
    func change<Result>(
        author: String = "app", name: String? = nil, _ body: (NSManagedObjectContext) throws -> Result
    ) throws -> Result {
        let context = context(author: author, name: name)
        return try context.performAndWait {
            let result = try body(context)
            try context.save()
            return result
        }
    }

    /// Makes an object, and returns its ID.
    @discardableResult
    func add(_ entity: String, _ name: String) throws -> NSManagedObjectID {
        let object: NSManagedObject = try change { context in
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            object.setValue(name, forKey: "name")
            return object
        }
        return object.objectID
    }

    /// Returns the transactions after a token.
    func history(after token: NSPersistentHistoryToken?) throws -> [NSPersistentHistoryTransaction] {
        let context = context()
        return try context.performAndWait {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
            request.affectedStores = [store]
            let result = try context.execute(request) as? NSPersistentHistoryResult
            guard let transactions = result?.result as? [NSPersistentHistoryTransaction] else {
                throw SelfTestProblem(description: "the history is no list of transactions")
            }
            return transactions
        }
    }

    /// Where the history ends.
    func historyEnd() throws -> NSPersistentHistoryToken {
        guard let token = coordinator.currentPersistentHistoryToken(fromStores: [store]) else {
            throw SelfTestProblem(description: "the history has no end")
        }
        return token
    }

    /// Returns how many objects of an entity there are.
    func count(_ entity: String) throws -> Int {
        let context = context()
        return try context.performAndWait {
            try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
        }
    }
}
