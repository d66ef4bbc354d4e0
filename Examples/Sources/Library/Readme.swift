import CoreData

/// The example of the README.
@MainActor
public func readme() throws {
    let container = NSPersistentContainer(name: "Library")  // Library.xcdatamodeld, compiled by the plugin
    container.loadPersistentStores { _, error in
        if let error { fatalError("\(error)") }
    }
    let context = container.viewContext

    let author = Author(context: context)  // classes generated from the model
    author.name = "Ursula K. Le Guin"
    for title in ["The Dispossessed", "The Lathe of Heaven"] {
        let book = Book(context: context)
        book.title = title
        book.author = author  // author.books follows
    }
    try context.save()

    let request = Book.fetchRequest()
    request.predicate = NSPredicate(format: "author.name CONTAINS[cd] %@ AND title != nil", "guin")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    for book in try context.fetch(request) { print(book.title ?? "") }
}
