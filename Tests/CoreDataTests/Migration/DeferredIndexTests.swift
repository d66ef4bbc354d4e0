import CoreDataSQL
import Foundation
import PostgreSQLTestSupport
import Synchronization
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

@Suite("Indexes of deferred migrations of PostgreSQL stores", .needsServer)
@MainActor
struct DeferredIndexTests {
    private static let first = "Person\n  name string\n  age int16"
    private static let indexed = first + "\n  index byAge age\n  unique name"
    private static let names = ["z_person_byage", "z_person_unique_name"]

    private static var deferred: [AnyHashable: Any] {
        VersionedStore.automatic.merging(patient) { $1 }.merging(
            [NSPersistentStoreDeferredLightweightMigrationOptionKey: true as NSNumber]) { $1 }
    }

    /// The main actor may be busy with other tests for minutes.
    private static var patient: [AnyHashable: Any] { [NSPersistentStoreTimeoutOption: patience as NSNumber] }
    nonisolated private static let patience = 3600.0

    /// A store with two people that was migrated to a model with indexes.
    private static func migrated() throws -> VersionedStore {
        let store = try VersionedStore(first, .server)
        for name in ["a", "b"] { store.insert("Person", ["name": name, "age": 1]) }
        try store.migrate(to: ModelSketch(indexed).model, options: deferred)
        return store
    }

    /// The indexes of the model in the store, with `false` for those that are not complete.
    private static func indexes(_ session: Session) throws -> [String] {
        try session.texts(
            """
            SELECT c.relname || ' ' || i.indisvalid FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid \
            WHERE c.relnamespace = CAST(quote_ident(current_schema()) AS regnamespace) AND NOT i.indisprimary \
            AND (c.relname LIKE '%byage' OR i.indisunique) ORDER BY 1
            """)
    }

    /// A transaction that has the lock of a writer and goes on. It has written nothing: histories of other tests
    /// could not be pruned beside it.
    private static func rival(_ store: VersionedStore) throws -> Session {
        let rival = try ServerDefinitions.session(store.url)
        try rival.execute("BEGIN")
        try rival.execute("LOCK TABLE ZPERSON IN ROW EXCLUSIVE MODE")
        return rival
    }

    /// Work on a thread of its own.
    private final class Work: Sendable {
        private let result = Mutex<Result<Void, any Error>?>(nil)

        init(_ body: @escaping @Sendable () throws -> Void) {
            Thread.detachNewThread {
                let result = Result { try body() }
                self.result.withLock { $0 = result }
            }
        }

        /// Finishes the migration of a store.
        convenience init(finishing coordinator: NSPersistentStoreCoordinator) {
            self.init { try coordinator.finishDeferredLightweightMigration() }
        }

        var hasEnded: Bool { result.withLock { $0 != nil } }

        func end() async throws {
            while !hasEnded { try await Task.sleep(for: .milliseconds(5)) }
            try result.withLock { $0 }?.get()
        }
    }

    /// Waits for a session, other than those given, that makes an index of the store and waits for the rival.
    private static func maker(
        _ session: Session, of work: [Work], not former: [String] = []
    ) async throws -> String {
        while true {
            try #require(work.contains { !$0.hasEnded }, "no index was made")
            let makers = try session.texts(
                """
                SELECT CAST(p.pid AS text) FROM pg_stat_progress_create_index AS p \
                JOIN pg_class AS c ON c.oid = p.relid JOIN pg_locks AS l ON l.pid = p.pid AND NOT l.granted \
                WHERE c.relnamespace = CAST(quote_ident(current_schema()) AS regnamespace) \
                AND p.phase = 'waiting for writers before build'
                """
            ).filter { !former.contains($0) }
            if let maker = makers.first {
                #expect(makers.count == 1)
                return maker
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    @Test("The indexes of a deferred migration are made while programs with both models write")
    func concurrent() async throws {
        let store = try VersionedStore(Self.first, .server)
        store.insert("Person", ["name": "a", "age": 1])
        try store.context.save()
        let former = NSPersistentStoreCoordinator(managedObjectModel: ModelSketch(Self.first).model)
        try former.addPersistentStore(
            ofType: PostgreSQLStoreType, configurationName: nil, at: store.url, options: nil)
        let old = former.context(.mainQueue)
        try store.migrate(to: ModelSketch(Self.indexed).model, options: Self.deferred)
        let session = try ServerDefinitions.session(store.url)
        defer { session.close() }
        #expect(try Self.indexes(session) == [])
        let rival = try Self.rival(store)
        let finishing = Work(finishing: store.coordinator)
        _ = try await Self.maker(session, of: [finishing])
        _ = old.insert("Person", ["name": "b", "age": 2])
        try old.save()
        store.insert("Person", ["name": "c", "age": 3])
        try store.context.save()
        try rival.execute("COMMIT")
        rival.close()
        try await finishing.end()
        #expect(try Self.indexes(session) == Self.names.map { $0 + " true" })
        _ = old.insert("Person", ["name": "c"])
        #expect(throws: NSError.self) { try old.save() }
        try store.coordinator.finishDeferredLightweightMigration()
        try store.migrate(to: Self.first + "\n  mail string\n  index byAge age\n  unique name")
        #expect(try store.fetch("Person").count == 3)
    }

    @Test("An index whose making was broken off is dropped and made again")
    func broken() async throws {
        let store = try Self.migrated()
        let session = try ServerDefinitions.session(store.url)
        defer { session.close() }
        let rival = try Self.rival(store)
        let url = store.url
        let dying = Work {
            let session = try PostgreSQLStores.session(
                PostgreSQLStores.options(url.absoluteString), Self.patience)
            defer { session.close() }
            try session.execute("CREATE UNIQUE INDEX CONCURRENTLY z_person_unique_name ON ZPERSON (ZNAME)")
        }
        let dead = try await Self.maker(session, of: [dying])
        try session.execute("SELECT pg_terminate_backend(\(Int64(dead) ?? 0))")
        await #expect(throws: SQLError.self) { try await dying.end() }
        #expect(try Self.indexes(session) == ["z_person_unique_name false"])
        let finishing = Work(finishing: store.coordinator)
        let killed = try await Self.maker(session, of: [finishing], not: [dead])
        try session.execute("SELECT pg_terminate_backend(\(Int64(killed) ?? 0))")
        try rival.execute("COMMIT")
        rival.close()
        try await finishing.end()
        #expect(try Self.indexes(session) == Self.names.map { $0 + " true" })
        store.insert("Person", ["name": "a"])
        #expect(throws: NSError.self) { try store.context.save() }
    }

    @Test("Of programs that finish a deferred migration at once one makes the indexes")
    func race() async throws {
        let store = try Self.migrated()
        let session = try ServerDefinitions.session(store.url)
        defer { session.close() }
        let rival = try Self.rival(store)
        let others = try (0..<2).map { _ in
            let other = NSPersistentStoreCoordinator(managedObjectModel: ModelSketch(Self.indexed).model)
            try other.addPersistentStore(
                ofType: PostgreSQLStoreType, configurationName: nil, at: store.url, options: Self.patient)
            return other
        }
        let programs = ([store.coordinator] + others).map(Work.init(finishing:))
        _ = try await Self.maker(session, of: programs)
        try rival.execute("COMMIT")
        rival.close()
        for program in programs { try await program.end() }
        #expect(try Self.indexes(session) == Self.names.map { $0 + " true" })
    }

    @Test("A uniqueness constraint is checked by a deferred migration, and again as its index is made")
    func duplicates() throws {
        let store = try VersionedStore(Self.first, .server)
        for name in ["a", "a"] { store.insert("Person", ["name": name, "age": 1]) }
        let refusal = #expect(throws: NSError.self) {
            try store.migrate(to: ModelSketch(Self.indexed).model, options: Self.deferred)
        }
        #expect(
            (refusal?.userInfo[NSUnderlyingErrorKey] as? NSError)?.code
                == NSMigrationConstraintViolationError)
        try store.migrate(to: Self.first, options: [:])
        let double = try #require(try store.fetch("Person").first)
        store.context.delete(double)
        try store.migrate(to: ModelSketch(Self.indexed).model, options: Self.deferred)
        let upsert = NSBatchInsertRequest(entityName: "Person", objects: [["name": "a"]])
        store.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        // The stored row is found without the index.
        try store.context.execute(upsert)
        #expect(try store.fetch("Person").count == 1)
        store.insert("Person", ["name": "a"])
        try store.context.save()
        let error = #expect(throws: NSError.self) {
            try store.coordinator.finishDeferredLightweightMigration()
        }
        #expect(error?.code == NSMigrationConstraintViolationError)
        #expect(error?.localizedFailureReason?.contains("Person.name") == true)
        store.context.delete(try #require(try store.fetch("Person").first))
        try store.context.save()
        try store.coordinator.finishDeferredLightweightMigrationTask()
        try store.coordinator.finishDeferredLightweightMigrationTask()
        try store.coordinator.finishDeferredLightweightMigrationTask()
        let session = try ServerDefinitions.session(store.url)
        defer { session.close() }
        #expect(try Self.indexes(session) == Self.names.map { $0 + " true" })
        try store.context.execute(upsert)
        #expect(try store.fetch("Person").count == 1)
    }
}
