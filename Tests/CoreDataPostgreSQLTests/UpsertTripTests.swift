import CoreData
import CoreDataLibpq
import CoreDataPostgreSQL
import CoreDataSQL
import Foundation
import Testing

@MainActor @Suite("Batch insertions over unique values on a PostgreSQL server", .needsServer)
struct UpsertTripTests {
    private let context: NSManagedObjectContext

    init() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
        try coordinator.addPersistentStore(type: .postgreSQL, at: try Place.new())
        context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        // The first write also asks which tables have triggers, and opens the connection.
        _ = try insert([["name": "first", "code": -1]])
    }

    /// Items whose names and codes are unique, and whose wings have each floor once.
    private static var model: NSManagedObjectModel {
        let item = NSEntityDescription()
        item.name = "Item"
        let types: KeyValuePairs<String, NSAttributeType> = [
            "name": .stringAttributeType, "code": .integer64AttributeType, "wing": .stringAttributeType,
            "floor": .integer64AttributeType, "note": .stringAttributeType,
        ]
        item.properties = types.map { name, type in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, type)
            return attribute
        }
        item.uniquenessConstraints = [["name"], ["code"], ["wing", "floor"]]
        let model = NSManagedObjectModel()
        model.entities = [item]
        return model
    }

    private func insert(_ rows: [[String: Any]]) throws -> Int {
        let request = NSBatchInsertRequest(entityName: "Item", objects: rows)
        request.resultType = .count
        return try #require((context.execute(request) as? NSBatchInsertResult)?.result as? Int)
    }

    /// Returns the values of all items but the first, in the order of their keys; a `-` stands for none.
    private func contents() throws -> [String] {
        context.reset()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = NSPredicate(format: "code == nil OR code != -1")
        request.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
        return try context.fetch(request).map { item in
            ["name", "code", "wing", "floor", "note"].map { key in
                item.value(forKey: key).map { "\($0)" } ?? "-"
            }.joined(separator: " ")
        }
    }

    @Test("Rows of which half are stored take two trips, besides the transaction and the keys")
    func trips() throws {
        let rows = (0..<3000).map { ["name": "n\($0)", "code": $0, "note": "old"] as [String: Any] }
        #expect(try insert(Array(rows.prefix(1500))) == 1500)
        let changed = rows.map { $0.merging(["note": "new"]) { $1 } }
        var count = 0
        let trips = try TripCounter.count { count = try insert(changed) }
        #expect(trips == 5)
        #expect(count == 3000)
        #expect(try contents() == (0..<3000).map { "n\($0) \($0) - - new" })
    }

    @Test("Rows with the same values of a constraint are written one after the other")
    func duplicates() throws {
        #expect(
            try insert([
                ["name": "a", "code": 1, "note": "first"], ["name": "b", "code": 2],
                ["name": "a", "note": "second"], ["name": "c", "code": 2], ["name": "a", "code": 3],
            ]) == 5)
        #expect(try contents() == ["a 3 - - second", "c 2 - - -"])
    }

    @Test("A row is compared with what earlier rows have made of stored ones")
    func dependence() throws {
        #expect(
            try insert([
                ["name": "a", "code": 1, "floor": 2], ["name": "b", "code": 5, "wing": "w", "floor": 9],
            ]) == 2)
        #expect(
            try insert([
                // It gives up the code 1, so that a later row with that code is new.
                ["name": "a", "code": 7],
                ["name": "new", "code": 1],
                // With the floor that is stored, the wing makes values that no row here has.
                ["name": "a", "wing": "w"],
                ["wing": "w", "floor": 2, "note": "found"],
            ]) == 4)
        #expect(try contents() == ["a 7 w 2 found", "b 5 w 9 -", "new 1 - - -"])
    }
}
