import CoreData
import RawLoops

/// Batches that change every row of a store, compared with the equivalent statements; and the memory that
/// batches take.
struct BatchSuites {
    let bench: Workbench

    func update() throws -> Suite {
        try suite(
            "update", sql: "UPDATE ZITEM SET ZQUANTITY = ZQUANTITY + 1, Z_OPT = Z_OPT + 1", Self.updateAll)
    }

    func delete() throws -> Suite {
        // Without a condition SQLite would only truncate the table.
        try suite("delete", sql: "DELETE FROM ZITEM WHERE ZQUANTITY >= 0") { context in
            try Self.deleteAll(context)
        }
    }

    private func suite(
        _ name: String, sql: String, _ body: @escaping (NSManagedObjectContext) throws -> Void
    ) throws -> Suite {
        let items = try bench.items()
        let raw = "C, one statement"
        return Suite(
            name: "Batch \(name) of \(bench.sizes.rows) rows", unit: "ns per row",
            variants: [
                Variant(name: raw) {
                    try items.inC(full: true) { store in
                        try cost(of: bench.sizes.rows) { try store.run(sql) }
                    }
                },
                Variant(name: "Core Data", goals: [Goal(baseline: raw, target: 1.05, limit: 1.2)]) {
                    try items.inCoreData(full: true) { context in
                        try cost(of: bench.sizes.rows) { try body(context) }
                    }
                },
            ])
    }

    private static func updateAll(_ context: NSManagedObjectContext) throws {
        let request = NSBatchUpdateRequest(entityName: "Item")
        request.propertiesToUpdate = ["quantity": NSExpression(format: "quantity + 1")]
        try context.execute(request)
    }

    private static func deleteAll(_ context: NSManagedObjectContext) throws {
        let items = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
        items.predicate = NSPredicate(format: "quantity >= 0")
        try context.execute(NSBatchDeleteRequest(fetchRequest: items))
    }

    // MARK: Memory

    /// Measures how far the resident memory rises during a batch.
    func memory() throws -> Suite {
        let items = try bench.items()
        let (few, many) = (bench.sizes.batch, bench.sizes.batch * 10)
        let kinds: [(name: String, run: (Int, NSManagedObjectContext) throws -> Void, isFilled: Bool)] = [
            ("insert, dictionary handler", insertDictionaries, false),
            ("insert, object handler", insertObjects, false),
            ("update", { _, context in try Self.updateAll(context) }, true),
            ("delete", { _, context in try Self.deleteAll(context) }, true),
        ]
        let variants = kinds.flatMap { kind in
            [few, many].map { count in
                let goal = Goal(baseline: "\(kind.name), \(few) rows", target: 1.2, limit: 2)
                return Variant(name: "\(kind.name), \(count) rows", goals: count == many ? [goal] : []) {
                    try peak(of: kind.run, count, items, isFilled: kind.isFilled)
                }
            }
        }
        return Suite(name: "Memory of batches", unit: "kilobytes", variants: variants)
    }

    private func peak(
        of body: (Int, NSManagedObjectContext) throws -> Void, _ count: Int, _ items: Dataset,
        isFilled: Bool
    ) throws -> Double {
        try items.withCopy(full: false) { path in
            if isFilled {
                let stack = try Stack(path, items.model)
                try insertObjects(count, stack.makeContext())
                try stack.close()
            }
            let stack = try Stack(path, items.model)
            let context = stack.makeContext()
            let before = raw_begin_peak()
            try body(count, context)
            let peak = raw_peak_bytes()
            try stack.close()
            return Double(peak - min(before, peak)) / 1024
        }
    }

    private func insertDictionaries(_ count: Int, _ context: NSManagedObjectContext) throws {
        var number = 0
        let request = NSBatchInsertRequest(entityName: "Item") { (row: NSMutableDictionary) in
            guard number < count else { return true }
            row.addEntries(from: bench.samples[number % bench.samples.count].dictionary)
            number += 1
            return false
        }
        try context.execute(request)
    }

    private func insertObjects(_ count: Int, _ context: NSManagedObjectContext) throws {
        try Item.insertBatch(0..<count, in: context) { item, number in
            item.fill(from: bench.samples[number % bench.samples.count])
        }
    }
}
