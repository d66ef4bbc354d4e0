import CoreData
import GRDB
import RawLoops

/// The heap bytes that an object of ten properties takes, with its share of every table.
struct MemorySuite {
    let bench: Workbench

    func make() throws -> Suite {
        let stack = try bench.items().openFull()
        let records = try ItemRecord.open(bench.items().fullPath)
        return Suite(
            name: "Heap", unit: "bytes per object",
            variants: [
                Variant(name: "Core Data, full", goals: [Goal(target: 450, limit: 550)]) {
                    try bytes(stack) { $0.returnsObjectsAsFaults = false }
                },
                Variant(name: "Core Data, fault", goals: [Goal(target: 150, limit: 200)]) {
                    try bytes(stack) { $0.includesPropertyValues = false }
                },
                Variant(name: "GRDB, record") {
                    var items: [ItemRecord] = []
                    let before = raw_heap_bytes()
                    items = try records.read { try ItemRecord.fetchAll($0) }
                    return Double(raw_heap_bytes() - before) / Double(items.count)
                },
            ])
    }

    private func bytes(_ stack: Stack, _ configure: (NSFetchRequest<Item>) -> Void) throws -> Double {
        let context = stack.makeContext()
        let request = NSFetchRequest<Item>(entityName: "Item")
        configure(request)
        let before = raw_heap_bytes()
        let items = try context.fetch(request)
        let after = raw_heap_bytes()
        return withExtendedLifetime((items, context)) { Double(after - before) / Double(items.count) }
    }
}
