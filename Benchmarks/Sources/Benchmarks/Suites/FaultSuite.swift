import CoreData
import Foundation
import GRDB
import RawLoops

/// Reads one row at a time, in random order.
struct FaultSuite {
    let bench: Workbench
    private let keys: [Int64]

    init(_ bench: Workbench) {
        self.bench = bench
        keys = Self.distinct(bench.randomKeys(bench.sizes.faults))
    }

    /// Returns the keys without repetitions, since a repeated key would no longer be a fault.
    private static func distinct(_ keys: [Int64]) -> [Int64] {
        var seen: Set<Int64> = []
        return keys.filter { seen.insert($0).inserted }
    }

    func make() throws -> Suite {
        let raw = try RawStore(bench.items().fullPath)
        let stack = try bench.items().openFull()
        let records = try ItemRecord.open(bench.items().fullPath)
        return Suite(
            name: "Fault one object", unit: "ns",
            variants: [
                Variant(name: "C, one transaction") {
                    raw_begin(raw.pointer)
                    defer { raw_commit(raw.pointer) }
                    return cost(of: keys.count) { for key in keys { consume(raw_fault(raw.pointer, key)) } }
                },
                Variant(name: "C, autocommit") {
                    cost(of: keys.count) { for key in keys { consume(raw_fault(raw.pointer, key)) } }
                },
                Variant(name: "C, after a pause") { pausing { key in consume(raw_fault(raw.pointer, key)) } },
                Variant(
                    name: "Core Data, one after another",
                    goals: [Goal(baseline: "C, one transaction", target: 1.6, limit: 2.2)]
                ) {
                    read(try makeFaults(stack))
                },
                Variant(
                    name: "Core Data, after a pause",
                    goals: [Goal(baseline: "C, after a pause", target: 1.3, limit: 1.6)]
                ) {
                    let faults = try makeFaults(stack)
                    var next = faults.items.makeIterator()
                    return withExtendedLifetime(faults.context) {
                        pausing { _ in consume(next.next()?.serial) }
                    }
                },
                Variant(
                    name: "Core Data, row in the row cache",
                    goals: [Goal(baseline: "C, autocommit", target: 0.12, limit: 0.2)]
                ) {
                    let others = try makeFaults(stack)
                    let faults = try makeFaults(stack)
                    for other in others.items { consume(other.serial) }
                    return withExtendedLifetime(others) { read(faults) }
                },
                Variant(name: "GRDB, one read", peerOf: "C, one transaction") {
                    try records.read { database in
                        try cost(of: keys.count) {
                            for key in keys { consume(try ItemRecord.fetchOne(database, key: key)) }
                        }
                    }
                },
                Variant(name: "GRDB, a read each", peerOf: "C, autocommit") {
                    try cost(of: keys.count) {
                        for key in keys {
                            consume(try records.read { try ItemRecord.fetchOne($0, key: key) })
                        }
                    }
                },
            ])
    }

    /// Faults of rows that were never read, in the order of `keys`, with their context.
    private struct Faults {
        let context: NSManagedObjectContext
        let items: [Item]
    }

    private func makeFaults(_ stack: Stack) throws -> Faults {
        let context = stack.makeContext()
        let request = NSFetchRequest<Item>(entityName: "Item")
        request.includesPropertyValues = false
        request.sortDescriptors = [NSSortDescriptor(key: "serial", ascending: true)]
        let all = try context.fetch(request)
        return Faults(context: context, items: keys.map { all[Int($0) - 1] })
    }

    private func read(_ faults: Faults) -> Double {
        withExtendedLifetime(faults.context) {
            cost(of: faults.items.count) { for item in faults.items { consume(item.serial) } }
        }
    }

    /// Returns the median of single faults, each after the reader's transaction has ended.
    private func pausing(_ fault: (Int64) -> Void) -> Double {
        let values = keys.prefix(bench.sizes.pauses).map { key in
            usleep(15_000)
            let start = raw_wall_nanoseconds()
            fault(key)
            return Double(raw_wall_nanoseconds() - start)
        }
        return median(values)
    }
}
