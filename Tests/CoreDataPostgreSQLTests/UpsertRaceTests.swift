import CoreData
import CoreDataPostgreSQL
import CoreDataSQL
import Foundation
import Testing

@Suite("Batch insertions beside other writers", .needsServer)
struct UpsertRaceTests {
    private static func coordinator(at url: URL) throws -> NSPersistentStoreCoordinator {
        let item = NSEntityDescription()
        item.name = "Item"
        item.properties = ["name", "code", "note"].map { name in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, .stringAttributeType)
            return attribute
        }
        item.uniquenessConstraints = [["name"], ["code"]]
        let model = NSManagedObjectModel()
        model.entities = [item]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: .postgreSQL, at: url)
        return coordinator
    }

    private static func insert(
        _ rows: [[String: Any]], _ coordinator: NSPersistentStoreCoordinator
    ) throws {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try context.performAndWait {
            _ = try context.execute(NSBatchInsertRequest(entityName: "Item", objects: rows))
        }
    }

    @Test("A row whose values another program takes meanwhile changes that program's row")
    func race() throws {
        let url = try Place.new()
        let coordinator = try Self.coordinator(at: url)
        try Self.insert([["name": "first", "code": "1"]], coordinator)
        let rival = try Rival(
            url, "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZCODE) SELECT 1000000, Z_ENT, 1, '2' FROM ZITEM")
        let hasWaited = try rival.meet {
            try Self.insert([["name": "second", "code": "2", "note": "new"]], coordinator)
        }
        #expect(hasWaited)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.predicate = NSPredicate(format: "code == '2'")
            let found = try context.fetch(request)
            #expect(found.map { $0.objectID.uriRepresentation().lastPathComponent } == ["p1000000"])
            #expect(found.first?.value(forKey: "note") as? String == "new")
            #expect(found.first?.value(forKey: "name") as? String == "second")
        }
    }
}
