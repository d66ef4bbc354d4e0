#if SyncServer
import CoreData
import CoreDataSync
import Foundation
import Testing

@Suite("Stores that sync over HTTP")
struct StoreTests {
    private static func model() -> NSManagedObjectModel {
        let title = NSAttributeDescription()
        (title.name, title.attributeType) = ("title", .stringAttributeType)
        let note = NSEntityDescription()
        (note.name, note.managedObjectClassName) = ("Note", "NSManagedObject")
        note.properties = [title]
        let model = NSManagedObjectModel()
        model.entities = [note]
        return model
    }

    /// Makes a device with a store of its own, which syncs when a test asks it to.
    private static func device(
        _ name: String, _ server: LiveServer, _ model: NSManagedObjectModel
    ) async throws -> (PersistentSyncContainer, StoreSynchronizer) {
        let transport = try HTTPSyncTransport(
            server: server.url, zone: "Library", model: model, deviceName: name,
            configuration: LiveServer.patience
        ) { LiveServer.annasToken }
        let container = PersistentSyncContainer(
            name: name, managedObjectModel: model, sync: SyncOptions(transport: transport))
        container.persistentStoreDescriptions[0].url = URL(
            fileURLWithPath: "\(server.folder)/\(name).sqlite")
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        return (container, await container.synchronizer)
    }

    private static func titles(_ container: PersistentSyncContainer) async throws -> [String] {
        let context = container.newBackgroundContext()
        return try await context.perform {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
                .compactMap { $0.value(forKey: "title") as? String }.sorted()
        }
    }

    private static func add(_ title: String, _ container: PersistentSyncContainer) async throws {
        let context = container.newBackgroundContext()
        try await context.perform {
            let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            note.setValue(title, forKey: "title")
            try context.save()
        }
    }

    @Test("Two stores have each other's objects after both have synced")
    func twoStores() async throws {
        try await LiveServer.run { server in
            let model = Self.model()
            let (first, firstSync) = try await Self.device("phone", server, model)
            let (second, secondSync) = try await Self.device("laptop", server, model)
            try await Self.add("from the phone", first)
            try await Self.add("from the laptop", second)
            try await firstSync.syncNow()
            try await secondSync.syncNow()
            try await firstSync.syncNow()
            let expected = ["from the laptop", "from the phone"]
            #expect(try await Self.titles(first) == expected)
            #expect(try await Self.titles(second) == expected)
            await firstSync.stop()
            await secondSync.stop()
        }
    }
}
#endif
