import Foundation
import Testing

@testable import CoreData

@Suite("Saving stores written by Apple's framework", .enabled(if: !CorpusStore.all.isEmpty))
struct CorpusSavingTests {
    /// What the saves of a test did, by the notifications of the context.
    private final class SaveLog: @unchecked Sendable {
        var saves = 0
        var inserted: Set<NSManagedObjectID> = []
        var deleted: Set<NSManagedObjectID> = []
        private var token: (any NSObjectProtocol)?

        func observe(_ context: NSManagedObjectContext) {
            token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave, object: context, queue: nil
            ) { [unowned self] note in
                saves += 1
                inserted.formUnion(Self.ids(note, NSInsertedObjectsKey))
                deleted.formUnion(Self.ids(note, NSDeletedObjectsKey))
            }
        }

        deinit { token.map(NotificationCenter.default.removeObserver) }

        private static func ids(_ note: Notification, _ key: String) -> [NSManagedObjectID] {
            (note.userInfo?[key] as? Set<NSManagedObject>)?.map(\.objectID) ?? []
        }
    }

    /// The values of objects as they were saved, by URI.
    private typealias Values = [URL: [String: Any]]

    @Test(
        "Inserts, updates and deletes are there when the store is opened again",
        arguments: CorpusStore.openable)
    func roundTrip(store: CorpusStore) throws {
        let folder = try ScratchFolder()
        let url = try store.copy(to: folder)
        let model = try store.model()
        let before = try counts(url, model)
        let triggers = try read(url) { try $0.triggers() }
        let opened = try OpenedStore(url, model)
        let log = SaveLog()
        log.observe(opened.context)
        var (changed, inserted): (Values, Values) = ([:], [:])
        try opened.context.performAndWait {
            changed = try updateOne(of: model.entities, in: opened.context)
            inserted = try insertOne(of: model.entities, in: opened.context)
        }
        // Every entity can be inserted but those that want a value only the app can make.
        #expect(!inserted.isEmpty)
        try opened.close()

        let again = try OpenedStore(url, model)
        try again.context.performAndWait {
            try check(changed, in: again, besides: triggers)
            try check(inserted, in: again, besides: triggers)
        }
        let second = SaveLog()
        second.observe(again.context)
        let gone = try again.context.performAndWait { try delete(inserted.keys, in: again) }
        try again.close()

        let third = try OpenedStore(url, model)
        try third.context.performAndWait {
            for uri in gone {
                let id = try third.id(uri)
                // Told apart first: describing an error describes the whole stack behind its object.
                let isGone = (try? third.context.existingObject(with: id)) == nil
                #expect(isGone, "\(uri)")
            }
        }
        try third.close()
        let insertions = log.inserted.union(second.inserted)
        let deletions = log.deleted.union(second.deleted)
        var expected = before
        for id in insertions { expected[id.entity.name ?? "", default: 0] += 1 }
        for id in deletions { expected[id.entity.name ?? "", default: 0] -= 1 }
        #expect(try counts(url, model).filter { $0.value != 0 } == expected.filter { $0.value != 0 })
        #expect(try PlainDatabase(url).integrity() == ["ok"])
    }

    @Test("Everything of others in the store stays as it is", arguments: CorpusStore.openable)
    func foreignContents(store: CorpusStore) throws {
        let folder = try ScratchFolder()
        let url = try store.copy(to: folder)
        let model = try store.model()
        try addForeignContents(to: url)
        let (schema, metadata) = try read(url) { (try $0.schema(), try $0.metadata()) }
        let caches = try read(url) { database in
            try database.has(table: "Z_MODELCACHE") ? try database.rows("SELECT * FROM Z_MODELCACHE") : []
        }
        let opened = try OpenedStore(url, model)
        #expect(opened.coordinator.metadata(for: opened.store)["com.example.note"] as? String == "kept")
        try opened.context.performAndWait {
            _ = try updateOne(of: model.entities, in: opened.context)
            _ = try insertOne(of: model.entities, in: opened.context)
        }
        try opened.close()
        try read(url) { database throws in
            #expect(try database.schema() == schema)
            #expect(try database.metadata() == metadata)
            #expect(try database.rows("SELECT * FROM FOREIGN_NOTES") == [[.integer(1), .text("kept")]])
            if !caches.isEmpty { #expect(try database.rows("SELECT * FROM Z_MODELCACHE") == caches) }
            #expect(try database.integrity() == ["ok"])
        }
    }

    @Test("A history that is on goes on", arguments: CorpusStore.openable)
    func history(store: CorpusStore) throws {
        let folder = try ScratchFolder()
        let url = try store.copy(to: folder)
        guard try read(url, { try $0.has(table: "ATRANSACTION") }) else { return }
        let model = try store.model()
        let numbers = try read(url) { try $0.entityNumbers(in: model) }
        let last = try read(url) {
            (
                try $0.integer("SELECT MAX(Z_PK) FROM ATRANSACTION"),
                try $0.integer("SELECT MAX(Z_PK) FROM ACHANGE")
            )
        }
        let opened = try OpenedStore(url, model)
        let log = SaveLog()
        log.observe(opened.context)
        var changed: Values = [:]
        try opened.context.performAndWait {
            opened.context.transactionAuthor = "tester"
            changed = try updateOne(of: model.entities, in: opened.context)
            let inserted = try insertOne(of: model.entities, in: opened.context)
            _ = try delete(inserted.keys, in: opened)
        }
        try opened.close()
        try read(url) { database throws in
            let transactions = try database.rows(
                "SELECT Z_PK FROM ATRANSACTION WHERE Z_PK > \(last.0) ORDER BY 1")
            #expect(transactions == (1...max(1, log.saves)).map { [.integer(last.0 + Int64($0))] })
            let changes = Set(
                try database.rows(
                    "SELECT ZCHANGETYPE, ZENTITY, ZENTITYPK FROM ACHANGE WHERE Z_PK > \(last.1)"))
            func contains(_ type: Int64, _ uri: URL) -> Bool {
                let parts = uri.pathComponents.suffix(2)
                guard let number = parts.first.flatMap({ numbers[$0] }),
                    let key = parts.last.flatMap({ Int64($0.dropFirst()) })
                else { return false }
                return changes.contains([.integer(type), .integer(number), .integer(key)])
            }
            for id in log.inserted { #expect(contains(0, id.uriRepresentation()), "\(id)") }
            for uri in changed.keys { #expect(contains(1, uri), "\(uri)") }
            for id in log.deleted { #expect(contains(2, id.uriRepresentation()), "\(id)") }
            let orphans = try database.integer(
                "SELECT COUNT(*) FROM ACHANGE WHERE ZTRANSACTIONID NOT IN (SELECT Z_PK FROM ATRANSACTION)")
            #expect(orphans == 0)
            for (table, number) in [("ACHANGE", 16001), ("ATRANSACTION", 16002)] {
                let highest = try database.integer("SELECT MAX(Z_PK) FROM \(table)")
                #expect(
                    try database.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)") == highest)
            }
        }
    }

    // MARK: Changes

    /// Saves; a change the model's own rules forbid is taken back. Returns whether it was saved.
    private func save(_ context: NSManagedObjectContext, _ what: String) -> Bool {
        do {
            try context.save()
            return true
        } catch let error as NSError {
            let isRule = (NSManagedObjectValidationError..<NSManagedObjectValidationError + 150).contains(
                error.code)
            if !isRule { Issue.record("\(what): \(error) \(error.userInfo)") }
            context.rollback()
            return false
        }
    }

    private func updateOne(of entities: [NSEntityDescription], in context: NSManagedObjectContext) throws
        -> Values
    {
        var values: Values = [:]
        let samples = SampleObjects(context)
        for entity in entities {
            let request = NSFetchRequest<NSManagedObject>(entityName: try #require(entity.name))
            request.includesSubentities = false
            request.fetchLimit = 1
            guard let object = try context.fetch(request).first else { continue }
            let changed = samples.change(object)
            guard context.hasChanges, save(context, "update of \(entity.name ?? "")") else { continue }
            values[object.objectID.uriRepresentation()] = changed
        }
        return values
    }

    private func insertOne(of entities: [NSEntityDescription], in context: NSManagedObjectContext) throws
        -> Values
    {
        var values: Values = [:]
        let samples = SampleObjects(context)
        for entity in entities where !entity.isAbstract {
            do {
                let object = try samples.insert(entity)
                guard save(context, "insert of \(entity.name ?? "")") else { continue }
                #expect(!object.objectID.isTemporaryID)
                values[object.objectID.uriRepresentation()] = object.dictionaryWithValues(
                    forKeys: comparable(entity))
            } catch is SampleObjects.NotPossible {
                context.rollback()
            }
        }
        return values
    }

    private func delete(_ uris: some Sequence<URL>, in opened: OpenedStore) throws -> [URL] {
        try uris.filter { uri in
            let id = try opened.id(uri)
            // A rule of another object's relationship may have deleted it already.
            guard let object = try? opened.context.existingObject(with: id) else { return true }
            opened.context.delete(object)
            return save(opened.context, "delete of \(uri)")
        }
    }

    // MARK: Checks

    /// Attributes that come back as they were set: no transformers of the app, no triggers.
    private func comparable(_ entity: NSEntityDescription) -> [String] {
        entity.attributesByName.values.filter {
            !$0.isTransient && $0.attributeType != .transformableAttributeType
                && !($0 is NSDerivedAttributeDescription)
        }.map(\.name)
    }

    /// Columns that triggers compute are theirs.
    private func check(_ values: Values, in opened: OpenedStore, besides triggers: String) throws {
        for (uri, expected) in values {
            let id = try opened.id(uri)
            let object = try opened.context.existingObject(with: id)
            for (key, value) in expected where !triggers.contains("Z\(key.uppercased()) =") {
                let actual = object.value(forKey: key)
                let isSame = value is NSNull ? actual == nil : boxed(value) == boxed(actual)
                #expect(isSame, "\(uri).\(key): \(String(describing: actual)) is not \(value)")
            }
        }
    }

    private func boxed(_ value: Any?) -> NSObject? {
        value.flatMap { ($0 as AnyObject) as? NSObject }
    }

    private func counts(_ url: URL, _ model: NSManagedObjectModel) throws -> [String: Int64] {
        try read(url) { database in
            let numbers = try database.entityNumbers(in: model)
            let names = Dictionary(uniqueKeysWithValues: numbers.map { ($0.value, $0.key) })
            let tables = try database.strings(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%Z_OPT INTEGER%'")
            var result: [String: Int64] = [:]
            for table in tables where !["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"].contains(table) {
                for row in try database.rows("SELECT Z_ENT, COUNT(*) FROM \(table) GROUP BY Z_ENT") {
                    guard case .integer(let entity) = row[0], case .integer(let count) = row[1] else {
                        continue
                    }
                    result[names[entity] ?? "\(entity)"] = count
                }
            }
            return result
        }
    }

    private func read<Result>(_ url: URL, _ body: (PlainDatabase) throws -> Result) throws -> Result {
        try body(PlainDatabase(url))
    }

    private func addForeignContents(to url: URL) throws {
        let database = try PlainDatabase(url)
        try database.execute(
            """
            CREATE TABLE FOREIGN_NOTES (ID INTEGER PRIMARY KEY, TEXT VARCHAR);
            CREATE INDEX FOREIGN_NOTES_INDEX ON FOREIGN_NOTES (TEXT);
            CREATE TRIGGER FOREIGN_NOTES_GUARD BEFORE DELETE ON FOREIGN_NOTES
            BEGIN SELECT RAISE(ABORT, 'kept'); END;
            INSERT INTO FOREIGN_NOTES VALUES (1, 'kept');
            """)
        let metadata = try #require(try database.metadata().mutableCopy() as? NSMutableDictionary)
        metadata["com.example.note"] = "kept"
        let plist = try PropertyListSerialization.data(
            fromPropertyList: metadata, format: .binary, options: 0)
        let hex = plist.map { String(format: "%02x", $0) }.joined()
        try database.execute("UPDATE Z_METADATA SET Z_PLIST = x'\(hex)'")
    }
}
