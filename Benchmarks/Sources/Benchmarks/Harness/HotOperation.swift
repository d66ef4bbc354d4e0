import CoreData
import RawLoops

/// One hot operation a number of times, in Core Data or in C, with everything around it the same whatever the number:
/// two runs of different numbers tell what one time costs in instructions, which no load of the machine changes.
enum HotOperation: String, CaseIterable {
    case fault, fetch, faults, ids, find, read, key, match, insert, update, delete

    private static let rows = 4000

    func run(_ units: Int, inC: Bool) throws {
        let sizes = Sizes.rows(Self.rows)
        guard [.find, .read, .key].contains(self) || units <= sizes.rows else {
            throw BenchmarkError("\(rawValue) can be done \(sizes.rows) times at most")
        }
        let bench = try Workbench(sizes)
        if inC { try runInC(units, bench) } else { try runInCoreData(units, bench) }
    }

    private func runInCoreData(_ units: Int, _ bench: Workbench) throws {
        let items = try bench.items()
        try items.withCopy(full: self != .insert) { path in
            let stack = try Stack(path, items.model)
            let context = stack.makeContext()
            switch self {
            case .fault:
                let faults = try context.objects("Item", of: Item.self) { $0.includesPropertyValues = false }
                for item in faults.prefix(units) { consume(item.serial) }
            case .fetch:
                consume(try context.objects("Item", of: Item.self) { $0.fetchLimit = units })
            case .faults:
                consume(
                    try context.objects("Item", of: Item.self) {
                        ($0.includesPropertyValues, $0.fetchLimit) = (false, units)
                    })
            case .ids:
                let request = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
                (request.resultType, request.fetchLimit) = (.managedObjectIDResultType, units)
                consume(try context.fetch(request))
            case .find:
                for _ in 0..<units {
                    consume(
                        try context.objects("Item", of: Item.self) {
                            $0.predicate = NSPredicate(format: "serial == %lld", 0 as Int64)
                            $0.fetchLimit = 1
                        })
                }
            case .read:
                let item = try context.objects("Item", of: Item.self) { $0.fetchLimit = 1 }[0]
                var sum: Int64 = 0
                for _ in 0..<units { sum &+= item.serial }
                consume(sum)
            case .key:
                let item = try context.objects("Item", of: Item.self) { $0.fetchLimit = 1 }[0]
                for _ in 0..<units { consume(item.value(forKey: "serial")) }
            case .match:
                let predicate = NSPredicate(format: "rank < 500 AND note CONTAINS[cd] 'lisboa'")
                let all = try context.objects("Item", of: Item.self)
                for item in all.prefix(units) { consume(predicate.evaluate(with: item)) }
            case .insert:
                for sample in bench.samples.prefix(units) { Item(context: context).fill(from: sample) }
                try context.save()
            case .update:
                let all = try context.objects("Item", of: Item.self)
                for item in all.prefix(units) { item.quantity += 1 }
                try context.save()
            case .delete:
                let all = try context.objects("Item", of: Item.self)
                for item in all.prefix(units) { context.delete(item) }
                try context.save()
            }
        }
    }

    private func runInC(_ units: Int, _ bench: Workbench) throws {
        let items = try bench.items()
        let rows = bench.rawItems.start
        let isDone = try items.withCopy(full: self != .insert) { path in
            let store = try RawStore(path)
            switch self {
            case .fault:
                raw_begin(store.pointer)
                for key in 1...units { consume(raw_fault(store.pointer, Int64(key))) }
                raw_commit(store.pointer)
                return true
            case .fetch:
                let limit = RawRows([[.integer(Int64(units))]])
                return try store.query("SELECT * FROM ZITEM LIMIT ?", limit) == units
            case .faults, .ids:
                let limit = RawRows([[.integer(Int64(units))]])
                return try store.query("SELECT Z_PK FROM ZITEM LIMIT ?", limit) == units
            case .find:
                let key = RawRows([[.integer(0)]])
                for _ in 0..<units {
                    try store.query("SELECT * FROM ZITEM WHERE ZSERIAL = ? LIMIT 1", key)
                }
                return true
            case .read, .key, .match:
                var item = Optional(rows)
                consume(raw_sum_serials(&item, 1, units))
                return true
            case .insert: return raw_insert(store.pointer, rows, units)
            case .update: return raw_update(store.pointer, rows, units)
            case .delete: return raw_delete(store.pointer, rows, units)
            }
        }
        guard isDone else { throw BenchmarkError("\(rawValue) failed in C") }
    }
}
