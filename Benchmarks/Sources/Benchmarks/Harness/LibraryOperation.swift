import CoreData

/// Hot operations on relationships. A unit is a book with its edges; there are a hundredth as many authors
/// and tags.
enum LibraryOperation: String, CaseIterable, HotOperation {
    case walk, pairs, prefetch, graph, cascade

    func run(_ books: Int, inC: Bool, tracksHistory: Bool) throws {
        let bench = try Workbench(.rows(0, books: self == .graph ? 100 : max(4000, books)))
        let library = try bench.library()
        try library.withCopy(full: self != .graph) { path in
            if inC {
                try runInC(books, RawStore(path))
            } else {
                let stack = try Stack(path, library.model, [NSPersistentHistoryTrackingKey: tracksHistory])
                let context = stack.makeContext()
                try runInCoreData(books, context)
                try context.save()
            }
        }
    }

    private func runInCoreData(_ books: Int, _ context: NSManagedObjectContext) throws {
        let authors = books / 100
        switch self {
        case .walk:
            for author in try context.objects("Author", of: Author.self).prefix(authors) {
                walk(author.books)
            }
        case .pairs:
            for tag in try context.objects("Tag", of: Tag.self).prefix(authors) { walk(tag.books) }
        case .prefetch:
            let found = try context.objects("Author", of: Author.self) {
                $0.fetchLimit = authors
                $0.relationshipKeyPathsForPrefetching = ["books"]
            }
            for author in found { walk(author.books) }
        case .graph: Library(books: books).build(in: context)
        case .cascade:
            for author in try context.objects("Author", of: Author.self).prefix(authors) {
                context.delete(author)
            }
        }
    }

    private func walk(_ books: Set<Book>) {
        var sum = 0
        for book in books { sum += Int(book.pages) }
        consume(sum)
    }

    private func runInC(_ books: Int, _ store: RawStore) throws {
        let library = Library(books: books)
        switch self {
        case .walk, .prefetch: for key in library.ownerKeys { try store.query(Library.booksOfAuthor, key) }
        case .pairs: for key in library.ownerKeys { try store.query(Library.booksOfTag, key) }
        case .graph: try library.rawBuild(store)
        case .cascade: try library.rawDelete(store)
        }
    }
}
