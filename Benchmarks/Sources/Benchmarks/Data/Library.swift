import CoreData

final class Author: NSManagedObject {
    private static let nameProperty = ManagedProperty("name")
    private static let booksProperty = ManagedProperty("books")

    var name: String? {
        get { ManagedAccess.read(self, Self.nameProperty) }
        set { ManagedAccess.write(self, Self.nameProperty, newValue) }
    }
    var books: Set<Book> {
        get { ManagedAccess.read(self, Self.booksProperty) }
        set { ManagedAccess.write(self, Self.booksProperty, newValue) }
    }
}

final class Book: NSManagedObject {
    private static let titleProperty = ManagedProperty("title")
    private static let pagesProperty = ManagedProperty("pages")
    private static let authorProperty = ManagedProperty("author")
    private static let tagsProperty = ManagedProperty("tags")

    var title: String? {
        get { ManagedAccess.read(self, Self.titleProperty) }
        set { ManagedAccess.write(self, Self.titleProperty, newValue) }
    }
    var pages: Int32 {
        get { ManagedAccess.read(self, Self.pagesProperty) }
        set { ManagedAccess.write(self, Self.pagesProperty, newValue) }
    }
    var author: Author? {
        get { ManagedAccess.read(self, Self.authorProperty) }
        set { ManagedAccess.write(self, Self.authorProperty, newValue) }
    }
    var tags: Set<Tag> {
        get { ManagedAccess.read(self, Self.tagsProperty) }
        set { ManagedAccess.write(self, Self.tagsProperty, newValue) }
    }
}

final class Tag: NSManagedObject {
    private static let nameProperty = ManagedProperty("name")
    private static let booksProperty = ManagedProperty("books")

    var name: String? {
        get { ManagedAccess.read(self, Self.nameProperty) }
        set { ManagedAccess.write(self, Self.nameProperty, newValue) }
    }
    var books: Set<Book> {
        get { ManagedAccess.read(self, Self.booksProperty) }
        set { ManagedAccess.write(self, Self.booksProperty, newValue) }
    }
}

/// Books with an author and a tag each, so that a one-to-many and a many-to-many relationship have equally
/// many edges.
struct Library {
    let books: Int
    var authors: Int { books / 100 }

    /// Books with neighbouring keys have different authors and different tags.
    func author(of book: Int) -> Int { book * 7919 % authors }
    func tag(of book: Int) -> Int { book * 104_729 % authors }

    func build(in context: NSManagedObjectContext) {
        let authors = (0..<authors).map { number in
            let author = Author(context: context)
            author.name = "Author \(number)"
            return author
        }
        let tags = (0..<self.authors).map { number in
            let tag = Tag(context: context)
            tag.name = "Tag \(number)"
            return tag
        }
        for number in 0..<books {
            let book = Book(context: context)
            book.title = "Book \(number)"
            book.pages = Int32(number % 1000)
            book.author = authors[author(of: number)]
            book.tags = [tags[tag(of: number)]]
        }
    }

    static func makeModel() -> NSManagedObjectModel {
        let author = NSEntityDescription(Author.self, "Author", ["name": .stringAttributeType])
        let book = NSEntityDescription(
            Book.self, "Book", ["title": .stringAttributeType, "pages": .integer32AttributeType])
        let tag = NSEntityDescription(Tag.self, "Tag", ["name": .stringAttributeType])
        author.relate(
            "books", to: book, isToMany: true, deleteRule: .cascadeDeleteRule, inverse: "author",
            isInverseToMany: false)
        tag.relate("books", to: book, isToMany: true, inverse: "tags", isInverseToMany: true)
        return NSManagedObjectModel(author, book, tag)
    }
}
