import CoreData
import Testing

@testable import Plants

@MainActor
@Suite("Plants")
struct PlantsTests {
    @Test("Plants are listed room by room")
    func rooms() throws {
        let household = try Household(storeAt: URL(fileURLWithPath: "/dev/null"))
        try household.add("Monstera", room: "Kitchen")
        try household.add("Basil", room: "Kitchen")
        try household.add("Ivy", room: "Hall")
        let rooms = try household.rooms()
        #expect(rooms.sections?.map(\.name) == ["Hall", "Kitchen"])
        #expect(rooms.fetchedObjects?.map(\.name) == ["Ivy", "Basil", "Monstera"])
    }

    @Test("A plant is thirsty until it is watered, and again after its days")
    func water() throws {
        let household = try Household(storeAt: URL(fileURLWithPath: "/dev/null"))
        let noon = Date(timeIntervalSinceReferenceDate: 0)
        try household.add("Basil", room: "Kitchen")
        #expect(try household.thirsty(at: noon).map(\.name) == ["Basil"])
        try household.water("basil", at: noon)
        #expect(try household.thirsty(at: noon + 6 * 86_400).isEmpty)
        #expect(try household.thirsty(at: noon + 7 * 86_400).map(\.name) == ["Basil"])
    }
}

extension PlantsTests {
    @Test("A store of the first version is migrated, and its plants have seven days")
    func migration() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Plants-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("Plants.sqlite")

        let first = try #require(Household.model(version: "Plants"))
        let before = NSPersistentStoreCoordinator(managedObjectModel: first)
        let store = try before.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url)
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
        #expect(plant.wateredAt == nil)
    }
}
