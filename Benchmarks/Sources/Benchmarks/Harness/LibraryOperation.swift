import CoreData

/// Hot operations on relationships: a unit is a book with its edges, of a hundredth as many authors and tags.
struct LibraryOperation {
    let books: Int

    private var authors: Int { books / 100 }

    func run(_ operation: HotOperation, inC: Bool) throws {
        let bench = try Workbench(.rows(0, books: operation == .graph ? 100 : max(4000, books)))
        let library = try bench.library()
        try library.withCopy(full: operation != .graph) { path in
            if inC {
                try runInC(operation, RawStore(path))
            } else {
                let context = try Stack(path, library.model).makeContext()
                try runInCoreData(operation, context)
                try context.save()
            }
        }
    }

    private func runInCoreData(_ operation: HotOperation, _ context: NSManagedObjectContext) throws {
        switch operation {
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
        default: throw BenchmarkError("\(operation) needs no library")
        }
    }

    private func walk(_ books: Set<Book>) {
        var sum = 0
        for book in books { sum += Int(book.pages) }
        consume(sum)
    }

    private func runInC(_ operation: HotOperation, _ store: RawStore) throws {
        let library = Library(books: books)
        switch operation {
        case .walk, .prefetch: for key in library.ownerKeys { try store.query(Library.booksOfAuthor, key) }
        case .pairs: for key in library.ownerKeys { try store.query(Library.booksOfTag, key) }
        case .graph: try library.rawBuild(store)
        case .cascade: try library.rawDelete(store)
        default: throw BenchmarkError("\(operation) needs no library")
        }
    }
}
