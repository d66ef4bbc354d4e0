import CoreData
import Foundation

/// The cost that keeping a history adds to a save.
struct HistorySuite {
    let bench: Workbench

    func make() throws -> Suite {
        let items = try bench.items()
        let count = bench.sizes.changes
        func cost(tracks: Bool, full: Bool, _ work: (NSManagedObjectContext, [Item]) throws -> Void) throws
            -> Double
        {
            try items.inCoreData(full: full, options: [NSPersistentHistoryTrackingKey: tracks]) { context in
                let found = try context.objects("Item", of: Item.self) { $0.fetchLimit = count }
                return try Benchmarks.cost(of: count) {
                    try work(context, found)
                    try context.save()
                }
            }
        }
        func insert(_ context: NSManagedObjectContext, _ items: [Item]) {
            for sample in bench.samples.prefix(count) { Item(context: context).fill(from: sample) }
        }
        func update(_ context: NSManagedObjectContext, _ items: [Item]) {
            for item in items { item.quantity += 1 }
        }
        func delete(_ context: NSManagedObjectContext, _ items: [Item]) {
            for item in items { context.delete(item) }
        }
        return Suite(
            name: "Save \(count) changes with a history", unit: "ns per object",
            variants: [("insert", false, insert), ("update", true, update), ("delete", true, delete)].flatMap
            {
                (name: String, full: Bool, work: @escaping (NSManagedObjectContext, [Item]) -> Void) in
                [
                    Variant(name: "\(name), no history") { try cost(tracks: false, full: full, work) },
                    Variant(name: "\(name), history", peerOf: "\(name), no history") {
                        try cost(tracks: true, full: full, work)
                    },
                ]
            })
    }
}
