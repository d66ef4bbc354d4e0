import CoreData
import CoreDataModelFormat
import CoreDataSQL
import CoreDataSQLite
import Foundation

/// A store of the sample model in a folder of its own, which is removed in `deinit`.
final class SampleStore {
    let folder: URL
    let url: URL

    /// - Parameter files: The content of the folder, by name. The store is `Sample` with the extension of its
    ///   type.
    init(_ files: [String: Data], store name: String = "Sample.sqlite") throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("hostile-\(UUID())")
        url = folder.appendingPathComponent(name)
        for (name, data) in files {
            let file = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: file)
        }
    }

    convenience init() throws { try self.init(Self.database.get()) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var externalFolder: ExternalFolder { ExternalFolder(ofStoreAt: url.path) }

    // MARK: Made once

    /// The files of a database, and of stores of the other types with the same content.
    static let database = made(NSSQLiteStoreType, "Sample.sqlite")
    static let xml = made(NSXMLStoreType, "Sample.xml")
    static let binary = made(NSBinaryStoreType, "Sample.binary")

    private static func made(_ type: String, _ name: String) -> Result<[String: Data], any Error> {
        Result {
            let sample = try SampleStore([:], store: name)
            try FileManager.default.createDirectory(at: sample.folder, withIntermediateDirectories: true)
            let coordinator = NSPersistentStoreCoordinator(
                managedObjectModel: try NSManagedObjectModel(SampleModel.document))
            let store = try coordinator.addPersistentStore(
                ofType: type, configurationName: nil, at: sample.url,
                options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait { try fill(context) }
            try coordinator.remove(store)
            return try sample.files()
        }
    }

    private static func fill(_ context: NSManagedObjectContext) throws {
        func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            for (key, value) in values { object.setValue(value, forKey: key) }
            return object
        }
        let author = insert(
            "Author",
            [
                "name": "Ursula", "born": Date(timeIntervalSinceReferenceDate: -2_245_104_000.25),
                "isAlive": false, "royalty": NSDecimalNumber(string: "0.125"), "score": 9.5,
                "site": URL(string: "https://example.com/")!, "token": UUID(), "latitude": 37.5,
                "longitude": -122.5, "notes": ["one", "two"] as NSArray,
                "home": ["street": "Thurman", "number": 3321],
            ])
        let novel = insert(
            "Novel",
            [
                "title": "The Dispossessed", "pages": 341, "genre": "utopia", "author": author,
                "published": Date(timeIntervalSinceReferenceDate: -839_894_400), "weight": Float(0.35),
                "cover": Data(repeating: 7, count: 200_000),
            ])
        let book = insert(
            "Book", ["title": "The Lathe", "pages": 184, "author": author, "cover": Data([1, 2])])
        author.setValue(novel, forKey: "masterpiece")
        for title in ["Anarres", "Urras"] { _ = insert("Chapter", ["title": title, "book": novel]) }
        for word in ["sf", "dream"] {
            _ = insert("Tag", ["word": word, "books": NSOrderedSet(array: [book, novel])])
        }
        try context.save()
        book.setValue("The Lathe of Heaven", forKey: "title")
        context.delete(insert("Author", ["name": "Nobody", "token": UUID()]))
        try context.save()
    }

    // MARK: Files

    /// Returns the plain files of the folder with their bytes, and everything else in it with its type.
    func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        for name in names {
            let path = folder.appendingPathComponent(name).path
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
            switch attributes[.type] as? FileAttributeType {
            case .typeRegular? where size < 1 << 28: files[name] = FileManager.default.contents(atPath: path)
            case .typeDirectory?: break
            case let type?: files[name] = Data("\(type.rawValue) \(size)".utf8)
            case nil: break
            }
        }
        return files
    }

    /// Reads the content of the folder with the commands, and then as an app if it is a store.
    ///
    /// - Returns: The messages, and the files that the commands changed, made or removed.
    func read(_ commands: (URL) -> HostileReading) throws -> (words: [String], changes: [String]) {
        let before = try files()
        let reading = commands(url)
        let after = try files()
        reading.readAsApp()
        let changes = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        return (reading.words, changes.sorted())
    }

    /// Changes the bytes of the store's file.
    func edit(_ body: (inout Data) -> Void) throws {
        var data = try Data(contentsOf: url)
        body(&data)
        try data.write(to: url)
    }

    /// Runs SQL on a connection without any defences.
    func damage(_ sql: String...) throws {
        let connection = try SQLiteConnection(path: url.path, access: .scratch)
        defer { connection.close() }
        for statement in sql { try connection.execute(SQLText(stringLiteral: statement)) }
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
