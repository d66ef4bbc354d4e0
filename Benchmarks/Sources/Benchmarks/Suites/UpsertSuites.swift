import CoreData
import Foundation

/// Writes rows by a unique key, half of which exist already. The cost of a row must not depend on the number
/// of rows.
struct UpsertSuites {
    let bench: Workbench

    func batch() throws -> Suite {
        try suite("by a batch", Self.insertBatch)
    }

    func save() throws -> Suite {
        try suite("by a save", Self.save)
    }

    private static func insertBatch(_ numbers: Range<Int>, _ context: NSManagedObjectContext) throws {
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try Item.insertBatch(numbers, in: context, fill)
    }

    static func save(_ numbers: Range<Int>, _ context: NSManagedObjectContext) throws {
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        for number in numbers { fill(Item(context: context), number) }
        try context.save()
    }

    /// Returns rows with the numbers from 0 to `count` for a store with fewer rows; new rows have keys after
    /// the existing ones.
    static func rows(_ count: Int) -> RawRows {
        RawRows((0..<count).map { [.integer(Int64($0 + count)), .integer(Int64($0)), .text("C-\($0)")] })
    }

    static let upsert = """
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZQUANTITY, ZSERIAL, ZCODE) \
        VALUES (?, 1, 1, 7, ?, ?) ON CONFLICT (ZSERIAL) DO UPDATE \
        SET ZCODE = excluded.ZCODE, ZQUANTITY = 7, Z_OPT = Z_OPT + 1
        """

    static func fill(_ item: Item, _ number: Int) {
        item.serial = Int64(number)
        item.code = "C-\(number)"
        item.quantity = 7
    }

    private func suite(
        _ name: String, _ write: @escaping (Range<Int>, NSManagedObjectContext) throws -> Void
    ) throws -> Suite {
        var variants: [Variant] = []
        for size in bench.sizes.upserts {
            let mostRuns = size < 1_000_000 ? Int.max : 2
            let dataset = try bench.uniqueItems(size)
            let rows = Self.rows(size)
            let loop = "C, INSERT … ON CONFLICT of \(size)"
            variants += [
                Variant(name: loop, mostRuns: mostRuns) {
                    try dataset.inC(full: true) { store in
                        try cost(of: size) { try store.write(Self.upsert, rows) }
                    }
                },
                Variant(name: "Core Data, \(size)", peerOf: loop, size: size, mostRuns: mostRuns) {
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
