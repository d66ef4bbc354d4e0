import CoreData
import CoreDataJSON
import CoreDataModelFormat
import CoreDataSQL
import CoreDataSQLite
import CoreDataSync
import CoreDataValues
import Foundation
import Testing

@Suite("Synced stores on the command line")
struct SyncTests {
    private final class Folder: Sendable {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(at: url) }
    }

    private struct Unplugged: Error {}

    /// A way that leads nowhere.
    private struct Unreachable: SyncTransport {
        func answer(to request: Data) async throws -> Data { throw Unplugged() }
        func upload(_ bytes: Data, as name: String) async throws { throw Unplugged() }
        func download(_ name: String) async throws -> Data? { throw Unplugged() }
        var news: AsyncStream<Void> { AsyncStream { _ in } }
    }

    private let folder: Folder
    private let server: InMemorySyncServer

    init() throws {
        folder = try Folder()
        server = try InMemorySyncServer(model: Self.model())
    }

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

    private func path(_ name: String) -> String { folder.url.appendingPathComponent("\(name).sqlite").path }

    private func container(_ name: String, _ way: (any SyncTransport)? = nil) throws
        -> PersistentSyncContainer
    {
        let container = PersistentSyncContainer(
            name: name, managedObjectModel: Self.model(),
            sync: SyncOptions(transport: way ?? server.transport))
        container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: path(name))
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        return container
    }

    /// Gives the only note a title, and makes it if there is none.
    private func write(_ title: String, _ container: PersistentSyncContainer) async throws {
        let context = container.newBackgroundContext()
        try await context.perform {
            let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).first
            let note = found ?? NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            note.setValue(title, forKey: "title")
            try context.save()
        }
    }

    private func title(_ container: PersistentSyncContainer) async throws -> String? {
        let context = container.newBackgroundContext()
        return try await context.perform {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).first?
                .value(forKey: "title") as? String
        }
    }

    private func run(_ arguments: String...) throws -> CommandRun { try CommandRun(["sync"] + arguments) }

    @Test("The status of a store says what waits, while the app runs and afterwards, and changes nothing")
    func status() async throws {
        let container = try container("a")
        let synchronizer = await container.synchronizer
        try await write("x", container)
        try await synchronizer.syncNow()
        let running = try run("status", path("a"))
        #expect(running.status == 0 && running.output.contains("nothing waits"))
        await synchronizer.stop()
        let json = try JSONParser.parse(try run("status", path("a"), "--json").output)
        #expect(json["objects"] == .integer(1) && json["pending"] == .integer(0))
        #expect(json["zone"] == .null && json["sequence"] == .integer(1))
        #expect(try run("pending", path("a")).output == "")
    }

    @Test("Edits that were not sent, and values that lost, are listed with their values")
    func lists() async throws {
        var containers = [try container("a"), try container("b")]
        try await write("first", containers[0])
        for container in containers { try await container.synchronizer.syncNow() }
        try await write("of b", containers[1])
        try await write("of a", containers[0])
        for container in containers + containers { try await container.synchronizer.syncNow() }
        for container in containers { await container.synchronizer.stop() }
        // Of two writes in one millisecond the larger ID of a device decides.
        let kept = try await title(containers[0])
        let issues = try run("issues", path("b"))
        #expect(issues.output.contains("conflict  Note/p1  title = \"\(kept == "of a" ? "of b" : "of a")\""))
        #expect(issues.output.hasSuffix("concurrent\n"))

        containers = [try container("a", Unreachable())]
        try await write("unsent", containers[0])
        let synchronizer = await containers[0].synchronizer
        await #expect(throws: SyncFailure.self) { try await synchronizer.syncNow() }
        await synchronizer.stop()
        #expect(try run("pending", path("a")).output.contains("edit  Note/p1  title = \"unsent\""))
        guard case .array(let lines) = try JSONParser.parse(try run("pending", path("a"), "--json").output)
        else {
            Issue.record("no list")
            return
        }
        #expect(lines.map { $0["value"] } == [.string("unsent")])
        #expect(try run("status", path("a")).output.contains("a push was sent and not answered"))
    }

    @Test(
        "What a program has written without a history is a difference, and what the next sync finds is none")
    func verify() async throws {
        let container = try container("a")
        let synchronizer = await container.synchronizer
        try await write("x", container)
        try await synchronizer.syncNow()
        let running = try run("verify", path("a"))
        #expect(running.status == 0 && running.output == "no difference\n")
        await synchronizer.stop()
        try await write("y", container)
        let saved = try run("verify", path("a"))
        #expect(saved.status == 0 && saved.output.hasPrefix("edit  Note/p1  it has other values"))
        try await synchronizer.start()
        try await synchronizer.syncNow()
        await synchronizer.stop()
        #expect(try run("verify", path("a")).output == "no difference\n")

        let database = try SQLiteConnection(path: path("a"), access: .readWrite)
        try database.execute("UPDATE ZNOTE SET ZTITLE = 'z'")
        let changed = try run("verify", path("a"))
        #expect(changed.status == 1 && changed.output.hasPrefix("difference  Note/p1  it has other values"))
        try database.execute("DELETE FROM ZNOTE")
        database.close()
        let json = try run("verify", path("a"), "--json")
        #expect(json.status == 1 && json.output.contains("\"kind\": \"gone\""))
        let other = try run("verify", path("b"))
        #expect(other.status == 2)
    }

    @Test("A ledger is removed if that is meant and no program syncs the store, and the app is asked then")
    func reset() async throws {
        let container = try container("a")
        try await write("x", container)
        let synchronizer = await container.synchronizer
        try await synchronizer.syncNow()
        #expect(try run("reset-ledger", path("a")).status == 64)
        let busy = try run("reset-ledger", path("a"), "--yes")
        #expect(busy.status == 2 && busy.errors.contains("Another synchronizer syncs the store"))
        await synchronizer.stop()
        #expect(try run("reset-ledger", path("a"), "--yes").status == 0)
        let none = try run("status", path("a"))
        #expect(
            none.status == 2 && none.errors.contains("is not synced: there is no a.sync.sqlite beside it"))
        await #expect(throws: StoreSyncError.needsDecision(.ledgerLost)) { try await synchronizer.start() }
        try await synchronizer.resolve(.uploadAsNew)
        try await synchronizer.syncNow()
        #expect(try run("status", path("a")).output.contains("nothing waits"))
        await synchronizer.stop()
    }

    @Test("A model's rules for syncing are listed, and what cannot be synced is a finding")
    func lint() throws {
        func write(_ name: String, _ change: (inout ModelDocument) -> Void) throws -> String {
            var document = LibraryModel.document
            change(&document)
            let url = folder.url.appendingPathComponent(name + ".mom")
            try LibraryModel.write(document, to: url)
            return url.path
        }
        let model = try write("Library") { _ in }
        let listed = try run("lint", model)
        #expect(listed.status == 0 && listed.output.contains("    title: the later wins\n"))
        let other = try write("Other") { document in
            let book = document.entities.firstIndex { $0.name == "Book" }!
            let title = document.entities[book].attributes.firstIndex { $0.name == "title" }!
            document.entities[book].attributes[title].type = .date
            document.entities[book].attributes[title].defaultValue = .null
        }
        let contradiction = try run("lint", other, "--after", model)
        #expect(contradiction.status == 1)
        #expect(contradiction.errors.contains("devices with the older version cannot go on: Book.title"))
        let zones = try write("Zones") { document in
            document.entities[0].userInfo = [UserInfoEntry(key: "SyncZoneParent", value: "owner")]
        }
        let refused = try run("lint", zones)
        #expect(refused.status == 1 && refused.errors.contains("SyncZoneParent asks for zones by owner"))
    }
}
