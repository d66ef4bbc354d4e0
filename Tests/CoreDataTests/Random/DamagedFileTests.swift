import CoreDataModelFormat
import CoreDataModelSource
import CoreDataSQLite
import Foundation
import Testing

@testable import CoreData

@Suite("Randomly damaged files are read or refused")
struct DamagedFileTests {
    // MARK: A store with some of everything

    private static func model() -> NSManagedObjectModel {
        ModelSketch(
            """
            Shelf
              name string
              books ->>> Book.shelf
            Book
              name string preserved
              cover external
              pages int16
              price decimal
              weight float
              isRead bool
              bought date
              id uuid
              link uri
              notes transformable
              shelf -> Shelf.books
              tags ->> Tag.books
              unique id
            Atlas: Book
              scale int64
            Tag
              name string
              books ->>> Book.tags
            """
        ).model
    }

    private static var options: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true as NSNumber] }

    /// The bytes of a store with a few objects and a history.
    private static let store: Result<Data, any Error> = Result {
        let folder = try ScratchFolder()
        let opened = try OpenedStore(folder.file(), model(), options: options)
        try opened.context.performAndWait {
            let tags = ["x", "y"].map { opened.context.insert("Tag", ["name": $0]) }
            let books = (0..<6).map { number in
                opened.context.insert(
                    number % 2 == 0 ? "Book" : "Atlas",
                    [
                        "name": "book \(number)", "cover": Data(repeating: 1, count: 20), "pages": number,
                        "price": Decimal(number), "bought": Date(timeIntervalSinceReferenceDate: 1.5),
                        "id": UUID(), "link": URL(string: "https://example.com/\(number)") as Any,
                        "notes": ["a", "b"] as NSArray, "tags": Set(tags),
                    ])
            }
            _ = opened.context.insert("Shelf", ["name": "s", "books": NSOrderedSet(array: books)])
            try opened.context.save()
            opened.context.delete(books[0])
            books[1].setValue("other", forKey: "name")
            try opened.context.save()
        }
        try opened.close()
        return try Data(contentsOf: folder.file())
    }

    /// Reads and writes as far as possible. A failure must be an error.
    private static func use(_ url: URL) {
        _ = try? NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        _ = try? NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
        // A fault that reads a damaged page ends the program, like an exception on Apple's systems, so it is
        // not fired.
        let isWhole = (try? PlainDatabase(url).integrity()) == ["ok"]
        guard let opened = try? OpenedStore(url, model(), options: options) else { return }
        opened.context.performAndWait {
            for entity in ["Shelf", "Book", "Tag"] { read(entity, opened.context, firesFaults: isWhole) }
            _ =
                try? opened.context.execute(
                    NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast))
                as? NSPersistentHistoryResult
            change(opened.context, touchesRelationships: isWhole)
        }
        try? opened.close()
    }

    private static func read(_ entity: String, _ context: NSManagedObjectContext, firesFaults: Bool) {
        for object in (try? context.fetch(entity, nil, [], sortedBy: "name")) ?? [] {
            for (key, property) in object.entity.propertiesByName
            where firesFaults || property is NSAttributeDescription {
                switch object.value(forKey: key) {
                case let other as NSManagedObject: _ = other.value(forKey: "name")
                case let others as NSOrderedSet:
                    _ = (others.array as? [NSManagedObject])?.map { $0.value(forKey: "name") }
                case let others as NSSet:
                    _ = (others.allObjects as? [NSManagedObject])?.map { $0.value(forKey: "name") }
                default: break
                }
            }
        }
        let request = NSFetchRequest<NSDictionary>(entityName: entity)
        request.resultType = .dictionaryResultType
        _ = try? context.fetch(request)
    }

    private static func change(_ context: NSManagedObjectContext, touchesRelationships: Bool) {
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let books = (try? context.fetch("Book", nil, [], sortedBy: nil)) ?? []
        for (number, book) in books.enumerated() { book.setValue("b\(number)", forKey: "name") }
        if (try? context.save()) == nil { context.rollback() }
        guard touchesRelationships else { return }
        let new = context.insert("Book", ["name": "new"])
        if let shelf = try? context.fetch("Shelf", nil, [], sortedBy: nil).first {
            shelf.mutableOrderedSetValue(forKey: "books").insert(new, at: 0)
        }
        if (try? context.save()) == nil { context.rollback() }
        if let book = books.last, !book.isDeleted {
            context.delete(book)
            if (try? context.save()) == nil { context.rollback() }
        }
    }

    @Test("SQLite stores damaged byte by byte never crash the program", arguments: RandomRun.seeds)
    func pages(_ seed: UInt64) throws {
        var damage = FileDamage(seed: seed)
        let whole = try Self.store.get()
        for _ in 0..<RandomRun.casesPerModel / 10 {
            let folder = try ScratchFolder()
            let damaged = damage.number(0...3) == 0 ? damage.bytes(whole) : damage.pages(whole)
            try damaged.write(to: folder.file())
            Self.use(folder.file())
        }
    }

    @Test("SQLite stores damaged value by value never crash the program", arguments: RandomRun.seeds)
    func values(_ seed: UInt64) throws {
        var damage = FileDamage(seed: seed)
        for _ in 0..<RandomRun.casesPerModel / 10 {
            let folder = try ScratchFolder()
            try Self.store.get().write(to: folder.file())
            try autoreleasepool {
                let database = try PlainDatabase(folder.file())
                let tables = try database.strings(
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
                for _ in 0..<damage.number(1...3) {
                    let table = damage.pick(tables)
                    let column = damage.pick(
                        try database.strings("SELECT name FROM pragma_table_info('\(table)')"))
                    let rows = damage.pick(["", " WHERE rowid % 2 = 0", " WHERE rowid = 1"])
                    try? database.execute("UPDATE \(table) SET \(column) = \(damage.literal())\(rows)")
                }
            }
            Self.use(folder.file())
        }
    }

    @Test("Damaged metadata and cached models in a store never crash the program", arguments: RandomRun.seeds)
    func blobs(_ seed: UInt64) throws {
        var damage = FileDamage(seed: seed)
        for _ in 0..<RandomRun.casesPerModel / 10 {
            let folder = try ScratchFolder()
            try Self.store.get().write(to: folder.file())
            try autoreleasepool {
                let database = try PlainDatabase(folder.file())
                for (table, column) in [("Z_METADATA", "Z_PLIST"), ("Z_MODELCACHE", "Z_CONTENT")] {
                    guard
                        case .blob(let blob)? = try database.rows("SELECT \(column) FROM \(table)").first?
                            .first
                    else { continue }
                    let hex = damage.bytes(blob).map { String(format: "%02x", $0) }.joined()
                    try database.execute("UPDATE \(table) SET \(column) = x'\(hex)'")
                }
            }
            Self.use(folder.file())
        }
    }

    // MARK: Models

    private static func use(_ model: NSManagedObjectModel) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        guard
            let store = try? coordinator.addPersistentStore(
                ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        else { return }
        for entity in model.entities {
            _ = (entity.versionHash, entity.propertiesByName, entity.relationshipsByName)
        }
        try coordinator.remove(store)
    }

    /// The model as its files have it.
    private static func document() throws -> ModelDocument {
        let folder = try ScratchFolder()
        try store.get().write(to: folder.file())
        return try CompiledModelReader().read(
            try #require(try SQLiteStores.modelCache(at: folder.file().path))
        ).document
    }

    @Test("Damaged compiled models never crash the program", arguments: RandomRun.seeds)
    func compiledModels(_ seed: UInt64) throws {
        var damage = FileDamage(seed: seed)
        let whole = try CompiledModelWriter(try Self.document()).mom()
        let folder = try ScratchFolder()
        for _ in 0..<RandomRun.casesPerModel / 4 {
            try damage.bytes(whole).write(to: folder.file("Model.mom"))
            if let model = NSManagedObjectModel(contentsOf: folder.file("Model.mom")) { try Self.use(model) }
        }
    }

    @Test("Damaged model sources never crash the program", arguments: RandomRun.seeds)
    func modelSources(_ seed: UInt64) throws {
        var damage = FileDamage(seed: seed)
        let whole = ModelWriter(try Self.document()).contents()
        for _ in 0..<RandomRun.casesPerModel / 4 {
            let folder = try ScratchFolder()
            let package = folder.file("Model.xcdatamodel")
            try FileManager.default.createDirectory(at: package, withIntermediateDirectories: false)
            try damage.bytes(whole).write(to: package.appendingPathComponent("contents"))
            guard let document = try? ModelPackage.read(at: package).current.document else { continue }
            _ = VersionHashes(document).byEntity
            let compiled = folder.file("Model.mom")
            guard let bytes = try? CompiledModelWriter(document).mom() else { continue }
            try bytes.write(to: compiled)
            if let model = NSManagedObjectModel(contentsOf: compiled) { try Self.use(model) }
        }
    }

    // MARK: Tokens and object IDs

    @Test("Damaged history tokens never crash the program", arguments: RandomRun.seeds)
    func tokens(_ seed: UInt64) throws {
        var damage = FileDamage(seed: seed)
        let folder = try ScratchFolder()
        try Self.store.get().write(to: folder.file())
        let opened = try OpenedStore(folder.file(), Self.model(), options: Self.options)
        let token = try #require(opened.coordinator.currentPersistentHistoryToken(fromStores: nil))
        let whole = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        opened.context.performAndWait {
            for _ in 0..<RandomRun.casesPerModel {
                let read = try? NSKeyedUnarchiver.unarchivedObject(
                    ofClass: NSPersistentHistoryToken.self, from: damage.bytes(whole))
                guard let read else { continue }
                _ = try? opened.context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: read))
            }
        }
        try opened.close()
    }

    @Test("A damaged object URI leads to its object or to none", arguments: RandomRun.seeds)
    func objectIDs(_ seed: UInt64) throws {
        var damage = FileDamage(seed: seed)
        let folder = try ScratchFolder()
        try Self.store.get().write(to: folder.file())
        let opened = try OpenedStore(folder.file(), Self.model(), options: Self.options)
        try opened.context.performAndWait {
            let books = try opened.context.fetch("Book", nil, [], sortedBy: nil)
            let known = Dictionary(uniqueKeysWithValues: books.map { ($0.objectID.uriRepresentation(), $0) })
            for _ in 0..<RandomRun.casesPerModel {
                let text = damage.pick(Array(known.keys)).absoluteString
                guard let url = URL(string: damage.text(text)),
                    let id = opened.coordinator.managedObjectID(forURIRepresentation: url)
                else { continue }
                #expect(
                    opened.coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()) == id)
                let object = try? opened.context.existingObject(with: id)
                if let object, object.entity.isKindOf(entity: books[0].entity) {
                    #expect(known[object.objectID.uriRepresentation()] === object)
                }
            }
        }
        try opened.close()
    }
}
