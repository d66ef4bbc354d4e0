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

    /// Counts a coordinator's announcements.
    private final class Ear: Sendable {
        private struct State {
            var count = 0
            var token: NSPersistentHistoryToken?
            var uuid: String?
            var url: URL?
        }

        private let state = Mutex(State())
        nonisolated(unsafe) private var observer: (any NSObjectProtocol)?

        init(_ coordinator: NSPersistentStoreCoordinator) {
            observer = NotificationCenter.default.addObserver(
                forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
            ) { [weak self] notification in
                let info = notification.userInfo ?? [:]
                let token = info[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
                let (uuid, url) = (info[NSStoreUUIDKey] as? String, info[NSPersistentStoreURLKey] as? URL)
                self?.state.withLock { state in
                    state.count += 1
                    (state.token, state.uuid, state.url) = (token, uuid, url)
                }
            }
        }

        deinit { observer.map(NotificationCenter.default.removeObserver) }

        var count: Int { state.withLock { $0.count } }
        var token: NSPersistentHistoryToken? { state.withLock { $0.token } }
        var uuid: String? { state.withLock { $0.uuid } }
        var url: URL? { state.withLock { $0.url } }

        /// Returns whether it happens within a time far longer than any machine needs.
        func hears(_ condition: (Ear) -> Bool) -> Bool {
            let latest = Date(timeIntervalSinceNow: 120)
            while !condition(self) {
                if latest.timeIntervalSinceNow < 0 { return false }
                Thread.sleep(forTimeInterval: 0.005)
            }
            return true
        }
    }

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
            #expect(ear.hears { $0.token == token })
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
        #expect(ear.hears { $0.token == token })
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
        #expect(ear.token == (keepsHistory ? try Self.token(writer) : nil))
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
                #expect(ear.hears { $0.token == token })
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
        #expect(ear.hears { $0.token == token })
        #expect(removedEar.count == count)
    }
}

extension FaultStore {
    /// Waits until the server has a number of sessions of the store.
    fileprivate func awaitSessions(_ count: Int) throws {
        let latest = Date(timeIntervalSinceNow: 120)
        var found = -1
        while found != count, latest.timeIntervalSinceNow > 0 {
            found = try observer.run(
                "SELECT 1 FROM pg_stat_activity WHERE application_name = ?", ParameterList(schema))
        }
        #expect(found == count)
    }
}
