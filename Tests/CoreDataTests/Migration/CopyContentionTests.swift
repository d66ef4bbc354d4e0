import Foundation
import Synchronization
import Testing

@testable import CoreData

@Suite("Migration by copy of stores in use")
@MainActor
struct CopyContentionTests {
    private static let former = "A\n  name string\n  blob external"
    private static let latter = "A\n  name string\n  blob data"

    private static func options(_ journal: String) -> [AnyHashable: Any] {
        VersionedStore.automatic.merging([
            NSSQLitePragmasOption: ["journal_mode": journal] as NSDictionary,
            NSPersistentStoreTimeoutOption: 2,
        ]) { $1 }
    }

    private func filled(_ count: Int, _ journal: String) throws -> VersionedStore {
        let store = try VersionedStore(Self.former, options: Self.options(journal))
        for number in 0..<count { store.insert("A", ["name": "a\(number)", "blob": Data([1])]) }
        try store.close()
        return store
    }

    private func migrate(
        _ store: VersionedStore, _ mapping: NSEntityMapping, _ journal: String,
        type: String = NSSQLiteStoreType
    ) throws {
        let model = ModelSketch(Self.latter).model
        let open = try StoreTypes.storeClass(type).init(
            _adding: NSPersistentStoreCoordinator(managedObjectModel: model), configurationName: nil,
            at: store.url, options: Self.options(journal))
        open.addedType = type
        let metadata = try Swift.type(of: open).metadataForPersistentStore(with: store.url)
        do {
            try CopyingMigration(open, at: store.url, metadata).run(
                MappingSketch.model(mapping), from: ModelSketch(Self.former).model, to: model, nil)
        } catch {
            throw translated(error)
        }
    }

    private static func mapping(_ policy: NSEntityMigrationPolicy.Type) -> NSEntityMapping {
        MappingSketch.entity(
            "A", from: "A", to: "A", ["name": "$source.name", "blob": "$source.blob"], policy: policy)
    }

    @Test(
        "Other connections can only read while a store is copied, and then write to the copy",
        arguments: ["wal", "delete"])
    func reserved(_ journal: String) throws {
        let store = try filled(3, journal)
        let reader = try PlainDatabase(store.url)
        #expect(try reader.rows("SELECT ZNAME FROM ZA").count == 3)
        MeddlingPolicy.work.withLock {
            $0 = (store.url, "INSERT INTO ZA (Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 'x')")
        }
        MeddlingPolicy.outcomes.withLock { $0 = [] }
        try migrate(store, Self.mapping(MeddlingPolicy.self), journal)
        #expect(
            MeddlingPolicy.outcomes.withLock { $0 }
                == Array(repeating: "3 rows, database is locked", count: 3))
        // A connection opened before the migration.
        #expect(try reader.rows("SELECT ZNAME FROM ZA").count == 3)
        try reader.execute("UPDATE ZA SET ZNAME = 'b' WHERE ZNAME = 'a0'")
        try store.migrate(to: Self.latter, options: Self.options(journal))
        #expect(try store.value("name", of: "A").map { $0 as? String } == ["a1", "a2", "b"])
        #expect(try reader.integrity() == ["ok"])
    }

    @Test("A manager reads its source as of the start, even if it is changed meanwhile")
    func pinned() throws {
        let store = try filled(600, "wal")
        let model = ModelSketch(Self.latter).model
        MeddlingPolicy.work.withLock {
            $0 = (store.url, "DELETE FROM ZA WHERE Z_PK > 550; UPDATE ZA SET ZNAME = 'x'")
        }
        MeddlingPolicy.outcomes.withLock { $0 = [] }
        let source = store.url
        try store.copy(to: model, MappingSketch.model(Self.mapping(EarlyMeddlingPolicy.self)))
        #expect(MeddlingPolicy.outcomes.withLock { $0 } == ["600 rows"])
        #expect(try PlainDatabase(source).rows("SELECT ZNAME FROM ZA").count == 550)
        #expect(try store.fetch("A").count == 600)
        #expect(try store.fetch("A", "name == 'x'").isEmpty)
    }

    @Test("A store with an open write transaction is not copied, and the error is a timeout")
    func busy() throws {
        let store = try filled(3, "wal")
        let writer = try PlainDatabase(store.url)
        try writer.execute("BEGIN IMMEDIATE")
        let mapping = Self.mapping(NSEntityMigrationPolicy.self)
        let error = #expect(throws: NSError.self) { try migrate(store, mapping, "wal") }
        #expect(error?.code == NSPersistentStoreTimeoutError)
        try writer.execute("UPDATE ZA SET ZNAME = 'b' WHERE ZNAME = 'a0'; COMMIT")
        try migrate(store, mapping, "wal")
        try store.migrate(to: Self.latter, options: Self.options("wal"))
        #expect(try store.value("name", of: "A").map { $0 as? String } == ["a1", "a2", "b"])
    }

    @Test(
        "A write acknowledged during the swap is in the migrated store",
        arguments: ["wal", "delete"])
    func race(_ journal: String) throws {
        for _ in 0..<12 {
            let store = try filled(3, journal)
            let url = store.url
            let race = Race()
            let threads = (1...2).map { number in
                Thread { race.write(to: url, number) }
            }
            for thread in threads { thread.start() }
            do { try migrate(store, Self.mapping(NSEntityMigrationPolicy.self), journal) } catch {
                let codes = [NSPersistentStoreSaveError, NSPersistentStoreTimeoutError]
                #expect(codes.contains((error as NSError).code), "\(error)")
            }
            race.end()
            while threads.contains(where: { !$0.isFinished }) { Thread.sleep(forTimeInterval: 0.001) }
            let names = try PlainDatabase(store.url).rows("SELECT ZNAME FROM ZA").map { $0[0] }
            for name in race.written { #expect(names.contains(.text(name)), "\(name) is gone") }
            for number in 0..<3 { #expect(names.contains(.text("a\(number)"))) }
        }
    }

    @Test(
        "A file written by another process meanwhile is not replaced",
        arguments: [NSXMLStoreType, NSBinaryStoreType])
    func file(_ type: String) throws {
        let store = try VersionedStore(Self.former, type: type)
        store.insert("A", ["name": "a"])
        try store.close()
        let other = try VersionedStore(Self.former, type: type)
        other.insert("A", ["name": "other"])
        try other.close()
        OverwritingPolicy.files.withLock { $0 = (other.url, store.url) }
        let error = #expect(throws: NSError.self) {
            try migrate(store, Self.mapping(OverwritingPolicy.self), "wal", type: type)
        }
        #expect(error?.code == NSPersistentStoreSaveError)
        #expect(try Data(contentsOf: store.url) == Data(contentsOf: other.url))
        try store.migrate(to: Self.former, options: [:])
        #expect(try store.value("name", of: "A").map { $0 as? String } == ["other"])
    }
}

/// Writes rows with plain SQL as soon as the store permits, and records those that were written.
private final class Race: Sendable {
    private let isOver = Atomic(false)
    private let names = Mutex<[String]>([])
    var written: [String] { names.withLock { $0 } }

    func write(to url: URL, _ number: Int) {
        guard let database = try? PlainDatabase(url, timeout: 0) else { return }
        var key = 1_000_000 * number
        while !isOver.load(ordering: .relaxed) {
            key += 1
            let insert = "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (\(key), 1, 1, 'w\(key)')"
            guard (try? database.execute(insert)) != nil else { continue }
            names.withLock { $0.append("w\(key)") }
            Thread.sleep(forTimeInterval: 0.002)
        }
    }

    func end() { isOver.store(true, ordering: .relaxed) }
}

/// Reads and writes the store with plain SQL while it is copied.
class MeddlingPolicy: NSEntityMigrationPolicy {
    static let work = Mutex<(url: URL, sql: String)?>(nil)
    static let outcomes = Mutex<[String]>([])

    override func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try Self.meddle()
    }

    static func meddle() throws {
        let (url, sql) = Self.work.withLock { $0! }
        let database = try PlainDatabase(url, timeout: 0)
        var outcome = "\(try database.rows("SELECT ZNAME FROM ZA").count) rows"
        do { try database.execute(sql) } catch {
            outcome += ", \((error as? PlainDatabase.Failure)?.message ?? "")"
        }
        Self.outcomes.withLock { $0.append(outcome) }
    }
}

/// A policy that writes to the store once, as soon as something has been read.
final class EarlyMeddlingPolicy: MeddlingPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        if Self.outcomes.withLock({ $0.isEmpty }) { try Self.meddle() }
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }

    override func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {}
}

/// Replaces the file that is being copied.
final class OverwritingPolicy: NSEntityMigrationPolicy {
    static let files = Mutex<(other: URL, store: URL)?>(nil)

    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        let (other, store) = Self.files.withLock { $0! }
        try Data(contentsOf: other).write(to: store)
    }
}
