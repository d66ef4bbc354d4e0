#if Studio
import CoreData
import CoreDataModelFormat
import CoreDataModelSource
import CoreDataPostgreSQL
import CoreDataSQL
import CoreDataSQLite
import Foundation
import PostgreSQLTestSupport

/// A store of authors and books in the folder of a story or in a schema of a database, and the model beside it. The test writes and reads it
/// by the framework, as another process than the studio.
struct ShopFiles: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case sqlite, xml, binary, postgreSQL

        /// A store of SQLite, or of the type that `CORE_DATA_TEST_STORE` names.
        static let usual: Self =
            ProcessInfo.processInfo.environment["CORE_DATA_TEST_STORE"] == PostgreSQLStoreType
            ? .postgreSQL : .sqlite

        fileprivate var storeType: String {
            switch self {
            case .sqlite: NSSQLiteStoreType
            case .xml: NSXMLStoreType
            case .binary: NSBinaryStoreType
            case .postgreSQL: PostgreSQLStoreType
            }
        }
    }

    let folder: URL
    let kind: Kind
    let keepsHistory: Bool
    /// The place of the store.
    private let url: URL

    init(folder: URL, kind: Kind, keepsHistory: Bool = false, name: String = "Shop") throws {
        (self.folder, self.kind, self.keepsHistory) = (folder, kind, keepsHistory)
        url =
            if kind == .postgreSQL {
                URL(string: try TestServer.shared().url(with: "schema=\(folder.lastPathComponent)"))!
            } else {
                folder.appendingPathComponent("\(name).\(kind.rawValue)")
            }
    }

    /// What the studio opens. Only stores in files of SQLite and in databases carry their model.
    var names: [String] {
        switch kind {
        case .sqlite: [url.lastPathComponent]
        case .postgreSQL: [url.absoluteString]
        case .xml, .binary: ["Shop.xcdatamodeld", url.lastPathComponent]
        }
    }

    /// Makes the model and a store with books, whose titles sort by their numbers.
    ///
    /// - Parameter fill: Adds more to the store.
    func make(bookCount: Int = 300, fill: (NSManagedObjectContext) throws -> Void = { _ in }) throws {
        _ = try ModelFiles.write("Shop", Self.elements, in: folder)
        try write { context in
            let authors = (0..<7).map { Self.insert("Author", ["name": "Author \($0)"], context) }
            let tags = ["classic", "dream", "sea"].map { Self.insert("Tag", ["word": $0], context) }
            for number in 0..<bookCount {
                let number = number + 1
                let book = Self.insert(
                    "Book",
                    [
                        "title": Self.title(number), "pages": number % 40 * 10, "isbn": Self.isbn(number),
                        "price": NSDecimalNumber(string: "\(number).25"),
                        "published": Date(timeIntervalSinceReferenceDate: Double(number) * 86400),
                    ], context)
                if number % 5 > 0 { book.setValue(authors[number % 7], forKey: "author") }
                for tag in tags.prefix(number % 4) { book.mutableOrderedSetValue(forKey: "tags").add(tag) }
            }
            try fill(context)
        }
    }

    static func title(_ number: Int) -> String { "Book " + String(1000 + number).dropFirst() }

    private static func isbn(_ number: Int) -> UUID {
        UUID(uuidString: "00000000-0000-4000-8000-" + String(format: "%012d", number))!
    }

    @discardableResult
    static func insert(
        _ entity: String, _ values: [String: Any], _ context: NSManagedObjectContext
    ) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    /// Returns the books of a title, in a context of `write` or `read`.
    static func book(_ title: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: "title == %@", title)
        guard let book = try context.fetch(request).first else {
            throw WebDriver.Failure(description: "no book has the title \(title)")
        }
        return book
    }

    /// Changes the store and closes it.
    func write(_ change: (NSManagedObjectContext) throws -> Void) throws {
        try using { context in
            try change(context)
            try context.save()
        }
    }

    /// Returns what the store has now.
    func read<Value>(_ body: (NSManagedObjectContext) throws -> Value) throws -> Value { try using(body) }

    /// Returns the titles of all books, in their order.
    func titles() throws -> [String] {
        try read { context in
            let books = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
            return books.compactMap { $0.value(forKey: "title") as? String }.sorted()
        }
    }

    private func using<Value>(_ body: (NSManagedObjectContext) throws -> Value) throws -> Value {
        let package = folder.appendingPathComponent("Shop.xcdatamodeld")
        let model = try NSManagedObjectModel(ModelPackage.readCurrentVersion(at: package).document)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: kind.storeType, configurationName: nil, at: url,
            options: [NSPersistentHistoryTrackingKey: NSNumber(value: keepsHistory)])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.transactionAuthor = "another program"
        let value = try context.performAndWait { try body(context) }
        try coordinator.remove(store)
        return value
    }

    /// Makes a store with a million books. Returns what the studio opens.
    static func million(in folder: URL) throws -> [String] {
        let shop = try ShopFiles(folder: folder, kind: .sqlite)
        try shop.make(bookCount: 0)
        try shop.grow(to: 1_000_000)
        return shop.names
    }

    /// Adds rows by SQL, so that there are so many books.
    private func grow(to bookCount: Int) throws {
        try run(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(bookCount))
            INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZPAGES, ZAUTHOR)
            SELECT i, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book'), 1,
                printf('Book %07d', i * 7919 % 1000003), i % 900, 1 + i % 7 FROM n
            """, "UPDATE Z_PRIMARYKEY SET Z_MAX = \(bookCount) WHERE Z_NAME = 'Book'")
    }

    /// Runs SQL, which permits any change to the file.
    func run(_ statements: String...) throws {
        let connection = try SQLiteConnection(path: url.path, access: .readWrite)
        defer { connection.close() }
        for statement in statements { try connection.execute(SQLText(stringLiteral: statement)) }
    }

    /// The bytes of every file of the folder.
    func bytes() throws -> [String: Data] {
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let pairs = paths.compactMap { path in
            (try? Data(contentsOf: folder.appendingPathComponent(path))).map { (path, $0) }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    private static let elements = """
            <entity name="Author" syncable="YES">
                <attribute name="name" attributeType="String" defaultValueString=""/>
                <relationship name="books" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Book" \
        inverseName="author" inverseEntity="Book"/>
            </entity>
            <entity name="Book" syncable="YES">
                <attribute name="cover" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
                <attribute name="isbn" optional="YES" attributeType="UUID" usesScalarValueType="NO"/>
                <attribute name="pages" optional="YES" attributeType="Integer 64" usesScalarValueType="NO"/>
                <attribute name="price" optional="YES" attributeType="Decimal"/>
                <attribute name="published" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
                <attribute name="size" optional="YES" attributeType="Composite" composite="Size"/>
                <attribute name="title" attributeType="String"/>
                <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
                <relationship name="tags" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" \
        destinationEntity="Tag" inverseName="books" inverseEntity="Tag"/>
            </entity>
            <entity name="Tag" syncable="YES">
                <attribute name="look" optional="YES" attributeType="Transformable"/>
                <attribute name="word" optional="YES" attributeType="String"/>
                <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Book" \
        inverseName="tags" inverseEntity="Book"/>
            </entity>
            <composite name="Size">
                <attribute name="height" optional="YES" attributeType="Double" usesScalarValueType="NO"/>
                <attribute name="unit" optional="YES" attributeType="String"/>
                <attribute name="width" optional="YES" attributeType="Double" usesScalarValueType="NO"/>
            </composite>
        """
}
#endif
