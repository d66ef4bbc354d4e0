import CoreData
import Foundation
import Testing

@Suite("Lightweight migration of random models and data")
@MainActor
struct RandomMigrationTests {
    @Test(
        "Each migrated version keeps the data, and the file is like a new store's",
        arguments: RandomRun.seeds, [VersionedStore.Way.inPlace, .copied, .xml])
    func evolutions(_ seed: UInt64, _ way: VersionedStore.Way) throws { try Self.evolve(seed, way) }

    @Test(
        "Each migrated version on a server keeps the data, and its tables are like a new store's",
        .needsServer, arguments: RandomRun.seeds)
    func onServer(_ seed: UInt64) throws { try Self.evolve(seed, .server) }

    private static func evolve(_ seed: UInt64, _ way: VersionedStore.Way) throws {
        var run = try EvolvingStore(seed: seed, way)
        for _ in 0..<(way.isInPlace ? 4 : 2) {
            try run.edit()
            let before = try run.graph()
            try #require(before.derived(by: run.model).differences(from: before) == [], run.message)
            run.evolve()
            let plan = try run.plan()
            if way != .xml {
                #expect([.inPlace, .notNeeded].contains(plan?.method), run.message)
                #expect(plan?.objectCount == before.nodes.count, run.message)
                #expect(plan?.violations.isEmpty == true, run.message)
            }
            let expected = run.expected(before)
            if way != .xml { try run.requireRefusal(before, expected) }
            do { try run.migrate() } catch {
                Issue.record("\(error)\n\(run.message)")
                return
            }
            try #require(expected.differences(from: run.graph()) == [], run.message)
            try #require(run.unrecordedNames() == [], run.message)
            try run.store.close()
            // Indexes are no part of a version.
            if plan?.method == .inPlace {
                if way == .server {
                    try ServerDefinitions.compareWithNew(run)
                } else {
                    try compareWithNew(run)
                }
            }
            if run.store.type == NSSQLiteStoreType { try requireFiles(of: run.store, run.message) }
            try run.store.migrate(to: run.model, options: [:])
        }
    }

    /// Checks that tables, columns, indexes, triggers and entity numbers equal those of a store made with the
    /// last model.
    private static func compareWithNew(_ run: EvolvingStore) throws {
        let (store, message) = (run.store, run.message)
        let folder = try ScratchFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: run.model)
        let new = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: run.configuration, at: folder.file(),
            options: [NSPersistentHistoryTrackingKey: run.hasHistory as NSNumber])
        try coordinator.remove(new)
        let (migrated, fresh) = (try PlainDatabase(store.url), try PlainDatabase(folder.file()))
        for query in [
            """
            SELECT m.name || '.' || c.name || ' ' || c.type FROM sqlite_master m JOIN pragma_table_info(m.name) c \
            WHERE m.type = 'table' ORDER BY 1
            """,
            """
            SELECT replace(replace(name || ': ' || sql, '"', ''), '  ', ' ') FROM sqlite_master \
            WHERE type IN ('index', 'trigger') AND sql NOT NULL ORDER BY 1
            """,
            "SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER FROM Z_PRIMARYKEY ORDER BY 1",
        ] {
            let (found, wanted) = (try migrated.strings(query), try fresh.strings(query))
            try #require(Set(found).symmetricDifference(wanted) == [], message)
        }
        try #require(try migrated.integrity() == ["ok"], message)
        try requireSpatialRows(migrated, message)
    }

    /// Requires that each file is named by a row.
    private static func requireFiles(of store: VersionedStore, _ message: Comment) throws {
        let database = try PlainDatabase(store.url)
        let columns = try database.strings(
            """
            SELECT m.name || ' ' || c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c \
            WHERE m.type = 'table' AND c.type = 'BLOB' AND m.name GLOB 'Z[A-Z]*'
            """)
        var names: [String] = []
        for column in columns {
            let words = column.split(separator: " ").map(String.init)
            names += try database.strings(
                """
                SELECT substr(CAST(\(words[1]) AS TEXT), 2, 36) FROM \(words[0]) \
                WHERE length(\(words[1])) = 38 AND substr(\(words[1]), 1, 1) = x'02'
                """)
        }
        let name = ".\(store.url.deletingPathExtension().lastPathComponent)_SUPPORT/_EXTERNAL_DATA"
        let folder = store.url.deletingLastPathComponent().appendingPathComponent(name)
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        try #require(files.filter { !$0.hasPrefix(".") }.sorted() == names.sorted(), message)
    }

    /// Requires that each R-tree has a correct box for each row of its table.
    private static func requireSpatialRows(_ database: PlainDatabase, _ message: Comment) throws {
        let triggers = try database.strings(
            "SELECT tbl_name || ' ' || name FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'Z_RT_*_INSERT'"
        )
        for trigger in triggers {
            let words = trigger.split(separator: " ").map(String.init)
            let (table, tree) = (words[0], String(words[1].dropLast("_INSERT".count)))
            let columns = try database.strings("SELECT name FROM pragma_table_info('\(tree)')")
                .filter { $0.hasSuffix("_MIN") }.map { String($0.dropLast("_MIN".count)) }
            let isElsewhere = columns.map { "abs(r.\($0)_MIN - ifnull(t.\($0), 0)) > 1e-5 * abs(t.\($0))" }
            let wrong = try database.strings(
                """
                SELECT t.Z_PK FROM \(table) t LEFT JOIN \(tree) r ON r.Z_PK = t.Z_PK \
                WHERE r.Z_PK IS NULL OR \(isElsewhere.joined(separator: " OR ")) \
                UNION ALL SELECT r.Z_PK FROM \(tree) r WHERE r.Z_PK NOT IN (SELECT Z_PK FROM \(table))
                """)
            try #require(wrong == [], "\(tree): \(message)")
        }
    }
}
