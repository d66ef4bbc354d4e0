import CoreData
import CoreDataLibpq
import CoreDataPostgreSQL
import CoreDataSQL
import Foundation
import Synchronization
import Testing

/// A store with history, a context at it, and sessions that write to the history as programs do.
@MainActor
struct HistoryPlace {
    let url: URL
    let store: ItemStore

    init(_ url: URL? = nil) throws {
        self.url = try url ?? Place.new()
        let model = ItemStore.model([ItemStore.attribute("number", .integer64AttributeType)])
        store = try ItemStore(
            model, at: self.url,
            options: [NSPersistentHistoryTrackingKey: true as NSNumber])
    }

    var coordinator: NSPersistentStoreCoordinator { store.context.persistentStoreCoordinator! }

    /// The present position.
    var token: NSPersistentHistoryToken {
        get throws { try #require(coordinator.currentPersistentHistoryToken(fromStores: nil)) }
    }

    /// Saves a new item, with a name for the transaction. Returns the token that the save announces.
    @discardableResult
    func save(_ name: String) throws -> NSPersistentHistoryToken {
        store.context.transactionAuthor = name
        store.insert(["number": 1])
        let announced = Mutex<NSPersistentHistoryToken?>(nil)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSaveObjectIDs, object: store.context, queue: nil
        ) { notification in
            let token = notification.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
            announced.withLock { $0 = token }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try store.context.save()
        return try #require(announced.withLock { $0 })
    }

    func transactions(
        after token: NSPersistentHistoryToken?
    ) throws -> [NSPersistentHistoryTransaction] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        let result = try store.context.execute(request) as? NSPersistentHistoryResult
        return try #require(result?.result as? [NSPersistentHistoryTransaction])
    }

    /// Returns the token of the last transaction after another token.
    func lastToken(after token: NSPersistentHistoryToken?) throws -> NSPersistentHistoryToken {
        let last = try transactions(after: token).last
        return try #require(last?.token)
    }

    func names(after token: NSPersistentHistoryToken?) throws -> [String] {
        try transactions(after: token).map { $0.author ?? "" }
    }

    @discardableResult
    func delete(_ request: NSPersistentHistoryChangeRequest) throws -> Int {
        request.resultType = .count
        let result = try store.context.execute(request) as? NSPersistentHistoryResult
        return try #require(result?.result as? Int)
    }

    /// Returns a session that sees the tables of the store.
    func session() throws -> PostgreSQLConnection {
        try PostgreSQLConnection(ConnectionOptions(url.absoluteString))
    }
}

extension PostgreSQLConnection {
    /// Begins a transaction, and has the server give it its identifier.
    func beginWriting() throws {
        try begin()
        try execute("SELECT pg_current_xact_id()")
    }

    /// Waits until no transaction is in progress that began before the last one of the history: those of other
    /// tests count, too.
    func waitForOthers() throws {
        var last: Int64?
        try forEachRow(of: "SELECT MAX(X) FROM ATRANSACTION") { row in last = row.value(0) }
        try waitUntilEnded(upTo: #require(last))
    }

    /// Waits until the server knows that all transactions up to one have ended.
    func waitUntilEnded(upTo id: Int64) throws {
        while try run(
            """
            SELECT 1 WHERE CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS bigint) > ?
            """, ParameterList(id)) == 0
        { usleep(1000) }
    }

    /// Adds a transaction to the history, as the last thing before the commit.
    func record(_ name: String) throws {
        try run(
            "INSERT INTO ATRANSACTION (Z_ENT, ZBUNDLEID, ZAUTHOR) VALUES (16002, '', ?)", ParameterList(name))
    }
}

extension NSPersistentHistoryToken {
    /// The token after it was archived.
    var revived: NSPersistentHistoryToken {
        get throws {
            let data = try NSKeyedArchiver.archivedData(withRootObject: self, requiringSecureCoding: true)
            let token = try NSKeyedUnarchiver.unarchivedObject(
                ofClass: NSPersistentHistoryToken.self, from: data)
            return try #require(token)
        }
    }
}
