import CoreData
import Foundation

/// The operations of an app for documents, compared with the same statements in C.
struct DocumentSuites {
    let bench: Workbench
    private var count: Int { bench.sizes.documents }

    var all: [(name: String, make: () throws -> Suite)] {
        [
            ("document insert", insert), ("document update", update), ("document fetch", fetch),
            ("document delete", delete), ("document controllers", controllers),
        ]
    }

    func insert() throws -> Suite {
        let documents = try bench.documents()
        let rows = Document.rows(count)
        return Suite(
            name: "Documents: insert \(count) and save", unit: "ns per document",
            variants: [
                Variant(name: "C, bind loop, lists archived before") {
                    try documents.inC(full: false) { store in
                        try cost(of: count) { try store.write(Document.insert, rows) }
                    }
                },
                Variant(name: "Core Data", peerOf: "C, bind loop, lists archived before") {
                    try documents.inCoreData(full: false) { context in
                        try cost(of: count) {
                            try Self.insert(count, context)
                        }
                    }
                },
            ])
    }

    static func insert(_ count: Int, _ context: NSManagedObjectContext) throws {
        for number in 0..<count { Document(context: context).fill(number) }
        try context.save()
    }

    func update() throws -> Suite {
        let documents = try bench.documents()
        let (sql, rows) = (Document.update, Document.changes(count))
        let (together, alone) = ("C, one transaction", "C, a transaction each")
        return Suite(
            name: "Documents: update two attributes of \(count)", unit: "ns per document",
            variants: [
                Variant(name: together) {
                    try documents.inC(full: true) { store in
                        try cost(of: count) { try store.write(sql, rows) }
                    }
                },
                Variant(name: "Core Data, one save", peerOf: together) {
                    try changed(documents) { context, items in
                        for (number, item) in items.enumerated() { item.change(number) }
                        try context.save()
                    }
                },
                Variant(name: alone) {
                    try documents.inC(full: true) { store in
                        try cost(of: count) { try store.write(sql, rows, inTransactions: true) }
                    }
                },
                Variant(name: "Core Data, a save each", peerOf: alone) {
                    try changed(documents) { context, items in
                        for (number, item) in items.enumerated() {
                            item.change(number)
                            try context.save()
                        }
                    }
                },
            ])
    }

    private func changed(
        _ documents: Dataset, _ change: (NSManagedObjectContext, [Document]) throws -> Void
    ) throws -> Double {
        try documents.inCoreData(full: true) { context in
            let items = try context.objects("Document", of: Document.self)
            return try cost(of: count) { try change(context, items) }
        }
    }

    func fetch() throws -> Suite {
        let documents = try bench.documents()
        let raw = try RawStore(documents.fullPath)
        let stack = try documents.openFull()
        let fetches = 200
        let numbers = (0..<fetches).map { $0 * 7919 % count }
        func inC(_ condition: String, _ key: @escaping (Int) -> String) -> () throws -> Double {
            let keys = numbers.map { RawRows([[.text(key($0))]]) }
            return {
                try cost(of: fetches) {
                    for key in keys { try raw.query("\(Document.select) WHERE \(condition)", key) }
                }
            }
        }
        func inCoreData(_ format: String, _ key: @escaping (Int) -> String) -> () throws -> Double {
            {
                let context = stack.makeContext()
                return try cost(of: fetches) {
                    for number in numbers {
                        let found = try context.objects("Document", of: Document.self) {
                            $0.predicate = NSPredicate(format: format, key(number))
                        }
                        guard found.count == 1 else { throw BenchmarkError("\(found.count) found") }
                    }
                }
            }
        }
        let (indexed, unindexed) = ("C, by an indexed attribute", "C, by one without an index")
        return Suite(
            name: "Documents: fetch one of \(count)", unit: "ns per fetch",
            variants: [
                Variant(name: indexed, run: inC("ZCODE = ?") { "D-\($0)" }),
                Variant(
                    name: "Core Data, by an indexed attribute", peerOf: indexed,
                    run: inCoreData("code == %@") { "D-\($0)" }),
                Variant(name: unindexed, run: inC("ZTITLE = ?") { "Document \($0)" }),
                Variant(
                    name: "Core Data, by one without an index", peerOf: unindexed,
                    run: inCoreData("title == %@") { "Document \($0)" }),
            ])
    }

    func delete() throws -> Suite {
        let documents = try bench.documents()
        let keys = RawRows((0..<count).map { [.integer(Int64($0 + 1))] })
        return Suite(
            name: "Documents: delete \(count) and save", unit: "ns per document",
            variants: [
                Variant(name: "C, DELETE loop") {
                    try documents.inC(full: true) { store in
                        try cost(of: count) { try store.write("DELETE FROM ZDOCUMENT WHERE Z_PK = ?", keys) }
                    }
                },
                Variant(name: "Core Data", peerOf: "C, DELETE loop") {
                    try changed(documents) { context, items in
                        for item in items { context.delete(item) }
                        try context.save()
                    }
                },
            ])
    }

    // MARK: Controllers

    func controllers() throws -> Suite {
        let documents = try bench.documents()
        let watching = bench.sizes.controllers
        let none = "no controller"
        func saved(_ predicate: ((Int) -> NSPredicate)?) throws -> Double {
            try documents.inCoreData(full: true) { context in
                let items = try context.objects("Document", of: Document.self)
                let witness = ChangeWitness()
                let controllers = try predicate.map { predicate in
                    try (0..<watching).map { number in
                        try context.controller(
                            "Document", of: Document.self, predicate(number), by: "code", witness)
                    }
                }
                return try withExtendedLifetime(controllers) {
                    try cost(of: count) {
                        for (number, item) in items.enumerated() { item.change(number) }
                        try context.save()
                    }
                }
            }
        }
        return Suite(
            name: "Documents: \(count) updates in one save, watched by \(watching) controllers",
            unit: "ns per update",
            variants: [
                Variant(name: none) { try saved(nil) },
                Variant(name: "of one object each", peerOf: none) {
                    try saved { NSPredicate(format: "code == %@", "D-\($0)") }
                },
                Variant(name: "of \(count / Document.shelves) objects each", peerOf: none) {
                    try saved { NSPredicate(format: "shelf == %d", $0 % Document.shelves) }
                },
            ])
    }
}
