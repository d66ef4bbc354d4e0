import CoreData
import ModernCoreData

// The code of ModernCoreData's articles, one function a passage.

extension Book: Managed, KeyCodable {
    public static var defaultSortDescriptors: [NSSortDescriptor] { [sortDescriptor(.title)] }
    public enum Key: String { case title, pages, author }
}

extension Author: Managed {}

@MainActor
enum ModernArticle {
    static func listing(_ context: NSManagedObjectContext) throws -> [Book] {
        let books = try context.fetch(Book.sortedFetchRequest)
        let long = try context.fetch(Book.sortedFetchRequest(with: Book.predicate(format: "pages > %d", 300)))
        let count = Book.count(in: context)
        return count > 10 ? long : books
    }

    static func finding(_ context: NSManagedObjectContext) -> Book {
        let author = Author.findOrCreate(
            in: context, matching: Author.predicate(format: "name == %@", "Ursula K. Le Guin")
        ) {
            $0.name = "Ursula K. Le Guin"
        }
        let book: Book = context.insertObject()
        book.author = author
        return book
    }

    static func changing(_ context: NSManagedObjectContext, _ book: Book) {
        context.performChanges {
            book.title = "The Dispossessed"
        }
    }

    static func awaiting(_ context: NSManagedObjectContext) async throws -> NSManagedObjectID {
        let id = try await context.performChanges {
            let book: Book = context.insertObject()
            try context.obtainPermanentIDs(for: [book])
            return book.objectID
        }
        return id
    }

    static func observing(_ context: NSManagedObjectContext, _ book: Book) -> Any? {
        let token = context.addContextDidSaveNotificationObserver { note in
            print("saved \(note.insertedObjects.count) new objects")
        }
        NotificationCenter.default.removeObserver(token)

        let observer = ManagedObjectObserver(object: book) { change in
            print(change == .delete ? "gone" : "changed")
        }
        return observer
    }

    static func transforming() {
        ClosureValueTransformer.registerTransformer(
            withName: "Tags",
            transform: { (tags: [String]?) in tags.map { Data($0.joined(separator: ",").utf8) } },
            reverseTransform: { data in
                data.map { String(decoding: $0, as: UTF8.self).components(separatedBy: ",") }
            })
    }

    static func single(_ context: NSManagedObjectContext) -> Author? {
        let owner = Author.fetchSingleObject(in: context, cacheKey: "owner") { request in
            request.predicate = NSPredicate(format: "name == %@", NSUserName())
        }
        return owner
    }
}
