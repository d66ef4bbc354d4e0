import CoreData

/// The code of the articles, one function a passage; a test holds it against their text.
@MainActor
enum Articles {
    static func landingPage() throws {
        let container = NSPersistentContainer(name: "Library")
        container.loadPersistentStores { _, error in
            if let error { print(error) }
        }
        let context = container.viewContext

        let author = Author(context: context)
        author.name = "Ursula K. Le Guin"
        let book = Book(context: context)
        book.title = "The Dispossessed"
        book.author = author
        try context.save()

        let request = Book.fetchRequest()
        request.predicate = NSPredicate(format: "author.name BEGINSWITH %@", "Ursula")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        for book in try context.fetch(request) { print(book.title ?? "") }
    }

    static func modelInCode() -> NSManagedObjectModel {
        let title = NSAttributeDescription()
        title.name = "title"
        title.attributeType = .stringAttributeType

        let book = NSEntityDescription()
        book.name = "Book"
        book.properties = [title]

        let model = NSManagedObjectModel()
        model.entities = [book]
        return model
    }

    static func container() {
        let container = NSPersistentContainer(name: "Library")
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: URL(fileURLWithPath: "/var/lib/library/books.sqlite"))
        ]
        container.loadPersistentStores { description, error in
            if let error { fatalError("\(description.url!.path): \(error)") }
        }
    }

    static func changes(_ container: NSPersistentContainer) throws {
        let context = container.viewContext
        let book = Book(context: context)
        book.title = "The Dispossessed"
        try context.save()

        book.title = nil
        context.rollback()  // "The Dispossessed" again
        context.delete(book)
        try context.save()
    }

    static func fetch(_ context: NSManagedObjectContext) throws -> [Book] {
        let request = Book.fetchRequest()
        request.predicate = NSPredicate(format: "title CONTAINS[cd] %@", "disposs")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        request.fetchLimit = 20
        let books = try context.fetch(request)
        return books
    }

    static func backgroundTask(_ container: NSPersistentContainer) async throws {
        try await container.performBackgroundTask { context in
            let book = Book(context: context)
            book.title = "Always Coming Home"
            try context.save()
        }
    }

    static func handingOut(_ background: NSManagedObjectContext, _ container: NSPersistentContainer)
        async throws -> NSManagedObject
    {
        let id = try await background.perform {
            let book = Book(context: background)
            try background.save()
            return book.objectID
        }
        let book = try container.viewContext.existingObject(with: id)
        return book
    }

    static func merging(_ container: NSPersistentContainer) {
        container.viewContext.automaticallyMergesChangesFromParent = true
    }

    static func nesting(_ container: NSPersistentContainer) async throws {
        let draft = NSManagedObjectContext(.privateQueue)
        draft.parent = container.viewContext
        try await draft.perform {
            let book = Book(context: draft)
            book.title = "Tehanu"
            book.author = try draft.fetch(Author.fetchRequest()).first
            try draft.save()
        }
        try container.viewContext.save()
    }

    static func undo(_ context: NSManagedObjectContext, _ book: Book) {
        context.undoManager = UndoManager()
        book.title = "The Dispossessed"
        context.undo()
    }

    static func swiftPredicate() -> NSFetchRequest<Book> {
        let request = Book.fetchRequest()
        request.predicate = NSPredicate(
            #Predicate<Book> { book in
                book.pages > 300 && book.author?.name == "Ursula K. Le Guin"
            })
        return request
    }

    static func totals() -> NSFetchRequest<NSDictionary> {
        let total = NSExpressionDescription()
        total.name = "total"
        total.expression = NSExpression(format: "sum:(pages)")
        total.expressionResultType = .integer64AttributeType

        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["author.name", total]
        request.propertiesToGroupBy = ["author.name"]
        return request
    }
}
