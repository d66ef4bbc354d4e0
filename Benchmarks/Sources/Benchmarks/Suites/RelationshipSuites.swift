import CoreData

/// Walks, builds and deletes a graph of books with authors and tags.
struct RelationshipSuites {
    let bench: Workbench
    private var books: Int { bench.sizes.books }
    private var library: Library { Library(books: books) }

    var all: [(name: String, make: () throws -> Suite)] {
        [
            ("relationship one-to-many", oneToMany), ("relationship many-to-many", manyToMany),
            ("relationship build", build), ("relationship cascade", cascade),
        ]
    }

    // MARK: Walking

    func oneToMany() throws -> Suite {
        try walking("one-to-many", "Author", \Author.books, sql: Library.booksOfAuthor)
    }

    func manyToMany() throws -> Suite {
        try walking("many-to-many", "Tag", \Tag.books, sql: Library.booksOfTag)
    }

    private func walking<Owner: NSManagedObject>(
        _ kind: String, _ entity: String, _ members: KeyPath<Owner, Set<Book>>, sql: String
    ) throws -> Suite {
        let dataset = try bench.library()
        let raw = try RawStore(dataset.fullPath)
        let keys = library.ownerKeys
        let loop = "C, a query for each owner"
        func walk(_ owners: [Owner]) throws {
            var sum = 0
            for owner in owners {
                for book in owner[keyPath: members] { sum += Int(book.pages) + 1 }
            }
            guard sum >= books else { throw BenchmarkError("\(sum) is too little for \(books) books") }
        }
        func walked(
            isWarm: Bool = false, _ configure: (NSFetchRequest<Owner>) -> Void = { _ in }
        ) throws -> Double {
            let stack = try dataset.openFull()
            let context = stack.makeContext()
            var owners: [Owner] = []
            func work() throws {
                owners = try context.objects(entity, of: Owner.self, configure)
                try walk(owners)
            }
            if isWarm { try work() }
            let cost = try cost(of: books) { try work() }
            return try withExtendedLifetime(owners) {
                try stack.close()
                return cost
            }
        }
        return Suite(
            name: "Walk a \(kind) relationship, \(books) edges", unit: "ns per edge",
            variants: [
                Variant(name: loop) { try cost(of: books) { for key in keys { try raw.query(sql, key) } } },
                Variant(name: "Core Data, nothing read before", peerOf: loop) { try walked() },
                Variant(name: "Core Data, prefetched", peerOf: loop) {
                    try walked { $0.relationshipKeyPathsForPrefetching = ["books"] }
                },
                Variant(name: "Core Data, walked before", peerOf: loop) { try walked(isWarm: true) },
            ])
    }

    // MARK: Changing

    func build() throws -> Suite {
        let dataset = try bench.library()
        let build = library.rawBuild
        let loop = "C, bind loops of books and pairs"
        return Suite(
            name: "Build a graph of \(books) objects with inverses", unit: "ns per object",
            variants: [
                Variant(name: loop) {
                    try dataset.inC(full: false) { store in
                        try cost(of: books) { try build(store) }
                    }
                },
                Variant(name: "Core Data, in memory", peerOf: loop) {
                    try dataset.inCoreData(full: false) { context in
                        cost(of: books) { library.build(in: context) }
                    }
                },
                Variant(name: "Core Data, and saved", peerOf: loop) {
                    try dataset.inCoreData(full: false) { context in
                        try cost(of: books) {
                            library.build(in: context)
                            try context.save()
                        }
                    }
                },
            ])
    }

    func cascade() throws -> Suite {
        let dataset = try bench.library()
        let delete = library.rawDelete
        let loop = "C, DELETE loops"
        return Suite(
            name: "Delete \(library.authors) authors and by cascade \(books) books", unit: "ns per book",
            variants: [
                Variant(name: loop) {
                    try dataset.inC(full: true) { store in
                        try cost(of: books) { try delete(store) }
                    }
                },
                Variant(name: "Core Data", peerOf: loop) {
                    try dataset.inCoreData(full: true) { context in
                        let authors = try context.objects("Author", of: Author.self)
                        return try cost(of: books) {
                            for author in authors { context.delete(author) }
                            try context.save()
                        }
                    }
                },
            ])
    }
}
