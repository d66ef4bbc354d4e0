import CoreData
import CoreDataPostgreSQL
import Foundation
import Testing

@MainActor @Suite("Several PostgreSQL stores", .needsServer)
struct SeveralStoresTests {
    @Test("Schemas of one database are different stores, and a schema is one store for all its users")
    func schemas() throws {
        let model = ItemStore.model([ItemStore.attribute("n", .integer64AttributeType)])
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let urls = try (0..<2).map { _ in try Place.new() }
        let stores = try urls.map { try coordinator.addPersistentStore(type: .postgreSQL, at: $0) }
        #expect(stores[0] !== stores[1])
        #expect(urls.map(coordinator.persistentStore(for:)) == stores)
        var other = try #require(URLComponents(url: urls[0], resolvingAgainstBaseURL: false))
        other.user = "somebody"
        #expect(coordinator.persistentStore(for: try #require(other.url)) === stores[0])
        #expect(try coordinator.addPersistentStore(type: .postgreSQL, at: urls[0]) === stores[0])

        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        for (number, store) in stores.enumerated() {
            let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
            item.setValue(number, forKey: "n")
            context.assign(item, to: store)
        }
        try context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        for (number, store) in stores.enumerated() {
            request.affectedStores = [store]
            #expect(try context.fetch(request).map { $0.value(forKey: "n") as? Int } == [number])
        }
    }
}
