import CoreData
import Foundation

/// Predicates as SQL and over objects in memory.
struct PredicateSuites {
    let bench: Workbench

    var all: [(name: String, make: () throws -> Suite)] {
        [
            ("predicate memory", inMemory), ("predicate sql", inSQL), ("predicate graph", overGraph),
            ("predicate graph memory", overGraphInMemory),
        ]
    }

    func inMemory() throws -> Suite {
        let stack = try bench.items().openFull()
        let context = stack.makeContext()
        let items = try context.objects("Item", of: Item.self)
        func written(_ test: @escaping (Item) -> Bool) -> () throws -> Double {
            {
                withExtendedLifetime(context) {
                    cost(of: items.count) {
                        var found = 0
                        for item in items where test(item) { found += 1 }
                        consume(found)
                    }
                }
            }
        }
        func evaluated(_ format: String) -> () throws -> Double {
            let predicate = NSPredicate(format: format)
            return written { predicate.evaluate(with: $0) }
        }
        let ints = "Swift, two comparisons"
        let both = "Swift, two comparisons and a search"
        return Suite(
            name: "Predicates over \(items.count) objects", unit: "ns per object",
            variants: [
                Variant(name: ints, run: written { $0.rank < 500 && $0.quantity > 1000 }),
                Variant(
                    name: "Core Data, two comparisons", goals: [Goal(baseline: ints, target: 2, limit: 3)],
                    run: evaluated("rank < 500 AND quantity > 1000")),
                Variant(
                    name: both,
                    run: written {
                        $0.rank < 500 && $0.quantity > 1000 && ($0.note.map { Self.contains($0) } ?? false)
                    }),
                Variant(
                    name: "Core Data, two comparisons and [cd]", peerOf: both,
                    run: evaluated("rank < 500 AND quantity > 1000 AND note CONTAINS[cd] 'LISBOA, LONG'")),
                Variant(
                    name: "Core Data, CONTAINS[cd] alone", goals: [Goal(target: 70, limit: 120)],
                    run: evaluated("note CONTAINS[cd] 'LISBOA, LONG'")),
                Variant(name: "Core Data, ==[cd]", run: evaluated("city ==[cd] 'LISBOA'")),
            ])
    }

    /// Searches by bytes, as hand-written code would for ASCII texts.
    private static func contains(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            needle.withUnsafeBufferPointer { needle in
                guard bytes.count >= needle.count else { return false }
                for start in 0...(bytes.count - needle.count) {
                    var offset = 0
                    while offset < needle.count {
                        let byte = bytes[start + offset]
                        guard (byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte) == needle[offset] else {
                            break
                        }
                        offset += 1
                    }
                    if offset == needle.count { return true }
                }
                return false
            }
        }
    }

    private static let needle = Array("lisboa, long".utf8)

    func inSQL() throws -> Suite {
        let dataset = try bench.items()
        return try counting(
            dataset, "Item", of: bench.sizes.rows, "Predicates as SQL over \(bench.sizes.rows) rows", "row",
            [
                (
                    "two comparisons", "rank < 500 AND quantity > 1000",
                    "SELECT COUNT(*) FROM ZITEM WHERE ZRANK < 500 AND ZQUANTITY > 1000"
                ),
                (
                    "two comparisons and a search",
                    "rank < 500 AND quantity > 1000 AND note CONTAINS[cd] 'LISBOA, LONG'",
                    """
                    SELECT COUNT(*) FROM ZITEM WHERE ZRANK < 500 AND ZQUANTITY > 1000 \
                    AND ZNOTE LIKE '%LISBOA, LONG%'
                    """
                ),
                (
                    "search alone", "note CONTAINS[cd] 'LISBOA, LONG'",
                    "SELECT COUNT(*) FROM ZITEM WHERE ZNOTE LIKE '%LISBOA, LONG%'"
                ),
            ])
    }

    func overGraph() throws -> Suite {
        let dataset = try bench.library()
        let books = bench.sizes.books
        var suite = try counting(
            dataset, "Author", of: books, "Predicates and order over \(books) related rows", "row",
            [
                (
                    "books.@count", "books.@count > 10",
                    """
                    SELECT COUNT(*) FROM ZAUTHOR a \
                    WHERE (SELECT COUNT(*) FROM ZBOOK b WHERE b.ZAUTHOR = a.Z_PK) > 10
                    """
                ),
                (
                    "SUBQUERY", "SUBQUERY(books, $b, $b.pages > 500).@count > 10",
                    """
                    SELECT COUNT(*) FROM ZAUTHOR a \
                    WHERE (SELECT COUNT(*) FROM ZBOOK b WHERE b.ZAUTHOR = a.Z_PK AND b.ZPAGES > 500) > 10
                    """
                ),
                (
                    "ANY", "ANY books.pages > 998",
                    """
                    SELECT COUNT(*) FROM ZAUTHOR a \
                    WHERE EXISTS (SELECT 1 FROM ZBOOK b WHERE b.ZAUTHOR = a.Z_PK AND b.ZPAGES > 998)
                    """
                ),
            ])
        let raw = try RawStore(dataset.fullPath)
        let stack = try dataset.openFull()
        let sorted = "C, order across a relationship"
        suite.variants += [
            Variant(name: sorted) {
                try cost(of: books) {
                    try raw.query(
                        """
                        SELECT b.Z_PK, b.Z_ENT, b.Z_OPT, b.ZPAGES, b.ZAUTHOR, b.ZTITLE FROM ZBOOK b \
                        LEFT JOIN ZAUTHOR a ON a.Z_PK = b.ZAUTHOR ORDER BY a.ZNAME, b.ZTITLE
                        """)
                }
            },
            Variant(name: "Core Data, order across a relationship", peerOf: sorted) {
                let context = stack.makeContext()
                return try cost(of: books) {
                    consume(
                        try context.objects("Book", of: Book.self) {
                            $0.sortDescriptors = [
                                NSSortDescriptor(key: "author.name", ascending: true),
                                NSSortDescriptor(key: "title", ascending: true),
                            ]
                        })
                }
            },
        ]
        return suite
    }

    /// Measures predicates and orders over objects whose relationships are already loaded.
    func overGraphInMemory() throws -> Suite {
        let books = bench.sizes.books
        let context = try bench.library().openFull().makeContext()
        let authors = try context.objects("Author", of: Author.self) {
            $0.relationshipKeyPathsForPrefetching = ["books"]
        }
        let all = try context.objects("Book", of: Book.self)
        func pair(_ format: String, _ test: @escaping (Author) -> Bool) -> [Variant] {
            let predicate = NSPredicate(format: format)
            return compared(
                format, units: books, { consume(authors.filter(test)) },
                { consume(authors.filtered(using: predicate)) })
        }
        func key(_ book: Book) -> (String, String) { (book.author?.name ?? "", book.title ?? "") }
        let order = [
            NSSortDescriptor(key: "author.name", ascending: true),
            NSSortDescriptor(key: "title", ascending: true),
        ]
        return Suite(
            name: "Predicates and order over \(books) related objects", unit: "ns per related object",
            variants: pair("books.@count > 10") { $0.books.count > 10 }
                + pair("SUBQUERY(books, $b, $b.pages > 500).@count > 10") {
                    $0.books.count { $0.pages > 500 } > 10
                }
                + pair("ANY books.pages > 998") { $0.books.contains { $0.pages > 998 } }
                + compared(
                    "order across a relationship", units: books,
                    { consume(all.sorted { key($0) < key($1) }) },
                    { consume(NSArray(array: all).sortedArray(using: order)) }))

        /// Keeps the context alive during the work, since it holds its objects weakly.
        func compared(
            _ name: String, units: Int, _ written: @escaping () -> Void, _ ours: @escaping () -> Void
        ) -> [Variant] {
            [
                Variant(name: "Swift, \(name)") {
                    withExtendedLifetime(context) { cost(of: units, written) }
                },
                Variant(name: "Core Data, \(name)", peerOf: "Swift, \(name)") {
                    withExtendedLifetime(context) { cost(of: units, ours) }
                },
            ]
        }
    }

    /// Counts the objects that predicates find, compared with the same count by a statement in C.
    private func counting(
        _ dataset: Dataset, _ entity: String, of count: Int, _ name: String, _ unit: String,
        _ cases: [(name: String, format: String, sql: String)]
    ) throws -> Suite {
        let raw = try RawStore(dataset.fullPath)
        let stack = try dataset.openFull()
        return Suite(
            name: name, unit: "ns per \(unit)",
            variants: cases.flatMap { test in
                [
                    Variant(name: "C, \(test.name)") { try cost(of: count) { try raw.query(test.sql) } },
                    Variant(name: "Core Data, \(test.name)", peerOf: "C, \(test.name)") {
                        let context = stack.makeContext()
                        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                        request.predicate = NSPredicate(format: test.format)
                        return try cost(of: count) { consume(try context.count(for: request)) }
                    },
                ]
            })
    }
}
