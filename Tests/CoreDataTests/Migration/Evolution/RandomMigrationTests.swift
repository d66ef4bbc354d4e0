import CoreData
import Foundation
import Testing

@Suite("Lightweight migration of random models and data")
@MainActor
struct RandomMigrationTests {
    @Test(
        "Each version has what the one before had, and its store is like one that is made new",
        arguments: RandomRun.seeds, [VersionedStore.Way.inPlace, .copied])
    func evolutions(_ seed: UInt64, _ way: VersionedStore.Way) throws {
        // The mapping of a manager has no configuration.
        let configuration = way == .inPlace && seed % 3 == 0 ? RandomEvolution.configuration : nil
        var evolution = RandomEvolution(seed: seed, hasConfiguration: configuration != nil)
        var random = SeededGenerator(seed: seed &+ 7)
        let store = try VersionedStore(evolution.sketch.text, way, configuration: configuration)
        for _ in 0..<5 {
            let former = store.coordinator.managedObjectModel
            RandomEdit(context: store.context, entities: former.entities(inPart: configuration))
                .run(&random)
            try store.context.save()
            store.context.reset()
            let before = try ObjectGraph(of: store.context, former.entities(inPart: configuration))
            let old = evolution.sketch.text
            try #require(
                before.derived(by: former).differences(from: before) == [], "seed \(seed)\n\(old)")
            evolution.evolve()
            let model = evolution.sketch.model
            let entities = model.entities(inPart: configuration)
            let message: Comment = "seed \(seed)\n\(old)\n--\n\(evolution.sketch.text)"
            var plan: StoreMigrationPlan?
            do {
                try store.close()
                plan = try NSPersistentStoreCoordinator.lightweightMigrationPlan(
                    forStoreAt: store.url, configurationName: configuration, to: model)
                #expect([.inPlace, .notNeeded].contains(plan?.method), message)
                #expect(plan?.objectCount == before.nodes.count, message)
                try Self.migrate(store, to: model, isDeferred: way == .inPlace && seed % 4 == 0)
            } catch {
                Issue.record("\(error)\n\(message)")
                return
            }
            let expected = ExpectedGraph(
                graph: before, source: former, destination: model, entities: entities,
                keepsMoments: way == .inPlace
            ).migrated()
            let found = try ObjectGraph(of: store.context, entities)
            try #require(expected.differences(from: found) == [], message)
            try store.close()
            // Indexes are no part of a version.
            if plan?.method == .inPlace { try Self.compareWithNew(store, model, configuration, message) }
            try Self.requireFiles(of: store, message)
            try store.migrate(to: model, options: [:])
        }
    }

    private static func migrate(
        _ store: VersionedStore, to model: NSManagedObjectModel, isDeferred: Bool
    ) throws {
        var options = VersionedStore.verified
        if isDeferred {
            options[NSPersistentStoreDeferredLightweightMigrationOptionKey] = true as NSNumber
        }
        try store.migrate(to: model, options: options)
        if isDeferred { try store.coordinator.finishDeferredLightweightMigration() }
    }

    /// Tables, columns, indexes, triggers and entity numbers are those of a store that never had another model.
    private static func compareWithNew(
        _ store: VersionedStore, _ model: NSManagedObjectModel, _ configuration: String?, _ message: Comment
    ) throws {
        let folder = try ScratchFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let new = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: configuration, at: folder.file())
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

    /// Each file is one that a row names.
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

    /// Each R-tree has a box for each row of its table, where the row is.
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

extension NSManagedObjectModel {
    fileprivate final func entities(inPart configuration: String?) -> [NSEntityDescription] {
        configuration.flatMap { entities(forConfigurationName: $0) } ?? entities
    }
}
