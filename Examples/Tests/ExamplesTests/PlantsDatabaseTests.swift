import CoreData
import Testing

@testable import Plants

/// Tests on a server what `PlantsTests`, which the tutorial shows, tests in memory and in files.
@MainActor
@Suite("Plants in a database", .needsDatabase)
struct PlantsDatabaseTests {
    @Test("Plants are listed room by room, and are thirsty until they are watered")
    func rooms() throws {
        let household = try Household(storeAt: ScratchFile("Plants").url)
        try household.add("Monstera", room: "Kitchen")
        try household.add("Basil", room: "Kitchen")
        try household.add("Ivy", room: "Hall")
        let rooms = try household.rooms()
        #expect(rooms.sections?.map(\.name) == ["Hall", "Kitchen"])
        #expect(rooms.fetchedObjects?.map(\.name) == ["Ivy", "Basil", "Monstera"])
        let noon = Date(timeIntervalSinceReferenceDate: 0)
        try household.water("basil", at: noon)
        #expect(try household.thirsty(at: noon + 6 * 86_400).map(\.name) == ["Ivy", "Monstera"])
        #expect(try household.thirsty(at: noon + 7 * 86_400).count == 3)
    }

    @Test("A database of the first version is migrated, and its plants have seven days")
    func migration() throws {
        let url = ScratchFile("Plants").url
        let first = try #require(Household.model(version: "Plants"))
        let before = NSPersistentStoreCoordinator(managedObjectModel: first)
        let store = try before.addPersistentStore(type: .postgreSQL, at: url)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = before
        let ivy = NSEntityDescription.insertNewObject(forEntityName: "Plant", into: context)
        ivy.setValue("Ivy", forKey: "name")
        ivy.setValue("Hall", forKey: "room")
        try context.save()
        try before.remove(store)
        let after = try Household(storeAt: url)
        let plant = try #require(try after.context.fetch(Plant.fetchRequest()).first)
        #expect(plant.name == "Ivy")
        #expect(plant.days == 7)
    }
}
