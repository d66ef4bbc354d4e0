import CoreData
import CoreDataSync
import Foundation
import Testing

@Suite("Stores whose user logs out and another one in")
struct OtherZoneTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    private let annas: InMemorySyncServer
    private let bens: InMemorySyncServer
    private let way: ZoneTransport

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        (annas, bens) = (
            try InMemorySyncServer(model: LibraryModel.make()),
            try InMemorySyncServer(model: LibraryModel.make())
        )
        way = ZoneTransport(["anna": annas.transport, "ben": bens.transport], as: "anna")
    }

    private func container(_ name: String, _ way: any SyncTransport) throws -> PersistentSyncContainer {
        try .library(name, in: folder, sync: SyncOptions(transport: way))
    }

    /// Runs a body with Anna's store, one of whose books was not sent when Ben logged in, and with Ben's own store.
    private func afterLogin(
        _ body: (PersistentSyncContainer, StoreSynchronizer, PersistentSyncContainer) async throws -> Void
    ) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (store, others) = (try container("store", way), try container("ben", bens.transport))
        let synchronizer = await store.synchronizer
        try await store.insertBook("anna's")
        try await synchronizer.syncNow()
        try await others.insertBook("ben's")
        try await others.synchronizer.syncNow()
        way.logIn("ben")
        try await store.insertBook("unsent")
        let failure = await #expect(throws: SyncFailure.self) { try await synchronizer.syncNow() }
        #expect(failure?.reason == "the store is synced with another zone than ben:Library")
        for await status in store.syncStatus {
            if status == .elsewhere(zone: "ben:Library") { break }
        }
        try await body(store, synchronizer, others)
        await synchronizer.stop()
        await others.synchronizer.stop()
    }

    @Test(
        "Nothing goes to the zone of another user and nothing comes from there, until the first one is back")
    func undecided() async throws {
        try await afterLogin { store, synchronizer, others in
            try await others.synchronizer.syncNow()
            #expect(try await others.titles == ["ben's"])
            #expect(try await store.titles == ["anna's", "unsent"])
            way.logIn("anna")
            try await synchronizer.syncNow()
            let second = try container("second", annas.transport)
            try await second.synchronizer.syncNow()
            #expect(try await second.titles == ["anna's", "unsent"])
            await second.synchronizer.stop()
        }
    }

    @Test("Taken over, the store has the objects of both, and so has the other zone")
    func takenOver() async throws {
        try await afterLogin { store, synchronizer, others in
            try await synchronizer.resolve(.uploadAsNew)
            try await synchronizer.syncNow()
            try await others.synchronizer.syncNow()
            for container in [store, others] {
                #expect(try await container.titles == ["anna's", "ben's", "unsent"])
            }
        }
    }

    @Test("Replaced, the store has the objects of the other zone alone, and what it had is in the issues")
    func replaced() async throws {
        try await afterLogin { store, synchronizer, others in
            try await synchronizer.resolve(.replaceByServer)
            try await synchronizer.syncNow()
            try await others.synchronizer.syncNow()
            for container in [store, others] { #expect(try await container.titles == ["ben's"]) }
            let values = try await synchronizer.issues.conflicts.filter { $0.reason == .replaced }.map(
                \.value)
            #expect(Set(values).isSuperset(of: [.string("anna's"), .string("unsent")]))
        }
    }
}
