import CoreData
import Foundation
import RawLoops
import RawServerLoops

/// Reads and writes a store in a PostgreSQL database, against C loops over libpq that send the same values.
struct ServerSuites {
    let server: ServerBench
    private var bench: Workbench { server.bench }

    var all: [(name: String, make: () throws -> Suite)] {
        [
            ("server fetch", fetch), ("server fault", fault), ("server faults", faults),
            ("server insert", insert), ("server update", update), ("server save", save),
        ]
    }

    // MARK: Reading

    private func fetch() throws -> Suite {
        let store = try server.full.get()
        let count = bench.sizes.rows
        let raw = "libpq, whole binary result"
        return Suite(
            name: "PostgreSQL: fetch \(count) objects", unit: "ns per object, processor time of the client",
            variants: [
                Variant(name: raw) { cost(of: count) { consume(raw_server_scan(store.raw.pointer)) } },
                Variant(name: "Core Data, made", goals: [Goal(baseline: raw, target: 2, limit: 2.5)]) {
                    let context = store.stack.makeContext()
                    var items: [Item] = []
                    let cost = try cost(of: count) {
                        items = try context.objects("Item", of: Item.self)
                    }
                    guard items.count == count else { throw BenchmarkError("\(items.count) rows") }
                    return cost
                },
                Variant(name: "Core Data, made, read, destroyed", peerOf: raw) {
                    let context = store.stack.makeContext()
                    return try cost(of: count) {
                        let items = try context.objects("Item", of: Item.self)
                        for item in items { consume(item.checksum) }
                        guard items.count == count else { throw BenchmarkError("\(items.count) rows") }
                    }
                },
            ])
    }

    private func fault() throws -> Suite {
        let store = try server.full.get()
        let keys = Array(Set(bench.randomKeys(bench.sizes.faults / 10)))
        let raw = "libpq, a prepared query"
        return Suite(
            name: "PostgreSQL: fault one object", unit: "ns by the clock",
            variants: [
                Variant(name: raw) {
                    duration(of: keys.count) {
                        for key in keys { consume(raw_server_fault(store.raw.pointer, key)) }
                    }
                },
                Variant(name: "Core Data", goals: [Goal(baseline: raw, target: 1.3, limit: 1.6)]) {
                    let context = store.stack.makeContext()
                    let items = try self.items(keys, context)
                    return duration(of: keys.count) { for item in items { consume(item.checksum) } }
                },
            ])
    }

    /// Returns faults of the rows with the keys, none of which is in the row cache.
    private func items(_ keys: [Int64], _ context: NSManagedObjectContext) throws -> [Item] {
        let request = NSFetchRequest<Item>(entityName: "Item")
        request.includesPropertyValues = false
        request.sortDescriptors = [NSSortDescriptor(key: "serial", ascending: true)]
        let all = try context.fetch(request)
        return keys.map { all[Int($0) - 1] }
    }

    private func faults() throws -> Suite {
        let store = try server.full.get()
        let keys = Array(Set(bench.randomKeys(1000))).sorted()
        let raw = "libpq, = ANY"
        return Suite(
            name: "PostgreSQL: fault \(keys.count) objects at once", unit: "ns per object, by the clock",
            variants: [
                Variant(name: raw) {
                    duration(of: keys.count) {
                        consume(raw_server_faults(store.raw.pointer, keys, keys.count))
                    }
                },
                Variant(name: "Core Data", goals: [Goal(baseline: raw, target: 2, limit: 2.5)]) {
                    let context = store.stack.makeContext()
                    let items = try self.items(keys, context)
                    return try duration(of: keys.count) {
                        let found = try context.objects("Item", of: Item.self) {
                            $0.predicate = NSPredicate(format: "SELF IN %@", items)
                        }
                        for item in found { consume(item.checksum) }
                    }
                },
            ])
    }

    // MARK: Writing

    private func insert() throws -> Suite {
        let store = try server.changing.get()
        let count = min(10_000, bench.sizes.inserts)
        let (raw, copy) = ("libpq, arrays in a pipeline", "libpq, binary COPY")
        func emptied(_ body: () throws -> Void) throws -> Double {
            try server.fill(store, 0)
            return try duration(of: count, body)
        }
        return Suite(
            name: "PostgreSQL: insert \(count) objects and save", unit: "ns per object, by the clock",
            variants: [
                Variant(name: raw) {
                    try emptied {
                        try expect(raw_server_insert(store.raw.pointer, bench.rawItems.start, count))
                    }
                },
                Variant(name: copy) {
                    try emptied {
                        try expect(raw_server_copy(store.raw.pointer, bench.rawItems.start, count))
                    }
                },
                Variant(name: "Core Data", goals: [Goal(baseline: raw, target: 1.6, limit: 2)]) {
                    let context = store.stack.makeContext()
                    return try emptied {
                        for sample in bench.samples.prefix(count) {
                            Item(context: context).fill(from: sample)
                        }
                        try context.save()
                    }
                },
                Variant(
                    name: "Core Data, batch of objects", goals: [Goal(baseline: copy, target: 1.5, limit: 2)]
                ) {
                    let context = store.stack.makeContext()
                    let samples = bench.samples
                    return try emptied {
                        try Item.insertBatch(0..<count, in: context) { $0.fill(from: samples[$1]) }
                    }
                },
            ])
    }

    private func update() throws -> Suite {
        let store = try server.changing.get()
        let count = min(10_000, bench.sizes.changes)
        let raw = "libpq, arrays in a pipeline"
        return Suite(
            name: "PostgreSQL: update \(count) objects and save", unit: "ns per object, by the clock",
            variants: [
                Variant(name: raw) {
                    try server.fill(store, count)
                    return try duration(of: count) {
                        try expect(raw_server_update(store.raw.pointer, bench.rawItems.start, count))
                    }
                },
                Variant(name: "Core Data", goals: [Goal(baseline: raw, target: 1.6, limit: 2)]) {
                    try server.fill(store, count)
                    let context = store.stack.makeContext()
                    let items = try context.objects("Item", of: Item.self)
                    return try duration(of: count) {
                        for item in items { item.quantity += 1 }
                        try context.save()
                    }
                },
            ])
    }

    private func save() throws -> Suite {
        let store = try server.changing.get()
        let count = 500
        let raw = "libpq, the same statements"
        func insertAll(marked: Bool) throws -> Double {
            try server.fill(store, 0)
            let marks = (0..<count).map { _ in withUnsafeBytes(of: UUID().uuid) { Array($0) } }
            return try duration(of: count) {
                for (index, mark) in marks.enumerated() {
                    let item = bench.rawItems.start + index
                    try expect(raw_server_insert_one(store.raw.pointer, item, marked ? mark : nil))
                }
            }
        }
        return Suite(
            name: "PostgreSQL: insert one object and save", unit: "ns by the clock",
            variants: [
                Variant(name: "libpq, without a mark") { try insertAll(marked: false) },
                Variant(name: raw) { try insertAll(marked: true) },
                Variant(name: "Core Data", goals: [Goal(baseline: raw, target: 1.4, limit: 1.8)]) {
                    try server.fill(store, 0)
                    let context = store.stack.makeContext()
                    return try duration(of: count) {
                        for sample in bench.samples.prefix(count) {
                            Item(context: context).fill(from: sample)
                            try context.save()
                        }
                    }
                },
            ])
    }

    private func expect(_ isDone: Bool) throws {
        guard isDone else { throw BenchmarkError("a loop over libpq could not write") }
    }
}
