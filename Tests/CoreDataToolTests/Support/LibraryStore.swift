import CoreData
import CoreDataModelFormat
import CoreDataSQL
import CoreDataSQLite
import CoreDataTool
import Foundation

/// A store of the library in a folder of its own, made by the framework with its usual options.
final class LibraryStore {
    let folder: URL
    let url: URL

    init(history: Bool = false, fill: (NSManagedObjectContext) throws -> Void = LibraryStore.shelve) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-tool-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appendingPathComponent("Library.sqlite")
        try Self.write(LibraryModel.document, to: url, history: history, fill)
    }

    /// Makes a copy of another store, log and external values included.
    init(copying source: URL) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-tool-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appendingPathComponent(source.lastPathComponent)
        for (from, to) in zip(StoreFiles(source).all, StoreFiles(url).all)
        where FileManager.default.fileExists(atPath: from.path) {
            try FileManager.default.copyItem(at: from, to: to)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: to.path)
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Opens the store for writing, as an app would, and closes it.
    static func write(
        _ document: ModelDocument, to url: URL, history: Bool = false,
        _ change: (NSManagedObjectContext) throws -> Void
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try NSManagedObjectModel(document))
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSPersistentHistoryTrackingKey: NSNumber(value: history)])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            try change(context)
            if context.hasChanges { try context.save() }
        }
        try coordinator.remove(store)
    }

    // MARK: Content

    /// Inserts two authors, three books of which one is a novel, and all related objects.
    static func shelve(_ context: NSManagedObjectContext) throws {
        let leGuin = insert(
            "Author", in: context,
            [
                "name": "Ursula K. Le Guin", "born": Date(timeIntervalSinceReferenceDate: -2_245_104_000.25),
                "isAlive": false, "royalty": NSDecimalNumber(string: "0.125"), "score": 9.5,
                "site": URL(string: "https://www.ursulakleguin.com/")!,
                "token": UUID(uuidString: "0D7F9C10-6C0B-4D53-8A3B-9A8B0E3C6F11")!,
                "notes": ["one", "two"] as NSArray,
            ])
        let nobody = insert("Author", in: context, ["name": "Nobody, \"N.\"\nof Nowhere"])
        let dispossessed = insert(
            "Novel", in: context,
            [
                "title": "The Dispossessed", "pages": 341, "genre": "utopia", "author": leGuin,
                "published": Date(timeIntervalSinceReferenceDate: -839_894_400), "weight": Float(0.35),
                "cover": Data(repeating: 7, count: 200_000),
            ])
        let lathe = insert(
            "Book", in: context,
            [
                "title": "The Lathe of Heaven", "pages": 184, "author": leGuin, "cover": Data([1, 2, 3]),
            ])
        let empty = insert("Book", in: context, ["title": ""])
        dispossessed.mutableOrderedSetValue(forKey: "chapters").addObjects(
            from: ["Anarres", "Urras", "Anarres again"].map {
                insert("Chapter", in: context, ["title": $0])
            })
        let tags = ["sf", "dream", "classic"].map { insert("Tag", in: context, ["word": $0]) }
        tags[0].mutableOrderedSetValue(forKey: "books").addObjects(from: [lathe, dispossessed])
        tags[2].mutableOrderedSetValue(forKey: "books").add(dispossessed)
        lathe.mutableSetValue(forKey: "shelf").add(tags[1])
        dispossessed.mutableSetValue(forKey: "related").add(lathe)
        lathe.setValue(insert("Card", in: context, ["number": Int64.max]), forKey: "card")
        _ = (nobody, empty)
    }

    @discardableResult
    static func insert(
        _ entity: String, in context: NSManagedObjectContext, _ values: [String: Any]
    ) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    // MARK: Files

    /// Every file of the folder with its bytes.
    func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        for name in names {
            files[name] = FileManager.default.contents(atPath: folder.appendingPathComponent(name).path)
        }
        return files
    }

    /// Runs SQL on a connection of its own, which permits any change to the file.
    func damage(_ sql: String...) throws {
        let connection = try SQLiteConnection(path: url.path, access: .scratch)
        defer { connection.close() }
        for statement in sql { try connection.execute(SQLText(stringLiteral: statement)) }
    }
}
