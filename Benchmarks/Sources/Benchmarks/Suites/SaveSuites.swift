import CoreData
import GRDB
import RawLoops

/// Inserts into an empty store, and updates and deletes rows that were fetched before. Each run has a file of
/// its own; opening, fetching and closing are not measured.
struct SaveSuites {
    let bench: Workbench

    func insert() throws -> Suite {
        let items = try bench.items()
        let indexed = try bench.indexedItems()
        let count = bench.sizes.inserts
        let raw = "C, bind loop"
        let rawIndexed = "C, bind loop, index of scattered values"
        return Suite(
            name: "Insert \(count) objects and save", unit: "ns per object",
            variants: [
                Variant(name: raw) { try insertInC(count, into: items) },
                Variant(name: "Core Data", goals: [Goal(baseline: raw, target: 1.6, limit: 2.2)]) {
                    try insert(count, into: items)
                },
                Variant(
                    name: "Core Data, batch of dictionaries",
                    goals: [Goal(baseline: raw, target: 2.5, limit: 3)]
                ) {
                    try items.inCoreData(full: false) { context in
                        let rows = bench.samples.prefix(count).map(\.dictionary)
                        return try cost(of: count) {
                            try context.execute(NSBatchInsertRequest(entityName: "Item", objects: rows))
                        }
                    }
                },
                Variant(
                    name: "Core Data, batch of objects",
                    goals: [Goal(baseline: raw, target: 1.3, limit: 1.6)]
                ) {
                    try items.inCoreData(full: false) { context in
                        let samples = bench.samples
                        return try cost(of: count) {
                            try Item.insertBatch(0..<count, in: context) { $0.fill(from: samples[$1]) }
                        }
                    }
                },
                Variant(name: "GRDB", peerOf: raw) {
                    try inGRDB(items, full: false) { queue in
                        let records = (0..<count).map { ItemRecord(bench.samples[$0], key: Int64($0 + 1)) }
                        return try cost(of: count) {
                            try queue.write { database in
                                for record in records { try record.insert(database) }
                            }
                        }
                    }
                },
                Variant(name: rawIndexed) { try insertInC(count, into: indexed) },
                Variant(name: "Core Data, index of scattered values", peerOf: rawIndexed) {
                    try insert(count, into: indexed)
                },
            ])
    }

    private func insertInC(_ count: Int, into items: Dataset) throws -> Double {
        try items.inC(full: false) { store in
            try writing(count) { raw_insert(store.pointer, bench.rawItems.start, count) }
        }
    }

    private func insert(_ count: Int, into items: Dataset) throws -> Double {
        try items.inCoreData(full: false) { context in
            let samples = bench.samples
            return try cost(of: count) {
                for index in 0..<count { Item(context: context).fill(from: samples[index]) }
                try context.save()
            }
        }
    }

    func update() throws -> Suite {
        let items = try bench.items()
        let count = bench.sizes.changes
        let raw = "C, UPDATE loop"
        return Suite(
            name: "Update \(count) objects and save", unit: "ns per object",
            variants: [
                Variant(name: raw) {
                    try items.inC(full: true) { store in
                        try writing(count) { raw_update(store.pointer, bench.rawItems.start, count) }
                    }
                },
                Variant(name: "Core Data", goals: [Goal(baseline: raw, target: 1.3, limit: 1.7)]) {
                    try items.inCoreData(full: true) { context in
                        let items = try fetch(count, context)
                        return try cost(of: count) {
                            for item in items { item.quantity += 1 }
                            try context.save()
                        }
                    }
                },
                Variant(name: "GRDB", peerOf: raw) {
                    try inGRDB(items, full: true) { queue in
                        var records = try queue.read { try ItemRecord.limit(count).fetchAll($0) }
                        return try cost(of: count) {
                            try queue.write { database in
                                for index in records.indices {
                                    records[index].quantity += 1
                                    records[index].version += 1
                                    try records[index].update(database, columns: ["ZQUANTITY", "Z_OPT"])
                                }
                            }
                        }
                    }
                },
            ])
    }

    func delete() throws -> Suite {
        let items = try bench.items()
        let count = bench.sizes.changes
        let raw = "C, DELETE loop"
        return Suite(
            name: "Delete \(count) objects and save", unit: "ns per object",
            variants: [
                Variant(name: raw) {
                    try items.inC(full: true) { store in
                        try writing(count) { raw_delete(store.pointer, bench.rawItems.start, count) }
                    }
                },
                Variant(name: "Core Data", goals: [Goal(baseline: raw, target: 1.25, limit: 1.6)]) {
                    try items.inCoreData(full: true) { context in
                        let items = try fetch(count, context)
                        return try cost(of: count) {
                            for item in items { context.delete(item) }
                            try context.save()
                        }
                    }
                },
                Variant(name: "GRDB", peerOf: raw) {
                    try inGRDB(items, full: true) { queue in
                        let records = try queue.read { try ItemRecord.limit(count).fetchAll($0) }
                        return try cost(of: count) {
                            try queue.write { database in
                                for record in records { try record.delete(database) }
                            }
                        }
                    }
                },
            ])
    }

    // MARK: Stores

    private func writing(_ count: Int, _ body: () -> Bool) throws -> Double {
        var isDone = false
        let cost = cost(of: count) { isDone = body() }
        guard isDone else { throw BenchmarkError("a raw loop could not write") }
        return cost
    }

    private func inGRDB(_ items: Dataset, full: Bool, _ body: (DatabaseQueue) throws -> Double) throws
        -> Double
    {
        try items.withCopy(full: full) { path in
            let queue = try ItemRecord.open(path)
            let cost = try body(queue)
            try queue.close()
            return cost
        }
    }

    private func fetch(_ count: Int, _ context: NSManagedObjectContext) throws -> [Item] {
        let request = NSFetchRequest<Item>(entityName: "Item")
        request.returnsObjectsAsFaults = false
        request.fetchLimit = count
        return try context.fetch(request)
    }
}
