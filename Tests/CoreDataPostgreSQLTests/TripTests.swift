import CoreData
import CoreDataLibpq
import CoreDataPostgreSQL
import Foundation
import Testing

@MainActor @Suite("Round trips to a PostgreSQL server", .needsServer)
struct TripTests {
    private let context: NSManagedObjectContext

    init() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
        try coordinator.addPersistentStore(type: .postgreSQL, at: try Place.new())
        context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        // The first save also asks which tables have triggers, and opens the connection.
        _ = try insert(1)
        try context.save()
    }

    private static var model: NSManagedObjectModel {
        let item = NSEntityDescription()
        item.name = "Item"
        let number = NSAttributeDescription()
        (number.name, number.attributeType) = ("number", .integer64AttributeType)
        let friends = NSRelationshipDescription()
        (friends.name, friends.destinationEntity, friends.inverseRelationship) = ("friends", item, friends)
        (friends.minCount, friends.maxCount) = (0, 0)
        item.properties = [number, friends]
        let model = NSManagedObjectModel()
        model.entities = [item]
        return model
    }

    private func insert(_ count: Int) throws -> [NSManagedObject] {
        (0..<count).map { number in
            let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
            item.setValue(number, forKey: "number")
            return item
        }
    }

    private func items() throws -> [NSManagedObject] {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
    }

    @Test("A fetch and a fault take one each")
    func reading() throws {
        context.reset()
        var found: [NSManagedObject] = []
        #expect(try TripCounter.count { found = try items() } == 1)
        context.refreshAllObjects()
        // The row cache would answer.
        context.stalenessInterval = 0
        #expect(TripCounter.count { _ = found[0].value(forKey: "number") } == 1)
    }

    @Test("A save of one object whose key is at hand takes one, and a save of any size two")
    func saving() throws {
        _ = try insert(1)
        #expect(try TripCounter.count { try context.save() } == 1)
        let many = try insert(1500)
        for (one, other) in zip(many, many.dropFirst()) {
            one.mutableSetValue(forKey: "friends").add(other)
        }
        #expect(try TripCounter.count { try context.save() } == 2)
        for item in many { item.setValue(7, forKey: "number") }
        for item in many.prefix(500) { context.delete(item) }
        #expect(try TripCounter.count { try context.save() } <= 2)
        #expect(try items().count == 1002)
    }
}
