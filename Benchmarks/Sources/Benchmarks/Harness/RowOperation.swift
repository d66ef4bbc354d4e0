import CoreData
import RawLoops

/// Hot operations on rows without relationships. A unit is a row.
enum RowOperation: String, CaseIterable, HotOperation {
    case fault, fetch, faults, ids, find, read, text, key, match, search, parse
    case insert, update, delete, single, change, batch, dictionaries, assign
    case document, revise, upsert
    /// Updates in one save, watched by a hundred controllers: with `watch` of one object each, with `list` of
    /// an eighth of the objects each.
    case watch, list

    private static let rows = 4000

    private var isInsertion: Bool { [.insert, .single, .batch, .dictionaries, .document].contains(self) }

    private func dataset(_ bench: Workbench) throws -> Dataset {
        switch self {
        case .document, .revise: try bench.documents()
        case .upsert: try bench.uniqueItems(bench.sizes.rows)
        default: try bench.items()
        }
    }

    func run(_ units: Int, inC: Bool, tracksHistory: Bool) throws {
        let isRepeated = [.find, .read, .text, .key, .assign, .parse].contains(self)
        let sizes = Sizes.rows(isRepeated ? Self.rows : max(Self.rows, units))
        let bench = try Workbench(sizes)
        if inC { try runInC(units, bench) } else { try runInCoreData(units, bench, tracksHistory) }
    }

    private func runInCoreData(_ units: Int, _ bench: Workbench, _ tracksHistory: Bool) throws {
        let dataset = try dataset(bench)
        try dataset.withCopy(full: !isInsertion) { path in
            let stack = try Stack(path, dataset.model, [NSPersistentHistoryTrackingKey: tracksHistory])
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
            case .text:
                let item = try context.objects("Item", of: Item.self) { $0.fetchLimit = 1 }[0]
                var sum = 0
                for _ in 0..<units { sum &+= item.note?.utf8.count ?? 0 }
                consume(sum)
            case .parse:
                for unit in 0..<units { consume(NSPredicate(format: "serial == %lld", Int64(unit))) }
            case .key:
                let item = try context.objects("Item", of: Item.self) { $0.fetchLimit = 1 }[0]
                for _ in 0..<units { consume(item.value(forKey: "quantity")) }
            case .match, .search:
                let predicate = NSPredicate(
                    format: self == .match
                        ? "rank < 500 AND quantity > 1000" : "note CONTAINS[cd] 'LISBOA, LONG'")
                let all = try context.objects("Item", of: Item.self)
                for item in all.prefix(units) { consume(predicate.evaluate(with: item)) }
            case .insert:
                for sample in bench.samples.prefix(units) { Item(context: context).fill(from: sample) }
                try context.save()
            case .single:
                for sample in bench.samples.prefix(units) {
                    Item(context: context).fill(from: sample)
                    try context.save()
                }
            case .batch:
                var rest = bench.samples.prefix(units)
                let request = NSBatchInsertRequest(entityName: "Item") { (object: NSManagedObject) in
                    guard let sample = rest.popFirst(), let item = object as? Item else { return true }
                    item.fill(from: sample)
                    return false
                }
                try context.execute(request)
            case .dictionaries:
                let rows = bench.samples.prefix(units).map(\.dictionary)
                try context.execute(NSBatchInsertRequest(entityName: "Item", objects: rows))
            case .assign:
                let item = Item(context: context)
                for number in 0..<units { item.setValue(Int64(number), forKey: "serial") }
            case .update:
                let all = try context.objects("Item", of: Item.self)
                for item in all.prefix(units) { item.quantity += 1 }
                try context.save()
            case .change:
                let all = try context.objects("Item", of: Item.self)
                for item in all.prefix(units) {
                    item.quantity += 1
                    try context.save()
                }
            case .watch, .list:
                let witness = ChangeWitness()
                let controllers = try bench.samples.prefix(100).map { sample in
                    let predicate =
                        self == .watch
                        ? NSPredicate(format: "serial == %lld", sample.serial)
                        : NSPredicate(format: "city == %@", sample.city)
                    return try context.controller("Item", of: Item.self, predicate, by: "serial", witness)
                }
                let all = try context.objects("Item", of: Item.self)
                for item in all.prefix(units) { item.quantity += 1 }
                try withExtendedLifetime(controllers) { try context.save() }
            case .delete:
                let all = try context.objects("Item", of: Item.self)
                for item in all.prefix(units) { context.delete(item) }
                try context.save()
            case .document: try DocumentSuites.insert(units, context)
            case .revise:
                let all = try context.objects("Document", of: Document.self)
                for (number, item) in all.prefix(units).enumerated() { item.change(number) }
                try context.save()
            case .upsert: try UpsertSuites.save(0..<units, context)
            }
        }
    }

    private func runInC(_ units: Int, _ bench: Workbench) throws {
        let rows = bench.rawItems.start
        let isDone = try dataset(bench).withCopy(full: !isInsertion) { path in
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
            case .read, .text, .key, .assign, .match, .search, .parse:
                var item = Optional(rows)
                consume(raw_sum_serials(&item, 1, units))
                return true
            case .insert, .batch, .dictionaries: return raw_insert(store.pointer, rows, units)
            case .single: return (0..<units).allSatisfy { raw_insert(store.pointer, rows + $0, 1) }
            case .change: return (0..<units).allSatisfy { raw_update(store.pointer, rows + $0, 1) }
            case .update, .watch, .list: return raw_update(store.pointer, rows, units)
            case .delete: return raw_delete(store.pointer, rows, units)
            case .document:
                try store.write(Document.insert, Document.rows(bench.sizes.rows), first: units)
                return true
            case .revise:
                try store.write(Document.update, Document.changes(bench.sizes.rows), first: units)
                return true
            case .upsert:
                try store.write(UpsertSuites.upsert, UpsertSuites.rows(bench.sizes.rows), first: units)
                return true
            }
        }
        guard isDone else { throw BenchmarkError("\(rawValue) failed in C") }
    }
}
