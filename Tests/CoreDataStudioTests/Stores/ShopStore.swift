import CoreData
import CoreDataModelFormat
import CoreDataModelSource
import CoreDataSQL
import CoreDataSQLite
import CoreDataStudio
import CoreDataStudioInterface
import CoreDataTool
import CoreDataValues
import Foundation
import PostgreSQLTestSupport

/// A store of authors and books in a folder of its own, for tests of sessions.
final class ShopStore: Sendable {
    static let model = ModelDocument(
        entities: [
            EntityElement(
                name: "Author",
                attributes: [
                    AttributeElement(name: "born", type: .date, isOptional: true),
                    AttributeElement(name: "name", type: .string),
                ],
                relationships: [
                    RelationshipElement(
                        name: "books", destinationName: "Book", inverseName: "author",
                        inverseEntityName: "Book", isOptional: true, maximumCount: 0, deleteRule: .cascade)
                ]),
            EntityElement(
                name: "Book",
                attributes: [
                    AttributeElement(
                        name: "cover", type: .binary, isOptional: true, allowsExternalStorage: true),
                    AttributeElement(name: "isbn", type: .uuid, isOptional: true),
                    AttributeElement(name: "pages", type: .integer64, isOptional: true),
                    AttributeElement(name: "price", type: .decimal, isOptional: true),
                    AttributeElement(name: "title", type: .string),
                ],
                relationships: [
                    RelationshipElement(
                        name: "author", destinationName: "Author", inverseName: "books",
                        inverseEntityName: "Author", isOptional: true),
                    RelationshipElement(
                        name: "tags", destinationName: "Tag", inverseName: "books", inverseEntityName: "Tag",
                        isOptional: true, isOrdered: true, maximumCount: 0),
                ]),
            EntityElement(name: "Novel", parentName: "Book"),
            // Its relationships have no inverse.
            EntityElement(
                name: "Shelf",
                attributes: [AttributeElement(name: "place", type: .string, isOptional: true)],
                relationships: [
                    RelationshipElement(name: "best", destinationName: "Book", isOptional: true),
                    RelationshipElement(
                        name: "others", destinationName: "Book", isOptional: true, maximumCount: 0),
                ]),
            EntityElement(
                name: "Tag", attributes: [AttributeElement(name: "word", type: .string, isOptional: true)],
                relationships: [
                    RelationshipElement(
                        name: "books", destinationName: "Book", inverseName: "tags",
                        inverseEntityName: "Book", isOptional: true, maximumCount: 0)
                ], uniquenessConstraints: [["word"]]),
        ])

    let folder: URL
    let url: URL
    let type: String
    let events = EventLog()
    private let modelFile: URL?

    /// - Parameter bookCount: The number of books, of which every third is a novel.
    init(
        _ type: String = NSSQLiteStoreType, bookCount: Int = 250, history: Bool = false,
        fill: ((NSManagedObjectContext) throws -> Void)? = nil
    ) throws {
        self.type = type
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("studio-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let isInDatabase = type == PostgreSQLStoreType
        url = isInDatabase ? try Self.newSchema() : folder.appendingPathComponent("Shop.store")
        if type == NSSQLiteStoreType || isInDatabase {
            modelFile = nil
        } else {
            let file = folder.appendingPathComponent("Shop.mom")
            let version = ModelVersion(name: "Shop", document: Self.model)
            let package = try ModelPackage(
                name: "Shop", versions: [version], currentVersionName: "Shop", isVersioned: false)
            try ModelPackageWriter(package).compileCurrentVersion(to: file)
            modelFile = file
        }
        isTracked = history
        try write(fill ?? { try Self.shelve(bookCount, $0) })
    }

    /// Returns the place of a store in the database that tests have.
    private static func newSchema() throws -> URL {
        try URL(store: TestServer.shared().url(with: "schema=studio-\(UUID().uuidString)"))
    }

    /// Takes a copy that the studio made, in a folder that goes with it.
    init(copying path: String) throws {
        (type, modelFile, isTracked) = (NSSQLiteStoreType, nil, false)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("studio-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appendingPathComponent("Shop.store")
        try FileManager.default.copyItem(atPath: path, toPath: url.path)
    }

    private let isTracked: Bool

    /// A folder beside that of the store, for what the studio keeps.
    private var stateFolder: URL { folder.appendingPathExtension("state") }

    deinit {
        try? FileManager.default.removeItem(at: stateFolder)
        try? FileManager.default.removeItem(at: folder)
    }

    /// Changes the store as another program does, and closes it.
    func write(_ change: (NSManagedObjectContext) throws -> Void) throws {
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try NSManagedObjectModel(Self.model))
        let store = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: url,
            options: [NSPersistentHistoryTrackingKey: NSNumber(value: isTracked)])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            try change(context)
            try context.save()
        }
        try coordinator.remove(store)
    }

    static func shelve(_ bookCount: Int, _ context: NSManagedObjectContext) throws {
        let authors = (0..<7).map { number in
            insert("Author", ["name": "Author \(number)"], context)
        }
        let tags = ["sf", "dream", "classic"].map { insert("Tag", ["word": $0], context) }
        for number in 0..<bookCount {
            let book = insert(
                number % 3 == 0 ? "Novel" : "Book",
                [
                    "title": "Book \(number * 7919 % 1009)", "pages": number % 40,
                    "price": NSDecimalNumber(string: "\(number).25"), "isbn": UUID(),
                ], context)
            if number % 5 > 0 { book.setValue(authors[number % 7], forKey: "author") }
            for tag in tags.prefix(number % 4) { book.mutableOrderedSetValue(forKey: "tags").add(tag) }
        }
    }

    @discardableResult
    static func insert(
        _ entity: String, _ values: [String: Any], _ context: NSManagedObjectContext
    ) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    /// Returns what another program fetches: the values of a key, in the order of the sort.
    func values(_ entity: String, _ predicate: String?, sort: [String], key: String) throws -> [String] {
        var specification = FetchSpecification(
            entity: entity, predicate: predicate, sort: sort, properties: [key])
        specification.limit = 0
        var lines: [String] = []
        try StoreFetch(specification, from: OpenedStore(at: url, model: modelFile)).write(.csv) {
            lines.append($0)
        }
        return Array(lines.dropFirst())
    }

    /// Opens the studio on the store.
    func studio(editing: Bool = false, readOnly: Bool = false) throws -> StudioClient {
        var options = StudioOptions(files: [url], root: folder)
        options.mayEditStores = editing
        options.isReadOnly = readOnly
        options.model = modelFile
        options.stateFolder = stateFolder
        return StudioClient(try Studio(options), on: self)
    }

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
    func run(_ statements: String...) throws {
        let connection = try SQLiteConnection(path: url.path, access: .readWrite)
        defer { connection.close() }
        for statement in statements { try connection.execute(SQLText(stringLiteral: statement)) }
    }
}
