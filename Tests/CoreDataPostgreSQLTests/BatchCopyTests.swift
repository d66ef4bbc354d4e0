import CoreData
import CoreDataLibpq
import CoreDataPostgreSQL
import Foundation
import Testing

@MainActor @Suite("Batch insertions of many rows into a PostgreSQL store", .needsServer)
struct BatchCopyTests {
    private func insert(_ rows: [[String: Any]], into store: ItemStore) throws {
        let request = NSBatchInsertRequest(entityName: "Item", objects: rows)
        request.resultType = .count
        let result = try store.context.execute(request) as? NSBatchInsertResult
        #expect(result?.result as? Int == rows.count)
    }

    private func items(_ store: ItemStore) throws -> [NSDictionary] {
        let request = store.request()
        request.sortDescriptors = [NSSortDescriptor(key: "n", ascending: true)]
        return try store.context.fetch(request).map {
            NSDictionary(dictionary: $0.committedValues(forKeys: nil))
        }
    }

    @Test("Rows that are copied have the values of those that are sent as arrays, and take a trip more")
    func values() throws {
        let rows = (0..<2500).map(ItemValues.ofItem)
        let copied = try ItemStore(ItemValues.model)
        let sent = try ItemStore(ItemValues.model)
        let few = 100
        try insert(Array(rows[..<few]), into: copied)
        // Keys, the beginning, the rows twice, the end.
        #expect(try TripCounter.count { try insert(Array(rows[few...]), into: copied) } <= 5)
        for start in stride(from: 0, to: rows.count, by: few) {
            try insert(Array(rows[start..<start + few]), into: sent)
        }
        let found = try items(copied)
        #expect(found.count == rows.count)
        #expect(try found == items(sent))
    }

    @Test("A taken value among many rows is named, and no row is inserted")
    func takenValue() throws {
        let store = try ItemStore(
            ItemStore.model(
                [ItemStore.attribute("n", .integer64AttributeType)], constraints: [["n"]]))
        store.insert(["n": 700])
        try store.context.save()
        let error = try #require(throws: NSError.self) {
            try insert((0..<1000).map { ["n": $0] }, into: store)
        }
        #expect(error.code == NSManagedObjectConstraintMergeError)
        #expect(try store.numbers("n >= 0") == [700])
    }

    @Test("A text that the server cannot have, among many rows, is named, and no row is inserted")
    func unfitText() throws {
        let store = try ItemStore(ItemValues.model)
        var rows: [[String: Any]] = (0..<1000).map { ["n": $0, "text": "some"] }
        rows[999]["text"] = "a\0b"
        let error = try #require(throws: NSError.self) { try insert(rows, into: store) }
        #expect("\(error)".contains("text"))
        #expect(try store.numbers("n >= 0") == [])
        try insert([["n": 1]], into: store)
        #expect(try store.numbers("n >= 0") == [1])
    }
}
