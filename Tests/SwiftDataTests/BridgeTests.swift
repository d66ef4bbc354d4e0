#if SwiftData
import CoreData
import SwiftData
import Testing

@Suite("Models and the managed objects behind them")
struct BridgeTests {
    @Test("A change of the managed object is one of the model, and is saved with it")
    func changes() throws {
        let container = try memoryContainer(Trip.self)
        let context = ModelContext(container)
        let trip = Trip(code: "A", name: "Alps")
        #expect(trip.managedObject == nil)
        context.insert(trip)
        let object = try #require(trip.managedObject)
        object.setValue("Andes", forKey: "name")
        #expect(trip.name == "Andes" && object.persistentModel === trip)
        try context.managedObjectContext.save()
        #expect(!trip.hasChanges && object.managedObjectContext?.modelContext === context)
        let id = PersistentIdentifier(managedObjectID: object.objectID)
        #expect(id == trip.persistentModelID && id.managedObjectID == object.objectID)
    }

    @Test(
        "A Core Data context on the container's coordinator reads what models saved, and contexts take over its saves"
    )
    func coordinator() throws {
        let container = try memoryContainer(Trip.self)
        let context = ModelContext(container)
        let trip = Trip(code: "A", name: "Alps")
        context.insert(trip)
        try context.save()
        let other = NSManagedObjectContext(.privateQueue)
        other.persistentStoreCoordinator = container.persistentStoreCoordinator
        try other.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Trip")
            let object = try #require(try other.fetch(request).first)
            #expect(object.persistentModel == nil)
            object.setValue("Andes", forKey: "name")
            try other.save()
        }
        context.processPendingChanges()
        #expect(trip.name == "Andes")
    }

    @Test("A Core Data context without a queue takes over saves before its next block")
    func confinement() throws {
        let container = try memoryContainer(Trip.self)
        let context = ModelContext(container)
        let trip = Trip(code: "A", name: "Alps")
        context.insert(trip)
        try context.save()
        let other = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        other.persistentStoreCoordinator = container.persistentStoreCoordinator
        other.automaticallyMergesChangesFromParent = true
        let object = try #require(
            try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Trip")).first)
        #expect(object.value(forKey: "name") as? String == "Alps")
        trip.name = "Andes"
        try context.save()
        #expect(object.value(forKey: "name") as? String == "Alps")
        other.performAndWait {}
        #expect(object.value(forKey: "name") as? String == "Andes")
    }
}
#endif
