import CoreData
import GRDB
import RawLoops

/// Fetches every row of the store, and tells the cost of one object.
struct FetchSuite {
    let bench: Workbench

    func make() throws -> Suite {
        let raw = try RawStore(bench.items().fullPath)
        let stack = try bench.items().openFull()
        let records = try ItemRecord.open(bench.items().fullPath)
        let count = bench.sizes.rows
        let touch = "C, read every column"
        let keys = "C, read the keys"
        let copying = "C, copy to the heap, read, free"
        return Suite(
            name: "Fetch \(count) objects", unit: "ns per object",
            variants: [
                Variant(name: touch) { cost(of: count) { consume(raw_scan(raw.pointer)) } },
                Variant(name: copying, peerOf: touch) {
                    cost(of: count) { consume(raw_scan_copying(raw.pointer)) }
                },
                Variant(name: keys) { cost(of: count) { consume(raw_scan_keys(raw.pointer)) } },
                Variant(
                    name: "Core Data, full, made", goals: [Goal(baseline: touch, target: 2.5, limit: 3.2)]
                ) { try made(stack) { $0.returnsObjectsAsFaults = false } },
                Variant(
                    name: "Core Data, full, made, read, destroyed",
                    goals: [
                        Goal(baseline: touch, target: 3.5, limit: 4.5),
                        Goal(baseline: copying, target: 2.2, limit: 3),
                    ]
                ) {
                    try destroyed(stack) {
                        $0.returnsObjectsAsFaults = false
                    } reading: {
                        consume($0.checksum)
                    }
                },
                Variant(
                    name: "Core Data, default fetch", goals: [Goal(baseline: touch, target: 2.5, limit: 3.2)]
                ) { try made(stack) { _ in } },
                Variant(
                    name: "Core Data, faults, destroyed", goals: [Goal(baseline: keys, target: 4, limit: 6)]
                ) {
                    try destroyed(stack) {
                        $0.includesPropertyValues = false
                    } reading: { _ in
                    }
                },
                Variant(name: "Core Data, IDs", goals: [Goal(baseline: keys, target: 2.2, limit: 3)]) {
                    let context = stack.makeContext()
                    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
                    request.resultType = .managedObjectIDResultType
                    var ids: [NSManagedObjectID] = []
                    let cost = try cost(of: count) { ids = try context.fetch(request) }
                    try expect(ids.count)
                    return cost
                },
                Variant(name: "GRDB, records made, read, destroyed", peerOf: touch) {
                    try cost(of: count) {
                        let items = try records.read { try ItemRecord.fetchAll($0) }
                        for item in items { consume(item.checksum) }
                    }
                },
                Variant(name: "GRDB, keys", peerOf: keys) {
                    try cost(of: count) {
                        consume(try records.read { try Int64.fetchAll($0, sql: "SELECT Z_PK FROM ZITEM") })
                    }
                },
            ])
    }

    private func request(_ configure: (NSFetchRequest<Item>) -> Void) -> NSFetchRequest<Item> {
        let request = NSFetchRequest<Item>(entityName: "Item")
        configure(request)
        return request
    }

    private func expect(_ count: Int) throws {
        guard count == bench.sizes.rows else {
            throw BenchmarkError("a fetch returned \(count) of \(bench.sizes.rows) rows")
        }
    }

    /// Returns the cost of fetching objects, which are released only after the measurement.
    private func made(_ stack: Stack, _ configure: (NSFetchRequest<Item>) -> Void) throws -> Double {
        let context = stack.makeContext()
        let request = request(configure)
        var items: [Item] = []
        let cost = try cost(of: bench.sizes.rows) { items = try context.fetch(request) }
        try expect(items.count)
        return cost
    }

    private func destroyed(
        _ stack: Stack, _ configure: (NSFetchRequest<Item>) -> Void, reading read: (Item) -> Void
    ) throws -> Double {
        let context = stack.makeContext()
        let request = request(configure)
        return try cost(of: bench.sizes.rows) {
            let items = try context.fetch(request)
            for item in items { read(item) }
            try expect(items.count)
        }
    }
}
