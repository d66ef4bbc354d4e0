import CoreData
import CoreDataLibpq
import CoreDataSQL
import Foundation
import PostgreSQLTestSupport
import Testing

@testable import CoreDataPostgreSQL

@MainActor @Suite("The views and comments of a store on PostgreSQL", .needsServer)
struct ReadableViewTests {
    private let url: URL

    init() throws { url = try Place.new() }

    // MARK: Models

    private static func entity(_ name: String, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = properties
        return entity
    }

    private static func relationship(
        _ name: String, _ destination: NSEntityDescription, most: Int, isOrdered: Bool = false
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        (relationship.name, relationship.destinationEntity) = (name, destination)
        (relationship.maxCount, relationship.isOptional) = (most, true)
        relationship.isOrdered = isOrdered
        return relationship
    }

    /// Books and authors, who are people; `more` are further attributes of books.
    private static func library(more: [NSAttributeDescription] = []) -> NSManagedObjectModel {
        let place = NSCompositeAttributeDescription()
        (place.name, place.isOptional) = ("place", true)
        place.elements = [ItemStore.attribute("city", .stringAttributeType)]
        let book = entity(
            "Book",
            [
                ItemStore.attribute("title", .stringAttributeType),
                ItemStore.attribute("addedOn", .dateAttributeType),
                ItemStore.attribute("isLent", .booleanAttributeType),
                ItemStore.attribute("price", .decimalAttributeType),
                ItemStore.attribute("kind", .stringAttributeType),
                ItemStore.attribute("Kind", .stringAttributeType),
                place,
            ] + more)
        let person = entity("Person", [ItemStore.attribute("name", .stringAttributeType)])
        let author = entity("Author", [ItemStore.attribute("penName", .stringAttributeType)])
        person.subentities = [author]
        let authors = relationship("authors", author, most: 0, isOrdered: true)
        let books = relationship("books", book, most: 0)
        (authors.inverseRelationship, books.inverseRelationship) = (books, authors)
        let owner = relationship("owner", person, most: 1)
        let shelf = relationship("shelf", book, most: 0)
        (owner.inverseRelationship, shelf.inverseRelationship) = (shelf, owner)
        book.properties += [authors, owner]
        author.properties += [books]
        person.properties += [shelf]
        let model = NSManagedObjectModel()
        model.entities = [book, person, author]
        return model
    }

    private func open(_ model: NSManagedObjectModel, at url: URL? = nil) throws -> NSManagedObjectContext {
        try ItemStore(model, at: url ?? self.url).context
    }

    private func session(_ url: URL? = nil) throws -> Session {
        try PostgreSQLStores.session(ConnectionOptions((url ?? self.url).absoluteString), 60)
    }

    /// Migrates the store to another model, and opens it.
    private func migrate(to model: NSManagedObjectModel) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            type: .postgreSQL, at: url,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true,
                NSInferMappingModelAutomaticallyOption: true,
            ])
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Returns the first column of each row, as text.
    private func texts(_ query: SQLFragment, _ session: Session? = nil) throws -> [String] {
        var result: [String] = []
        try (session ?? self.session()).forEachRow(of: query) { row in
            if case .text(let text) = row.value(at: 0) { result.append(text) }
        }
        return result
    }

    private func insert(
        _ name: String, _ values: [String: Any], _ context: NSManagedObjectContext
    ) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    // MARK: Reading

    @Test("SQL with the model's names reads the objects, with dates, booleans and the names of entities")
    func objects() throws {
        let context = try open(Self.library())
        let author = insert("Author", ["name": "Le Guin", "penName": "UKL"], context)
        _ = insert(
            "Book",
            [
                "title": "The Dispossessed", "kind": "novel", "Kind": "SF", "isLent": true,
                "addedOn": Date(timeIntervalSince1970: 1_700_000_000), "place": ["city": "Portland"],
                "price": NSDecimalNumber(string: "12.50"), "owner": author,
                "authors": NSOrderedSet(object: author),
            ], context)
        _ = insert(
            "Book", ["title": "later", "addedOn": Date(timeIntervalSinceReferenceDate: 1e300)], context)
        _ = insert("Book", ["title": "empty"], context)
        try context.save()
        let session = try session()
        try session.execute("SET timezone TO 'UTC'")
        #expect(
            try texts(
                """
                SELECT concat_ws(', ', title, kind, kind_2, isLent, addedOn, place_city, price) FROM Book \
                ORDER BY z_pk DESC
                """, session
            ).sorted() == [
                "The Dispossessed, SF, novel, t, 2023-11-14 22:13:20+00, Portland, 12.5", "empty",
                "later, infinity",
            ])
        #expect(
            try texts(
                """
                SELECT b.title || ' by ' || a.penName FROM book b \
                JOIN book_authors l ON l.book = b.z_pk JOIN author a ON a.z_pk = l.authors
                """) == ["The Dispossessed by UKL"])
        #expect(
            try texts("SELECT p.z_entity || ' ' || p.name FROM person p JOIN book ON owner = p.z_pk") == [
                "Author Le Guin"
            ])
    }

    @Test("A view of a subentity has its objects alone")
    func subentities() throws {
        let context = try open(Self.library())
        for (name, entity) in [("reader", "Person"), ("writer", "Author")] {
            _ = insert(entity, ["name": name], context)
        }
        try context.save()
        #expect(try texts("SELECT name FROM author") == ["writer"])
        #expect(try texts("SELECT name FROM person ORDER BY name") == ["reader", "writer"])
    }

    @Test("Comments tell what the tables and columns hold")
    func comments() throws {
        _ = try open(Self.library())
        let query: SQLFragment = """
            SELECT CAST(c.relname AS text) || COALESCE('.' || CAST(a.attname AS text), '') || ': ' \
            || d.description FROM pg_description d JOIN pg_class c ON c.oid = d.objoid \
            LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.objsubid AND d.objsubid > 0 \
            WHERE c.relname IN ('zbook', 'book', 'z_1authors') \
            AND relnamespace = CAST(quote_ident(current_schema()) AS regnamespace)
            """
        #expect(
            try texts(query).sorted() == [
                "book: OpenCoreData: the objects of the entity Book",
                "z_1authors.z_1books: Key of the Book",
                "z_1authors.z_3authors: Key of the Author",
                "z_1authors.z_fok_3authors: Position in Book.authors",
                "z_1authors: The pairs of Book.authors",
                "zbook.z2_owner: Book.owner: entity of the Person",
                "zbook.z_ent: The entity of the object (z_primarykey)",
                "zbook.z_opt: The version of the object, which each change has to raise by 1",
                "zbook.z_pk: The key of the object",
                "zbook.zaddedon: Book.addedOn: Date, seconds since 2001-01-01 00:00 UTC",
                "zbook.zcity: Book.place.city: String",
                "zbook.zislent: Book.isLent: Boolean, 0 or 1",
                "zbook.zkind1: Book.kind: String",
                "zbook.zkind: Book.Kind: String",
                "zbook.zowner: Book.owner: key of the Person",
                "zbook.zprice: Book.price: Decimal",
                "zbook.ztitle: Book.title: String",
                "zbook: The objects of Book",
            ])
    }

    // MARK: Room

    @Test("Where another program has the name, the store is made without the view")
    func takenNames() throws {
        let session = try session(Place.url(schema: "public"))
        let schema = SQLIdentifier.foreign("taken-\(UUID().uuidString)")
        try session.execute("CREATE SCHEMA \(schema)")
        try session.execute("CREATE TABLE \(schema).book (page text)")
        let url = try Place.url(schema: schema.name)
        let context = try open(Self.library(), at: url)
        _ = insert("Book", ["title": "a"], context)
        try context.save()
        let inside = try self.session(url)
        #expect(try texts("SELECT page FROM book", inside) == [])
        #expect(
            try texts(
                "SELECT CAST(viewname AS text) FROM pg_views WHERE schemaname = current_schema() ORDER BY 1",
                inside) == [
                    "author", "book_authors", "person",
                ])
    }

    @Test("Destroying a store drops its views, and leaves those of others alone")
    func destroying() throws {
        _ = try open(Self.library())
        try session().execute("CREATE VIEW mine AS SELECT 1 AS one")
        try NSPersistentStoreCoordinator(managedObjectModel: Self.library())
            .destroyPersistentStore(at: url, type: .postgreSQL)
        #expect(
            try texts(
                "SELECT CAST(relname AS text) FROM pg_class WHERE relnamespace = CAST(quote_ident(current_schema()) AS regnamespace)"
            )
                == ["mine"])
    }

    // MARK: Migration

    @Test("After a migration the views show the new model, to those who might read them before")
    func migration() throws {
        _ = try open(Self.library())
        let role = SQLIdentifier.foreign("reader-\(UUID().uuidString)")
        let session = try session()
        try session.execute("CREATE ROLE \(role)")
        defer {
            try? session.execute("DROP OWNED BY \(role)")
            try? session.execute("DROP ROLE \(role)")
        }
        try session.execute("GRANT SELECT ON book, person TO \(role)")
        let evolved = Self.library(more: [ItemStore.attribute("pages", .integer32AttributeType)])
        let context = try migrate(to: evolved)
        _ = insert("Book", ["title": "new", "pages": 7], context)
        try context.save()
        #expect(try texts("SELECT title || pages FROM book") == ["new7"])
        #expect(
            try texts(
                """
                SELECT v || has_table_privilege(\(bind: .text(role.name)), v, 'SELECT') \
                FROM unnest(ARRAY['author', 'book', 'person']) v ORDER BY 1
                """) == ["authorfalse", "booktrue", "persontrue"])
    }

    @Test(
        "A view that another program has made of a view or of what goes stops a migration; the error names it",
        arguments: [
            "SELECT title FROM book", "SELECT ztitle, zpages FROM zbook",
        ])
    func dependentView(_ query: String) throws {
        _ = try open(Self.library(more: [ItemStore.attribute("pages", .integer32AttributeType)]))
        try session().execute("CREATE VIEW best_sellers AS \(SQLText(stored: query))")
        let evolved = Self.library()
        let error = #expect(throws: NSError.self) { try migrate(to: evolved) }
        let cause = error?.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
        #expect(cause?.localizedFailureReason?.contains("view best_sellers depends on") == true)
        #expect(cause?.localizedFailureReason?.contains("drop first what others have made") == true)
        try session().execute("DROP VIEW best_sellers")
        _ = try migrate(to: evolved)
    }

    @Test("A view of another program of a table's columns that stay does not stop a migration")
    func independentView() throws {
        _ = try open(Self.library())
        try session().execute("CREATE VIEW titles AS SELECT ztitle FROM zbook")
        _ = try migrate(to: Self.library(more: [ItemStore.attribute("pages", .integer32AttributeType)]))
        #expect(try texts("SELECT ztitle FROM titles") == [])
    }

    @Test("A store that is moved to the database brings its views where there is room")
    func moving() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "\(UUID().uuidString).sqlite")
        let model = Self.library()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(type: .sqlite, at: file)
        let session = try session(Place.url(schema: "public"))
        let schema = SQLIdentifier.foreign("moved-\(UUID().uuidString)")
        try session.execute("CREATE SCHEMA \(schema)")
        try session.execute("CREATE TABLE \(schema).person (other text)")
        let url = try Place.url(schema: schema.name)
        _ = try coordinator.migratePersistentStore(store, to: url, type: .postgreSQL)
        #expect(
            try texts(
                "SELECT CAST(viewname AS text) FROM pg_views WHERE schemaname = current_schema() ORDER BY 1",
                self.session(url)) == ["author", "book", "book_authors"])
    }
}
