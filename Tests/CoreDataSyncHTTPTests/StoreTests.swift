#if SyncServer
import CoreData
import CoreDataSync
import CoreDataSyncServer
import CoreDataSyncTransport
import Foundation
import Synchronization
import Testing

@Suite("Stores that sync over HTTP")
struct StoreTests {
    private static func model() -> NSManagedObjectModel {
        let title = NSAttributeDescription()
        (title.name, title.attributeType) = ("title", .stringAttributeType)
        let note = NSEntityDescription()
        (note.name, note.managedObjectClassName) = ("Note", "NSManagedObject")
        let scan = NSAttributeDescription()
        (scan.name, scan.attributeType) = ("scan", .binaryDataAttributeType)
        let image = NSAttributeDescription()
        (image.name, image.attributeType) = ("image", .binaryDataAttributeType)
        let page = NSCompositeAttributeDescription()
        (page.name, page.elements) = ("page", [image])
        page.isOptional = true
        note.properties = [title, scan, page]
        let model = NSManagedObjectModel()
        model.entities = [note]
        return model
    }

    /// Makes a device with a store of its own, which syncs when a test asks it to.
    private static func device(
        _ name: String, _ server: LiveServer, _ model: NSManagedObjectModel, by way: URL? = nil,
        in folder: String? = nil, version: String? = nil,
        token: @escaping SyncHTTPClient.Token = { LiveServer.annasToken }
    ) async throws -> (PersistentSyncContainer, StoreSynchronizer) {
        let client = SyncHTTPClient(
            server: way ?? server.url, zone: "Library", configuration: LiveServer.patience,
            partBytes: 100_000, appVersion: version, token: token)
        let transport = try HTTPSyncTransport(client, model: model, deviceName: name)
        let container = PersistentSyncContainer(
            name: name, managedObjectModel: model, sync: SyncOptions(transport: transport))
        container.persistentStoreDescriptions[0].url = URL(
            fileURLWithPath: "\(folder ?? server.folder)/\(name).sqlite")
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

    /// Syncs, again as long as the network fails.
    private static func sync(_ synchronizer: StoreSynchronizer) async throws {
        while true {
            do {
                return try await synchronizer.syncNow()
            } catch is SyncFailure { continue }
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

    @Test("A server that begins with nothing gets everything from a device, whose store keeps it")
    func emptyServer() async throws {
        let folder = "\(FileManager.default.temporaryDirectory.path)/stores-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await LiveServer.run { server in
            let (store, synchronizer) = try await Self.device("phone", server, Self.model(), in: folder)
            try await Self.add("kept", store)
            try await synchronizer.syncNow()
            await synchronizer.stop()
        }
        try await LiveServer.run(now: { SyncService.present() + 10_000 }) { server in
            let (store, synchronizer) = try await Self.device("phone", server, Self.model(), in: folder)
            try await synchronizer.syncNow()
            #expect(try await Self.titles(store) == ["kept"])
            let (other, otherSync) = try await Self.device("laptop", server, Self.model())
            try await otherSync.syncNow()
            #expect(try await Self.titles(other) == ["kept"])
            await synchronizer.stop()
            await otherSync.stop()
        }
    }

    @Test("Why a server cannot be reached is said in words that can be shown")
    func unreachable() async throws {
        try await LiveServer.run { server in
            // Nobody listens there.
            let nowhere = try #require(URL(string: "http://127.0.0.1:1"))
            let (_, synchronizer) = try await Self.device("phone", server, Self.model(), by: nowhere)
            let failure = await #expect(throws: SyncFailure.self) { try await synchronizer.syncNow() }
            #expect(failure?.reason.contains("connect") == true)
            #expect(failure?.reason.contains("NSURLErrorDomain") == false)
            await synchronizer.stop()
        }
    }

    @Test(
        "Edits of an app that is too old for the server wait, with a status that says so, until it is updated"
    )
    func outdated() async throws {
        try await LiveServer.run(#""minimumVersion": "2.10""#) { server in
            let model = Self.model()
            let (store, synchronizer) = try await Self.device("phone", server, model, version: "2.9")
            try await Self.add("kept", store)
            let failure = await #expect(throws: SyncFailure.self) { try await synchronizer.syncNow() }
            #expect(failure?.reason == "the server wants version 2.10 of the app, or a later one")
            for await status in synchronizer.status {
                guard case .outdated(let version) = status else { continue }
                #expect(version == "2.10")
                break
            }
            #expect(try await synchronizer.pendingCount > 0)
            await synchronizer.stop()
            let (_, silent) = try await Self.device("old", server, model)
            await #expect(throws: SyncFailure.self) { try await silent.syncNow() }
            await silent.stop()

            let (updated, updatedSync) = try await Self.device("phone", server, model, version: "2.10.1")
            try await updatedSync.syncNow()
            #expect(try await Self.titles(updated) == ["kept"])
            let (other, otherSync) = try await Self.device("laptop", server, model, version: "3")
            try await otherSync.syncNow()
            #expect(try await Self.titles(other) == ["kept"])
            await updatedSync.stop()
            await otherSync.stop()
        }
    }

    @Test("With another user's token nothing is sent or received, and with the first one's all goes on")
    func otherUser() async throws {
        try await LiveServer.run { server in
            let user = Mutex(LiveServer.annasToken)
            let (store, synchronizer) = try await Self.device("phone", server, Self.model()) {
                user.withLock { $0 }
            }
            try await Self.add("anna's", store)
            try await synchronizer.syncNow()
            user.withLock { $0 = LiveServer.bensToken }
            try await Self.add("unsent", store)
            await #expect(throws: SyncFailure.self) { try await synchronizer.syncNow() }
            for await status in synchronizer.status {
                if status == .elsewhere(zone: "ben:Library") { break }
            }
            let (bens, bensSync) = try await Self.device("laptop", server, Self.model()) {
                LiveServer.bensToken
            }
            try await bensSync.syncNow()
            #expect(try await Self.titles(bens) == [])
            #expect(try await Self.titles(store) == ["anna's", "unsent"])
            user.withLock { $0 = LiveServer.annasToken }
            try await synchronizer.syncNow()
            let (other, otherSync) = try await Self.device("tablet", server, Self.model())
            try await otherSync.syncNow()
            #expect(try await Self.titles(other) == ["anna's", "unsent"])
            for synchronizer in [synchronizer, bensSync, otherSync] { await synchronizer.stop() }
        }
    }

    @Test("A user's name may have what a path cannot")
    func oddUser() async throws {
        try await LiveServer.run { server in
            let (first, firstSync) = try await Self.device("phone", server, Self.model()) {
                LiveServer.oddToken
            }
            let (second, secondSync) = try await Self.device("laptop", server, Self.model()) {
                LiveServer.oddToken
            }
            try await Self.add("x", first)
            try await firstSync.syncNow()
            try await secondSync.syncNow()
            #expect(try await Self.titles(second) == ["x"])
            await firstSync.stop()
            await secondSync.stop()
        }
    }

    @Test("Large values arrive whole where their way up and down is cut, and go on from where they were")
    func cutValues() async throws {
        try await LiveServer.run { server in
            let model = Self.model()
            let (up, down) = (try CuttingProxy(to: server.url), try CuttingProxy(to: server.url))
            let (first, firstSync) = try await Self.device("phone", server, model, by: up.url)
            let (second, secondSync) = try await Self.device("laptop", server, model, by: down.url)
            let scan = Data((0..<450_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            let image = Data(scan.reversed())
            let context = first.newBackgroundContext()
            try await context.perform {
                let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
                note.setValue(scan, forKey: "scan")
                note.setValue(["image": image], forKey: "page")
                up.cut(.up, after: 350_000)
                try context.save()
            }
            try await Self.sync(firstSync)
            #expect(up.cuts == 1)
            // A part that was under way goes again, others do not.
            #expect((900_000..<1_100_000).contains(up.count(.up)))
            down.cut(.down, after: 350_000)
            try await Self.sync(secondSync)
            #expect(down.cuts == 1)
            #expect((900_000..<1_100_000).contains(down.count(.down)))
            let received = second.newBackgroundContext()
            let (data, part) = try await received.perform {
                let note = try received.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).first
                let page = note?.value(forKey: "page") as? [String: Any]
                return (note?.value(forKey: "scan") as? Data, page?["image"] as? Data)
            }
            #expect(data == scan && part == image)
            await firstSync.stop()
            await secondSync.stop()
        }
    }
}
#endif
