import CoreData
import CoreDataLibpq
import CoreDataPostgreSQL
import CoreDataSQL
import Foundation
import PostgreSQLTestSupport
import Synchronization
import Testing

/// A store whose server, or the way to it, fails as a test asks, with a connection that looks into its tables
/// and does not fail.
///
/// Its objects are items with a number.
final class FaultStore: Sendable {
    let coordinator: NSPersistentStoreCoordinator
    let url: URL
    let schema: String
    let observer: PostgreSQLConnection
    /// The numbers of the items whose saves have returned.
    private let acknowledged = Mutex<[Int64]>([])

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - proxy: The proxy through which the store connects; nil for none.
    ///   - parameters: More parameters of the URL.
    init(
        through proxy: TestProxy? = nil, _ parameters: String = "", options: [String: NSObject] = [:]
    ) throws {
        schema = "faults-\(UUID().uuidString)"
        let server = try TestServer.shared()
        let way = proxy.map { "&hostaddr=127.0.0.1&port=\($0.port)&sslmode=disable" } ?? ""
        let more = "&application_name=\(schema)" + (parameters.isEmpty ? "" : "&\(parameters)")
        url = try #require(URL(string: server.url(with: "schema=\(schema)\(way)\(more)")))
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
        try coordinator.addPersistentStore(type: .postgreSQL, at: url, options: options)
        observer = try Self.observer(schema)
    }

    /// Opens the store of another one once more, as another process would.
    ///
    /// - Parameter url: Another way to the store; nil for the same.
    init(sharing other: FaultStore, at url: URL? = nil, options: [String: NSObject] = [:]) throws {
        (schema, self.url) = (other.schema, url ?? other.url)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
        try coordinator.addPersistentStore(type: .postgreSQL, at: self.url, options: options)
        observer = try Self.observer(schema)
    }

    /// Returns another connection that does not fail.
    static func observer(_ schema: String = "public") throws -> PostgreSQLConnection {
        try PostgreSQLConnection(try ConnectionOptions(TestServer.shared().url(with: "schema=\(schema)")))
    }

    static func proxy() throws -> TestProxy { try TestProxy(target: TestServer.shared().port) }

    private static var model: NSManagedObjectModel {
        let item = NSEntityDescription()
        item.name = "Item"
        let number = NSAttributeDescription()
        (number.name, number.attributeType) = ("number", .integer64AttributeType)
        let bytes = NSAttributeDescription()
        (bytes.name, bytes.attributeType, bytes.isOptional) = ("bytes", .binaryDataAttributeType, true)
        item.properties = [number, bytes]
        let model = NSManagedObjectModel()
        model.entities = [item]
        return model
    }

    // MARK: Contexts

    func context() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    @discardableResult
    func insert(_ number: Int64, in context: NSManagedObjectContext) -> NSManagedObject {
        let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
        item.setValue(number, forKey: "number")
        return item
    }

    /// Saves a new item in a context of its own.
    func save(_ number: Int64) throws {
        let context = context()
        try context.performAndWait {
            insert(number, in: context)
            try context.save()
        }
        acknowledge(number)
    }

    func acknowledge(_ number: Int64) { acknowledged.withLock { $0.append(number) } }

    /// Fetches the numbers of all items, in a context of its own.
    func fetch() throws -> [Int64] {
        let context = context()
        return try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
            return try context.fetch(request).compactMap { $0.value(forKey: "number") as? Int64 }
        }
    }

    // MARK: The tables

    /// The numbers of the rows that the database has.
    func stored() throws -> [Int64] {
        var numbers: [Int64] = []
        try observer.forEachRow(of: "SELECT ZNUMBER FROM ZITEM ORDER BY ZNUMBER") { row in
            if let number: Int64 = row.value(0) { numbers.append(number) }
        }
        return numbers
    }

    /// Expects that every acknowledged item is stored, and each item once.
    func checkAcknowledged(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let stored = try stored()
        #expect(Set(stored).count == stored.count, "stored twice", sourceLocation: sourceLocation)
        let lost = Set(acknowledged.withLock { $0 }).subtracting(stored)
        #expect(lost.isEmpty, "lost", sourceLocation: sourceLocation)
    }

    /// The number of marks that saves have left.
    func markCount() throws -> Int64 {
        var count: Int64 = 0
        try observer.forEachRow(of: "SELECT count(*) FROM Z_SAVES WHERE NOT IS_VOID") { row in
            count = row.value(0) ?? 0
        }
        return count
    }

    // MARK: Faults

    /// Has insertions of items run statements of PL/pgSQL, a limited number of times.
    ///
    /// - Parameters:
    ///   - times: The number of insertions, those that fail included.
    ///   - isAtCommit: Whether the statements run when the transaction commits, not at the insertion.
    func onInsert(_ times: Int, _ statements: SQLText, isAtCommit: Bool = false) throws {
        let when: SQLText =
            isAtCommit
            ? "CREATE CONSTRAINT TRIGGER fault AFTER INSERT ON zitem DEFERRABLE INITIALLY DEFERRED FOR EACH ROW"
            : "CREATE TRIGGER fault BEFORE INSERT ON zitem FOR EACH ROW"
        // A rollback does not take back the number of a sequence.
        try observer.execute(
            """
            DROP TRIGGER IF EXISTS fault ON zitem; DROP SEQUENCE IF EXISTS faults; CREATE SEQUENCE faults; \
            CREATE OR REPLACE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
            IF nextval('faults') <= \(times) THEN \(statements) END IF; RETURN NEW; END $$; \
            \(when) EXECUTE FUNCTION fault()
            """)
    }

    /// Has insertions fail with an error of the server, a limited number of times.
    func failInserts(_ times: Int, _ state: String) throws {
        try onInsert(times, "RAISE EXCEPTION 'forced' USING ERRCODE = \(quoting: state);")
    }

    /// A statement by which the session that runs it is ended.
    static let suicide: SQLText = "PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(60);"

    /// The processes of the store's sessions.
    private static let sessions: SQLText = """
        SELECT l.pid FROM pg_stat_activity AS l WHERE l.pid <> pg_backend_pid() \
        AND l.application_name = ?
        """

    /// Ends sessions of the store, and waits for their end.
    func endSessions() throws {
        for process in try processes() { try end(process) }
    }

    /// Ends a session of the server.
    func end(_ process: Int32) throws {
        try observer.run("SELECT pg_terminate_backend(?)", ParameterList(process))
        while try observer.run("SELECT 1 FROM pg_stat_activity WHERE pid = ?", ParameterList(process)) > 0 {}
    }

    /// Waits until a server has a number of sessions of the store.
    ///
    /// - Parameter observer: A connection to the server; nil for the tests' server.
    func awaitSessions(_ count: Int, at observer: PostgreSQLConnection? = nil) throws {
        let latest = Date(timeIntervalSinceNow: 120)
        var found = -1
        while found != count, latest.timeIntervalSinceNow > 0 {
            found = try (observer ?? self.observer).run(
                "SELECT 1 FROM pg_stat_activity WHERE application_name = ?", ParameterList(schema))
        }
        #expect(found == count)
    }

    private func processes() throws -> [Int32] { try numbers(Self.sessions) }

    /// Waits until a session of the store waits for a lock, and returns its process.
    func waitingProcess() throws -> Int32 {
        while true {
            if let process = try numbers("\(Self.sessions) AND l.wait_event_type = 'Lock'").first {
                return process
            }
        }
    }

    private func numbers(_ query: SQLText) throws -> [Int32] {
        var result: [Int32] = []
        try observer.forEachRow(of: query, ParameterList(schema)) { row in
            if let number: Int32 = row.value(0) { result.append(number) }
        }
        return result
    }
}

/// A piece of work on a thread of its own.
final class Work: Sendable {
    private let group = DispatchGroup()
    private let failure = Mutex<(any Error)?>(nil)

    init(_ body: @escaping @Sendable () throws -> Void) {
        group.enter()
        Thread.detachNewThread { [self] in
            do {
                try body()
            } catch {
                failure.withLock { $0 = error }
            }
            group.leave()
        }
    }

    /// Waits for the end of the work, and throws its error.
    func finish() throws {
        group.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
