import CoreDataPostgreSQL
import Foundation
import PostgreSQLTestSupport
import Testing

@testable import CoreData

@Suite("Derived attributes")
struct DerivedAttributeTests {
    // MARK: The model

    /// Books with pages and an author; texts are the root of books.
    private static let sketch = """
        Text
          title string
          canonicalTitle string derived canonical:(title)
          savedAt date derived now()
          titleAsItIs string derived title
        Page
          book -> Book.pages
          words int32
        Author
          books ->> Book.author
          name string
        Tag
          books ->> Book.tags
          label string
          weight int32
        Book: Text
          pages ->> Page.book
          author -> Author.books
          tags ->> Tag.books
          pagesCount int64 derived pages.@count
          words int64 derived pages.words.@sum
          authorName string derived author.name
          tagsCount int64 derived tags.@count
          tagsWeight int64 derived tags.@sum.weight
        """

    /// The stores that keep derived attributes in a database.
    private static let databases: [NSPersistentStore.StoreType] =
        TestServer.isAvailable ? [.sqlite, .postgreSQL] : [.sqlite]
    private static let stores = databases + [.inMemory]

    private func opened(
        _ folder: ScratchFolder, _ type: NSPersistentStore.StoreType = .sqlite
    ) throws -> OpenedStore {
        try OpenedStore(folder.place(type), ModelSketch(Self.sketch).model, type: type.rawValue)
    }

    private func insert(
        _ entity: String, _ values: [String: Any] = [:], in context: NSManagedObjectContext
    ) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    private func number(_ object: NSManagedObject, _ key: String) -> Int? {
        (object.value(forKey: key) as? NSNumber)?.intValue
    }

    // MARK: Tests

    @Test(
        "A refreshed object has the derived values, whether it was saved itself or not",
        arguments: databases)
    func saved(_ type: NSPersistentStore.StoreType) throws {
        let folder = try ScratchFolder()
        let store = try opened(folder, type)
        try store.context.performAndWait {
            let context = store.context
            let author = insert("Author", ["name": "Ursula"], in: context)
            let book = insert("Book", ["title": "Éarthsea", "author": author], in: context)
            let pages = [10, 20, 30].map { insert("Page", ["book": book, "words": $0], in: context) }
            let tag = insert("Tag", ["books": Set([book])], in: context)
            try context.save()
            context.refreshAllObjects()
            #expect(number(book, "pagesCount") == 3)
            #expect(number(book, "words") == 60)
            #expect(number(book, "tagsCount") == 1)
            #expect(book.value(forKey: "authorName") as? String == "Ursula")
            #expect(book.value(forKey: "canonicalTitle") as? String == "earthsea")
            #expect(book.value(forKey: "titleAsItIs") as? String == "Éarthsea")
            let saved = try #require(book.value(forKey: "savedAt") as? Date)
            #expect(abs(saved.timeIntervalSinceNow) < 60)

            author.setValue("Le Guin", forKey: "name")
            pages[0].setValue(nil, forKey: "book")
            pages[1].setValue(25, forKey: "words")
            context.delete(pages[2])
            context.delete(tag)
            try context.save()
            context.refreshAllObjects()
            #expect(book.value(forKey: "authorName") as? String == "Le Guin")
            #expect(number(book, "pagesCount") == 1)
            #expect(number(book, "words") == 25)
            #expect(number(book, "tagsCount") == 0)
            let savedAgain = try #require(book.value(forKey: "savedAt") as? Date)
            #expect(savedAgain >= saved)
            #expect(!context.hasChanges)

            book.setValue("ÄRGER", forKey: "title")
            book.setValue(nil, forKey: "author")
            try context.save()
            context.refreshAllObjects()
            #expect(book.value(forKey: "canonicalTitle") as? String == "arger")
            #expect(book.value(forKey: "authorName") == nil)
        }
        try store.close()
    }

    @Test(
        "A pair of a relationship that is its own inverse counts for both objects",
        arguments: stores)
    func ownInverse(_ type: NSPersistentStore.StoreType) throws {
        let folder = try ScratchFolder()
        let model = ModelSketch(
            """
            Person
              weight int32
              friends ->> Person.friends
              count int64 derived friends.@count
              sum double derived sum:(friends.weight)
            """
        ).model
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: type, at: folder.place(type))
        let context = coordinator.context(.privateQueue)
        try context.performAndWait {
            let people = [1, 10, 100].map { insert("Person", ["weight": $0], in: context) }
            func expect(_ counts: [Int], _ sums: [Int]) throws {
                try context.save()
                context.refreshAllObjects()
                #expect(people.map { number($0, "count") } == counts)
                #expect(people.map { number($0, "sum") } == sums)
            }
            people[0].setValue(Set(people), forKey: "friends")
            try expect([3, 1, 1], [111, 1, 1])
            people[2].setValue(Set([people[1]]), forKey: "friends")
            try expect([2, 2, 1], [11, 101, 10])
            people[1].setValue(20, forKey: "weight")
            try expect([2, 2, 1], [21, 101, 20])
            context.delete(people[0])
            try context.save()
            context.refreshAllObjects()
            #expect(people[1...].map { number($0, "count") } == [1, 1])
            #expect(people[1...].map { number($0, "sum") } == [100, 20])
        }
    }

    @Test(
        "A new object that is its own member counts once",
        arguments: stores)
    func ownMember(_ type: NSPersistentStore.StoreType) throws {
        let folder = try ScratchFolder()
        let model = ModelSketch(
            "Node\n  parent -> Node.children\n  children ->> Node.parent\n  count int64 derived children.@count"
        ).model
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: type, at: folder.place(type))
        let context = coordinator.context(.privateQueue)
        try context.performAndWait {
            let node = insert("Node", in: context)
            let child = insert("Node", ["parent": node], in: context)
            node.setValue(node, forKey: "parent")
            try context.save()
            context.refreshAllObjects()
            #expect([node, child].map { number($0, "count") } == [2, 0])
            node.setValue(nil, forKey: "parent")
            child.setValue(child, forKey: "parent")
            try context.save()
            context.refreshAllObjects()
            #expect([node, child].map { number($0, "count") } == [0, 1])
        }
    }

    @Test(
        "Sums over a many-to-many relationship follow members and values, from both sides",
        arguments: stores)
    func sums(_ type: NSPersistentStore.StoreType) throws {
        let folder = try ScratchFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ModelSketch(Self.sketch).model)
        try coordinator.addPersistentStore(type: type, at: folder.place(type))
        let context = coordinator.context(.privateQueue)
        try context.performAndWait {
            let books = (0..<2).map { insert("Book", ["title": "\($0)"], in: context) }
            let tags = [1, 10, 100].map { insert("Tag", ["weight": $0], in: context) }
            func expect(_ sums: [Int]) throws {
                try context.save()
                context.refreshAllObjects()
                #expect(books.map { number($0, "tagsWeight") } == sums)
            }
            books[0].setValue(Set(tags), forKey: "tags")
            books[1].setValue(Set([tags[1]]), forKey: "tags")
            try expect([111, 10])
            tags[1].setValue(20, forKey: "weight")
            try expect([121, 20])
            books[0].mutableSetValue(forKey: "tags").remove(tags[0])
            books[1].mutableSetValue(forKey: "tags").add(tags[0])
            try expect([120, 21])
            context.delete(tags[1])
            try expect([100, 1])
            books[0].setValue(nil, forKey: "tags")
            try expect([0, 1])
        }
    }

    @Test(
        "An unsupported derivation is an error that names the attribute when a store is added",
        arguments: stores + [.xml, .binary])
    func unsupported(_ type: NSPersistentStore.StoreType) throws {
        let model = ModelSketch(Self.sketch + "\n  longest int32 derived pages.words.@max").model
        let folder = try ScratchFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let error = try #require(throws: NSError.self) {
            try coordinator.addPersistentStore(type: type, at: folder.place(type))
        }
        #expect(error.localizedFailureReason?.hasPrefix("Book.longest: ") == true)
        #expect(coordinator.persistentStores.isEmpty)
    }

    @Test("Derived values are stored, and queries use them", arguments: databases)
    func queried(_ type: NSPersistentStore.StoreType) throws {
        let folder = try ScratchFolder()
        var store = try opened(folder, type)
        try store.context.performAndWait {
            for count in 0..<4 {
                let book = insert("Book", ["title": "B\(count)"], in: store.context)
                for _ in 0..<count { _ = insert("Page", ["book": book], in: store.context) }
            }
            try store.context.save()
        }
        try store.close()
        store = try opened(folder, type)
        try store.context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: "pagesCount >= 2 AND canonicalTitle BEGINSWITH 'b'")
            request.sortDescriptors = [NSSortDescriptor(key: "pagesCount", ascending: false)]
            let counts = try store.context.fetch(request).map { number($0, "pagesCount") }
            #expect(counts == [3, 2])
        }
        try store.close()
    }

    @Test("A value that an app sets on a derived attribute is not stored", arguments: databases)
    func written(_ type: NSPersistentStore.StoreType) throws {
        let folder = try ScratchFolder()
        let store = try opened(folder, type)
        try store.context.performAndWait {
            let book = insert("Book", ["pagesCount": 7], in: store.context)
            try store.context.save()
            store.context.refreshAllObjects()
            #expect(number(book, "pagesCount") == 0)
            book.setValue(9, forKey: "pagesCount")
            book.setValue("t", forKey: "title")
            try store.context.save()
            store.context.refreshAllObjects()
            #expect(number(book, "pagesCount") == 0)
        }
        try store.close()
    }

    @Test("A derived attribute is computed only in rows of the entity that declares it")
    func siblings() throws {
        let folder = try ScratchFolder()
        let store = try opened(folder)
        try store.context.performAndWait {
            let text = insert("Text", ["title": "Ode"], in: store.context)
            try store.context.save()
            store.context.refreshAllObjects()
            #expect(text.value(forKey: "canonicalTitle") as? String == "ode")
        }
        try store.close()
        let counts = try PlainDatabase(folder.file()).rows("SELECT ZPAGESCOUNT FROM ZTEXT")
        #expect(counts == [[.null]])
    }

    @Test(
        "The triggers of Apple's store update derived attributes, and objects get the new values",
        .enabled(if: !CorpusStore.all.isEmpty))
    func appleStore() throws {
        let sample = try #require(CorpusStore.openable.first { $0.path.hasSuffix("SampleModel2_V1.sqlite") })
        let folder = try ScratchFolder()
        let store = try OpenedStore(try sample.copy(to: folder), try sample.model())
        try store.context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: "pagesCount > 1")
            request.fetchLimit = 1
            let book = try #require(try store.context.fetch(request).first)
            let before = try #require(number(book, "pagesCount"))
            let pages = try #require(book.value(forKey: "pages") as? Set<NSManagedObject>)
            #expect(pages.count == before)
            store.context.delete(try #require(pages.first))
            try store.context.save()
            store.context.refreshAllObjects()
            #expect(number(book, "pagesCount") == before - 1)
        }
        try store.close()
    }
}
