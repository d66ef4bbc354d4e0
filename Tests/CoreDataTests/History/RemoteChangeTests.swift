import CoreData
import Foundation
import Synchronization
import Testing

@Suite(
    "Remote change notifications",
    .ofSQLite("Tokens that are equal whatever else is in progress"))
struct RemoteChangeTests {
    private static let option = [
        NSPersistentStoreRemoteChangeNotificationPostOptionKey: true as NSNumber
    ]

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

    @Test("A save through another coordinator is announced with store and token")
    func anotherCoordinator() throws {
        let stack = try HistoryStack(options: Self.option)
        let ear = Ear(stack.coordinator)
        let writer = try stack.sibling()
        for number in 0..<3 {
            try writer.saveCar("\(number)")
            let token = writer.token
            #expect(ear.hears { $0.token == token })
        }
        #expect(ear.uuid == stack.store.identifier)
        #expect(ear.url == stack.store.url)
        try writer.context.execute(NSBatchInsertRequest(entityName: "Car", objects: [["plate": "b"]]))
        let token = writer.token
        #expect(ear.hears { $0.token == token })
    }

    @Test("A coordinator's own save is announced, and each transaction at most once")
    func own() throws {
        let stack = try HistoryStack(options: Self.option)
        let ear = Ear(stack.coordinator)
        for number in 0..<5 { try stack.saveCar("\(number)") }
        let token = stack.token
        #expect(ear.hears { $0.token == token })
        // Announcements come in order: whatever there is of the saves above comes before the next one.
        let writer = try stack.sibling()
        try writer.saveCar("5")
        let next = writer.token
        #expect(ear.hears { $0.token == next })
        #expect((2...6).contains(ear.count))
    }

    @Test("A store without history is announced without a token")
    func withoutHistory() throws {
        let stack = try HistoryStack(options: Self.option, keepsHistory: false)
        let ear = Ear(stack.coordinator)
        let writer = try HistoryStack(in: stack.folder, keepsHistory: false)
        try writer.saveCar()
        #expect(ear.hears { $0.count > 0 })
        #expect(ear.token == nil)
        #expect(ear.uuid == stack.store.identifier)
    }

    @Test("Without the option, or after the store is removed, nothing is announced")
    func silence() throws {
        let stack = try HistoryStack()
        let removed = try stack.sibling(options: Self.option)
        let witness = try stack.sibling(options: Self.option)
        let ears = (Ear(stack.coordinator), Ear(removed.coordinator), Ear(witness.coordinator))
        try removed.coordinator.remove(removed.store)
        try stack.saveCar()
        let token = stack.token
        #expect(ears.2.hears { $0.token == token })
        #expect(ears.0.count == 0)
        #expect(ears.1.count == 0)
    }

    @Test("A coordinator that receives announcements can be freed")
    func release() throws {
        let stack = try HistoryStack()
        weak var coordinator: NSPersistentStoreCoordinator?
        do {
            let listening = try stack.sibling(options: Self.option)
            coordinator = listening.coordinator
            try stack.saveCar()
        }
        let latest = Date(timeIntervalSinceNow: 120)
        while coordinator != nil, latest.timeIntervalSinceNow > 0 { Thread.sleep(forTimeInterval: 0.01) }
        #expect(coordinator == nil)
        try stack.saveCar()
    }

    @Test("A write by another process is announced", .ofSQLite("SQLite's own program"))
    func anotherProcess() throws {
        let stack = try HistoryStack(options: Self.option)
        let ear = Ear(stack.coordinator)
        // SQLite's shell does not know of this process.
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        shell.arguments = [
            "sqlite3", stack.folder.file().path,
            """
            BEGIN IMMEDIATE;
            INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (1, 16002, 0);
            UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 16002;
            COMMIT;
            """,
        ]
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
        #expect(ear.hears { $0.count > 0 })
        #expect(ear.token == stack.token)
        #expect(try stack.transactions().map(\.transactionNumber) == [1])
    }
}
