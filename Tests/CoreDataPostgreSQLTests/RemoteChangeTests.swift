import CoreData
import CoreDataLibpq
import CoreDataPostgreSQL
import CoreDataSQL
import Foundation
import Synchronization
import Testing

@Suite("Remote changes of PostgreSQL stores", .needsServer)
struct RemoteChangeTests {
    private static let posts = [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true as NSNumber]
    private static let history = [NSPersistentHistoryTrackingKey: true as NSNumber]
    private static let both = posts.merging(history) { $1 }

    private static func token(_ store: FaultStore) throws -> NSPersistentHistoryToken {
        try #require(store.coordinator.currentPersistentHistoryToken(fromStores: nil))
    }

    @Test("A save by another user of a PostgreSQL store is announced with store and token")
    func another() throws {
        let store = try FaultStore(options: Self.both)
        let ear = Ear(store.coordinator)
        let writer = try FaultStore(sharing: store, options: Self.both)
        for number in 0..<3 as Range<Int64> {
            try writer.save(number)
            let token = try Self.token(writer)
            #expect(ear.hears(token))
        }
        #expect(ear.uuid == store.coordinator.persistentStores.first?.identifier)
        #expect(ear.url == store.coordinator.persistentStores.first?.url)
    }

    @Test("Saves to a PostgreSQL store are announced to their own coordinator, and none more than once")
    func own() throws {
        let store = try FaultStore(options: Self.both)
        let ear = Ear(store.coordinator)
        for number in 0..<20 as Range<Int64> { try store.save(number) }
        let token = try Self.token(store)
        #expect(ear.hears(token))
        #expect((1...20).contains(ear.count))
    }

    @Test("A poll finds the commit of a program that notifies nobody", arguments: [true, false])
    func unnotified(keepsHistory: Bool) throws {
        let store = try FaultStore(options: keepsHistory ? Self.both : Self.posts)
        let ear = Ear(store.coordinator)
        // Without the option the store has no connection that notifies.
        let writer = try FaultStore(sharing: store, options: keepsHistory ? Self.history : [:])
        try writer.save(1)
        #expect(ear.hears { $0.count > 0 })
        if keepsHistory {
            #expect(try ear.hears(Self.token(writer)))
        } else {
            #expect(ear.token == nil)
        }
        #expect(try ear.uuid == #require(store.coordinator.persistentStores.first).identifier)
    }

    @Test("Saves while the listening connection is lost are announced", arguments: [true, false])
    func lostListener(keepsHistory: Bool) throws {
        let store = try FaultStore(options: keepsHistory ? Self.both : Self.posts)
        let ear = Ear(store.coordinator)
        let writer = try FaultStore(sharing: store, options: keepsHistory ? Self.both : Self.posts)
        for number in 0..<4 as Range<Int64> {
            try store.endSessions()
            let count = ear.count
            try writer.save(number)
            if keepsHistory {
                let token = try Self.token(writer)
                #expect(ear.hears(token))
            } else {
                #expect(ear.hears { $0.count > count })
            }
        }
    }

    @Test("A PostgreSQL store connects to listen only if it is asked to announce")
    func connections() throws {
        let store = try FaultStore()
        try store.save(1)
        try store.awaitSessions(1)
        let listening = try FaultStore(options: Self.posts)
        try listening.save(1)
        try listening.awaitSessions(2)
    }

    @Test("A store may be removed while it is announced, and announces nothing afterwards")
    func removal() throws {
        let store = try FaultStore(options: Self.both)
        let removed = try FaultStore(sharing: store, options: Self.both)
        let (ear, removedEar) = (Ear(store.coordinator), Ear(removed.coordinator))
        let persistentStore = try #require(removed.coordinator.persistentStores.first)
        let isRemoved = Mutex(false)
        let coordinator = removed.coordinator
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
        ) { _ in
            try? coordinator.remove(persistentStore)
            isRemoved.withLock { $0 = coordinator.persistentStores.isEmpty }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try store.save(1)
        #expect(removedEar.hears { _ in isRemoved.withLock { $0 } })
        let count = removedEar.count
        try store.save(2)
        let token = try Self.token(store)
        #expect(ear.hears(token))
        #expect(removedEar.count == count)
    }
}
