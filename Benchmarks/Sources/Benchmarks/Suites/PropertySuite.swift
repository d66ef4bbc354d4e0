import CoreData
import RawLoops

/// Reads one property of objects whose values are loaded.
struct PropertySuite {
    let bench: Workbench

    func make() throws -> Suite {
        let stack = try bench.items().openFull()
        let context = stack.makeContext()
        let items = try context.objects("Item", of: Item.self) { $0.fetchLimit = 200 }
        let structs = items.indices.map { Optional(bench.rawItems.start + $0) }
        let managedContext = try Stack(bench.items().fullPath, ManagedItem.makeModel()).makeContext()
        let managed = try managedContext.objects("Item", of: ManagedItem.self) { $0.fetchLimit = 200 }
        let rounds = bench.sizes.reads / items.count
        /// Inlined into its callers, as an app's reads are: a call for each read would cost more than the
        /// read.
        @inline(__always)
        func reading<Object: NSManagedObject>(_ objects: [Object], _ read: (Object) -> Int) -> Double {
            withExtendedLifetime((context, managedContext)) {
                cost(of: rounds * objects.count) {
                    var sum = 0
                    // Taking an object out of an array counts a reference, which costs more than the read.
                    for object in objects { for _ in 0..<rounds { sum &+= read(object) } }
                    consume(sum)
                }
            }
        }
        return Suite(
            name: "Read a property", unit: "ns",
            variants: [
                Variant(name: "C, field of a struct") {
                    cost(of: rounds * structs.count) {
                        consume(raw_sum_serials(structs, structs.count, rounds))
                    }
                },
                Variant(
                    name: "Int64", goals: [Goal(target: 3, limit: 6)],
                    run: { reading(items) { Int($0.serial) } }),
                Variant(
                    name: "Double", goals: [Goal(target: 3, limit: 6)],
                    run: { reading(items) { Int(truncatingIfNeeded: $0.weight.bitPattern) } }),
                Variant(
                    name: "Date", goals: [Goal(target: 3, limit: 6)],
                    run: {
                        reading(items) {
                            Int(
                                truncatingIfNeeded: $0.created?.timeIntervalSinceReferenceDate.bitPattern ?? 0
                            )
                        }
                    }),
                Variant(
                    name: "String, 15 bytes at most", goals: [Goal(target: 15, limit: 25)],
                    run: { reading(items) { $0.code?.utf8.count ?? 0 } }),
                Variant(
                    name: "String, long", goals: [Goal(target: 40, limit: 60)],
                    run: { reading(items) { $0.note?.utf8.count ?? 0 } }),
                Variant(
                    name: "Int64, @NSManaged", goals: [Goal(target: 13, limit: 18)],
                    run: { reading(managed) { Int($0.serial) } }),
                Variant(
                    name: "value(forKey:)", goals: [Goal(target: 60, limit: 100)],
                    run: { reading(items) { $0.value(forKey: "serial") == nil ? 0 : 1 } }),
            ])
    }
}
