import CoreData
import Foundation

/// Every core operation on stores from a thousand rows to a million, to show the cost of one row and whether
/// it grows.
struct ScaleSuites {
    let bench: Workbench

    private struct Operation {
        let name: String
        /// Whether the cost is that of a row; otherwise it is that of the whole operation.
        let isPerRow: Bool
        let isWriting: Bool
        let run: (Stack, Int) throws -> Double
    }

    func make() throws -> [Suite] {
        let stores = try bench.sizes.scale.map { (rows: $0, dataset: try dataset($0)) }
        return operations.map { operation in
            Suite(
                name: "Scale: \(operation.name)", unit: operation.isPerRow ? "ns per row" : "ns",
                variants: stores.map { store in
                    Variant(
                        name: "\(store.rows) rows", peerOf: "\(stores[0].rows) rows", size: store.rows
                    ) {
                        guard operation.isWriting else {
                            return try run(operation, store.dataset.fullPath, store)
                        }
                        return try store.dataset.withCopy(full: operation.name != "insert and save") { path in
                            try run(operation, path, store)
                        }
                    }
                })
        }
    }

    private func run(
        _ operation: Operation, _ path: String, _ store: (rows: Int, dataset: Dataset)
    ) throws -> Double {
        let stack = try Stack(path, store.dataset.model)
        let cost = try operation.run(stack, store.rows)
        try stack.close()
        return cost
    }

    private func dataset(_ rows: Int) throws -> Dataset {
        let model = Item.makeModel()
        model.entities[0].addIndex(on: "serial")
        return try Dataset("scale-\(rows)", in: bench.folder, model) { context in
            try Item.insertBatch(0..<rows, in: context) { $0.fill(from: Sample($1)) }
        }
    }

    private var operations: [Operation] {
        [
            Operation(name: "open the store and fetch 20", isPerRow: false, isWriting: true) { stack, _ in
                // The stack stays open while another coordinator opens the same file.
                let url = stack.coordinator.persistentStores[0].url!
                return try cost(of: 1) {
                    let stack = try Stack(url.path, stack.coordinator.managedObjectModel)
                    let context = stack.makeContext()
                    consume(
                        try context.objects("Item", of: Item.self) {
                            $0.fetchLimit = 20
                            $0.sortDescriptors = [NSSortDescriptor(key: "serial", ascending: true)]
                        })
                    try stack.close()
                }
            },
            Operation(name: "fetch by an indexed attribute", isPerRow: false, isWriting: false) {
                stack, rows in
                let context = stack.makeContext()
                return try cost(of: 200) {
                    for number in 0..<200 {
                        let serial = Int64(number * 104_729 % rows) * 7919
                        let found = try context.objects("Item", of: Item.self) {
                            $0.predicate = NSPredicate(format: "serial == %lld", serial)
                        }
                        guard found.count == 1 else { throw BenchmarkError("\(found.count) found") }
                    }
                }
            },
            Operation(name: "fetch all with values", isPerRow: true, isWriting: false) { stack, rows in
                let context = stack.makeContext()
                return try cost(of: rows) { consume(try context.objects("Item", of: Item.self)) }
            },
            Operation(name: "fetch all in batches of 20, read 1000", isPerRow: true, isWriting: false) {
                stack, rows in
                let context = stack.makeContext()
                return try cost(of: rows) {
                    let items = try context.objects("Item", of: Item.self) { $0.fetchBatchSize = 20 }
                    for item in items.prefix(1000) { consume(item.serial) }
                }
            },
            Operation(name: "fault 1000 at random", isPerRow: false, isWriting: false) { stack, rows in
                let context = stack.makeContext()
                let items = try context.objects("Item", of: Item.self) { $0.includesPropertyValues = false }
                return withExtendedLifetime(context) {
                    cost(of: 1000) {
                        for number in 0..<1000 { consume(items[number * 104_729 % rows].serial) }
                    }
                }
            },
            Operation(name: "insert and save", isPerRow: true, isWriting: true) { stack, rows in
                let context = stack.makeContext()
                let samples = bench.samples
                return try cost(of: rows) {
                    for number in 0..<rows {
                        Item(context: context).fill(from: samples[number % samples.count])
                    }
                    try context.save()
                }
            },
            Operation(name: "update all and save", isPerRow: true, isWriting: true) { stack, rows in
                let context = stack.makeContext()
                let items = try context.objects("Item", of: Item.self)
                return try cost(of: rows) {
                    for item in items { item.quantity += 1 }
                    try context.save()
                }
            },
            Operation(name: "delete all and save", isPerRow: true, isWriting: true) { stack, rows in
                let context = stack.makeContext()
                let items = try context.objects("Item", of: Item.self)
                return try cost(of: rows) {
                    for item in items { context.delete(item) }
                    try context.save()
                }
            },
        ]
    }
}
