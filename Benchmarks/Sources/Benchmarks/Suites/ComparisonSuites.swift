import CoreData
import GRDB

/// The comparison that libraries publish: a table of ten integers, with all rows fetched and read, and with
/// many rows inserted at once.
struct ComparisonSuites {
    let bench: Workbench

    func fetch() throws -> Suite {
        let rows = try bench.integers()
        let count = bench.sizes.integerRows
        let raw = try RawStore(rows.fullPath)
        let records = try ItemRecord.open(rows.fullPath)
        let stack = try rows.openFull()
        let loop = "C, read every column"
        return Suite(
            name: "Ten integers: fetch \(count) and read all", unit: "ns per row",
            variants: [
                Variant(name: loop) { try cost(of: count) { try raw.query(Integers.select) } },
                Variant(name: "GRDB, records", peerOf: loop) {
                    try cost(of: count) {
                        let items = try records.read { try IntegersRecord.fetchAll($0, sql: Integers.select) }
                        for item in items { consume(item.sum) }
                    }
                },
                Variant(name: "GRDB, Codable records", peerOf: loop) {
                    try cost(of: count) {
                        let items = try records.read { try IntegersCodable.fetchAll($0) }
                        for item in items { consume(item.sum) }
                    }
                },
                Variant(name: "Core Data, generated accessors", peerOf: loop) {
                    try fetched(stack, count) { $0.sum }
                },
                Variant(name: "Core Data, value(forKey:)", peerOf: loop) {
                    try fetched(stack, count) { $0.sumByKey }
                },
            ])
    }

    /// Returns the cost of fetching, reading and releasing the objects.
    private func fetched(_ stack: Stack, _ count: Int, _ read: (Integers) -> Int64) throws -> Double {
        let context = stack.makeContext()
        return try cost(of: count) {
            for row in try context.objects("Integers", of: Integers.self) { consume(read(row)) }
        }
    }

    func insert() throws -> Suite {
        let rows = try bench.integers()
        let count = bench.sizes.inserts
        let values = RawRows((0..<count).map { [.integer(Int64($0 + 1))] + Integers.values($0) })
        let loop = "C, bind loop"
        return Suite(
            name: "Ten integers: insert \(count) in one save", unit: "ns per row",
            variants: [
                Variant(name: loop) {
                    try rows.inC(full: false) { store in
                        try cost(of: count) { try store.write(Integers.insert, values) }
                    }
                },
                Variant(name: "GRDB, records", peerOf: loop) {
                    try inserted(rows, (0..<count).map(IntegersRecord.init))
                },
                Variant(name: "GRDB, Codable records", peerOf: loop) {
                    try inserted(rows, (0..<count).map(IntegersCodable.init))
                },
                Variant(name: "Core Data, generated accessors", peerOf: loop) {
                    try rows.inCoreData(full: false) { context in
                        try cost(of: count) {
                            for number in 0..<count { Integers(context: context).fill(number) }
                            try context.save()
                        }
                    }
                },
                Variant(name: "Core Data, setValue(_:forKey:)", peerOf: loop) {
                    try rows.inCoreData(full: false) { context in
                        try cost(of: count) {
                            for number in 0..<count {
                                let row = Integers(context: context)
                                for (offset, name) in Integers.names.enumerated() {
                                    row.setValue(Int64(number + offset), forKey: name)
                                }
                            }
                            try context.save()
                        }
                    }
                },
            ])
    }

    private func inserted(_ rows: Dataset, _ records: [some PersistableRecord]) throws -> Double {
        try rows.withCopy(full: false) { path in
            let queue = try ItemRecord.open(path)
            let cost = try cost(of: records.count) {
                try queue.write { database in
                    for record in records { try record.insert(database) }
                }
            }
            try queue.close()
            return cost
        }
    }
}
