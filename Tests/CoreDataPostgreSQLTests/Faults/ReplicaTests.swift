import CoreData
import CoreDataLibpq
import CoreDataPostgreSQL
import CoreDataSQL
import Foundation
import PostgreSQLTestSupport
import Testing

@Suite("Stores on standbys", .enabled(if: Replica.isAvailable, "\(TestServer.absence)"), .serialized)
struct ReplicaTests {
    private static var readOnly: [String: NSObject] { [NSReadOnlyPersistentStoreOption: true as NSNumber] }
    private static var history: [String: NSObject] { [NSPersistentHistoryTrackingKey: true as NSNumber] }
    private static var posts: [String: NSObject] {
        [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true as NSNumber]
    }

    private let primary: FaultStore
    private let follower: Follower

    init() throws {
        primary = try FaultStore(options: Self.history)
        follower = try Follower()
    }

    /// The place of the store at the standby alone, or at the standby and the primary.
    private func url(withPrimary: Bool = false) throws -> URL {
        let more = "schema=\(primary.schema)&application_name=\(primary.schema)"
        let both = """
            postgresql:///postgres?user=postgres&sslmode=disable&host=127.0.0.1,127.0.0.1\
            &port=\(follower.port),\(try TestServer.shared().port)&\(more)
            """
        return try #require(URL(string: withPrimary ? both : follower.replica.server.url(with: more)))
    }

    private func open(_ options: [String: NSObject] = [:], withPrimary: Bool = false) throws -> FaultStore {
        try FaultStore(
            sharing: primary, at: try url(withPrimary: withPrimary),
            options: Self.readOnly.merging(options) { $1 })
    }

    /// Waits until the standby has what the primary has now.
    private func catchUp() throws { try follower.catchUp(with: primary.observer) }

    @Test("A read-only store reads from a standby what has arrived there")
    func reading() throws {
        try primary.save(1)
        try catchUp()
        let reader = try open()
        #expect(try reader.fetch() == [1])
        try follower.pause()
        try primary.save(2)
        #expect(try reader.fetch() == [1])
        #expect(try primary.fetch() == [1, 2])
        try follower.resume()
        try catchUp()
        #expect(try reader.fetch() == [1, 2])
        #expect(throws: NSError.self) { try reader.save(3) }
    }

    @Test("Of several hosts a read-only store takes a standby while there is one, and others the primary")
    func severalHosts() throws {
        try primary.save(1)
        try catchUp()
        let reader = try open(withPrimary: true)
        #expect(try reader.fetch() == [1])
        try reader.awaitSessions(1, at: follower.observer)
        let writer = try FaultStore(sharing: primary, at: try url(withPrimary: true))
        try writer.save(2)
        #expect(try writer.fetch() == [1, 2])
        try reader.awaitSessions(1, at: follower.observer)
        follower.stop()
        #expect(try reader.fetch() == [1, 2])
        try writer.save(3)
        #expect(try reader.fetch() == [1, 2, 3])
    }

    @Test("A store that writes is not opened on a standby alone")
    func writing() throws {
        try catchUp()
        let place = try url()
        #expect(throws: NSError.self) { try FaultStore(sharing: primary, at: place) }
    }

    @Test("A query generation on a standby that has to give way is gone, and a new one can be had")
    func generation() throws {
        try follower.observer.execute("ALTER SYSTEM SET max_standby_streaming_delay = 0")
        try follower.observer.run("SELECT pg_reload_conf()")
        try primary.save(1)
        try catchUp()
        let reader = try open()
        let context = reader.context()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        try context.performAndWait {
            try context.setQueryGenerationFrom(.current)
            #expect(try context.count(for: request) == 1)
        }
        // A lock that the generation's transaction is in the way of, whatever other transactions there are.
        try primary.observer.execute("TRUNCATE zitem")
        try catchUp()
        try context.performAndWait {
            #expect(throws: NSError.self) { try context.count(for: request) }
            try context.setQueryGenerationFrom(.current)
            #expect(try context.count(for: request) == 0)
        }
    }

    @Test("A store on a standby, which has no notifications, announces what arrives there")
    func remoteChanges() throws {
        try catchUp()
        let reader = try open(Self.posts)
        let ear = Ear(reader.coordinator)
        try primary.save(1)
        let token = try #require(primary.coordinator.currentPersistentHistoryToken(fromStores: nil))
        #expect(ear.hears(token))
        #expect(try reader.fetch() == [1])
    }
}
