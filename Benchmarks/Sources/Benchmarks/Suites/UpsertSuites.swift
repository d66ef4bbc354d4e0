import CoreData
import Foundation

/// Writing rows by a unique key, half of which are there: what a row costs must not depend on how many there are.
struct UpsertSuites {
    let bench: Workbench

    func batch() throws -> Suite {
        try suite("by a batch", sizes: bench.sizes.upserts, Self.insertBatch)
    }

    func save() throws -> Suite {
        // Objects of one save are in memory together, so the largest size is for batches.
        try suite("by a save", sizes: bench.sizes.upserts.dropLast()) { numbers, context in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            for number in numbers { Self.fill(Item(context: context), number) }
            try context.save()
        }
    }

    private static func insertBatch(_ numbers: Range<Int>, _ context: NSManagedObjectContext) throws {
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try Item.insertBatch(numbers, in: context, fill)
    }

    private static func fill(_ item: Item, _ number: Int) {
        item.serial = Int64(number)
        item.code = "C-\(number)"
        item.quantity = 7
    }

    private func suite(
        _ name: String, sizes: some Sequence<Int>,
        _ write: @escaping (Range<Int>, NSManagedObjectContext) throws -> Void
    ) throws -> Suite {
        let model = Item.makeModel()
        model.entities[0].uniquenessConstraints = [["serial"]]
        var variants: [Variant] = []
        for size in sizes {
            // Every second one of the numbers is there.
            let dataset = try Dataset("unique \(name) \(size)", in: bench.folder, model) { context in
                try Self.insertBatch(0..<size / 2, context)
            }
            let loop = "C, INSERT … ON CONFLICT of \(size)"
            let rows = RawRows(
                (0..<size).map { [.integer(Int64($0 + size)), .integer(Int64($0)), .text("C-\($0)")] })
            variants += [
                Variant(name: loop) {
                    try dataset.inC(full: true) { store in
                        try cost(of: size) {
                            try store.write(
                                """
                                INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZQUANTITY, ZSERIAL, ZCODE) \
                                VALUES (?, 1, 1, 7, ?, ?) ON CONFLICT (ZSERIAL) DO UPDATE \
                                SET ZCODE = excluded.ZCODE, ZQUANTITY = 7, Z_OPT = Z_OPT + 1
                                """, rows)
                        }
                    }
                },
                Variant(name: "Core Data, \(size)", peerOf: loop, size: size) {
                    try dataset.inCoreData(full: true) { context in
                        try cost(of: size) { try write(0..<size, context) }
                    }
                },
            ]
        }
        return Suite(
            name: "Insert or update by a unique key, \(name)", unit: "ns per row", variants: variants)
    }
}
