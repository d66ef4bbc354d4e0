import CoreData
import CoreDataSQL
import CoreDataStore
import CoreDataSync
import CoreDataSyncCore
import Foundation
import Synchronization
import Testing

@Suite("What syncing costs in statements")
struct StatementTests {
    /// How often statements that read, and transactions that write, ran on a device's store and on its ledger.
    private typealias Costs = [String: Int]

    /// Returns what it costs a device to receive a zone.
    private func receiving(_ objects: Int, page: Int) async throws -> Costs {
        let pair = try Pair()
        try pair.devices[0].edit { context in
            for number in 0..<objects { _ = context.insert("Book", ["title": "\(number)"]) }
        }
        try await pair.devices[0].sync()
        let device = pair.devices[1]
        device.settings.pageLimit = page
        try await device.open()
        let costs = try await costs(of: device) { try await device.sync() }
        #expect(try device.texts("title", of: "Book").count == objects)
        return costs
    }

    private func costs(of device: Device, _ body: () async throws -> Void) async throws -> Costs {
        let costs = Counter()
        let folder = device.folder.lastPathComponent
        let listener = SQLLog.listen(.statements) { entry in
            guard entry.path.contains(folder),
                entry.sql.hasPrefix("SELECT") || entry.sql == "BEGIN IMMEDIATE"
            else { return }
            let name = entry.path.hasSuffix(".sync.sqlite") ? "ledger" : "store"
            // Lists are as long as there are objects.
            let text = entry.sql.replacingOccurrences(of: ", ?", with: "")
            costs.value.withLock { $0["\(name): \(text)", default: 0] += 1 }
        }
        defer { listener.stop() }
        try await body()
        return costs.value.withLock { $0 }
    }

    @Test("A page takes as many reading statements and transactions for few objects as for many")
    func pages() async throws {
        let (few, many) = (try await receiving(20, page: 100), try await receiving(90, page: 100))
        for statement in Set(few.keys).union(many.keys) {
            #expect(few[statement] == many[statement], "\(statement)")
        }
    }

    /// Returns how often each statement reads a ledger while a device receives so many books with shelves and tags,
    /// while it edits them, and while it receives edits of them.
    private func readingLedger(_ objects: Int) async throws -> [Costs] {
        let pair = try Pair()
        try pair.devices[0].edit { context in
            let library = context.insert("Library", ["name": "l"])
            for number in 0..<objects {
                let shelf = context.insert("Shelf", ["name": "s\(number)"])
                shelf.setValue(library, forKey: "library")
                let book = context.insert("Book", ["title": "\(number)"])
                book.setValue(shelf, forKey: "shelf")
                book.setValue(NSSet(object: context.insert("Tag", ["name": "\(number)"])), forKey: "tags")
            }
        }
        try await pair.devices[0].sync()
        var costs: [Costs] = []
        let device = pair.devices[1]
        try await device.open()
        func measure(_ body: () async throws -> Void) async throws {
            costs.append(
                try await self.costs(of: device, body).filter { $0.key.hasPrefix("ledger: SELECT") })
        }
        try await measure { try await device.sync() }
        func edit(_ device: Device, _ name: String) throws {
            try device.edit { context in
                let shelves = try context.all("Shelf")
                for (index, book) in try context.all("Book").enumerated() {
                    book.setValue(name, forKey: "title")
                    book.setValue(shelves[(index + 1) % shelves.count], forKey: "shelf")
                }
            }
        }
        try edit(device, "a")
        try await measure { try await device.sync() }
        try await pair.devices[0].sync()
        try edit(pair.devices[0], "b")
        try await pair.devices[0].sync()
        try await measure { try await device.sync() }
        try await pair.sync()
        return costs
    }

    @Test("A step reads the ledger as often for few objects as for many, whatever they lead to")
    func ledgerReads() async throws {
        let (few, many) = (try await readingLedger(5), try await readingLedger(30))
        for (step, (few, many)) in zip(few, many).enumerated() {
            for statement in Set(few.keys).union(many.keys) {
                #expect(few[statement] == many[statement], "\(step): \(statement)")
            }
        }
    }

    @Test("A page takes two transactions of the ledger, and two of the store, of which one names objects")
    func transactions() async throws {
        let (two, three) = (try await receiving(150, page: 100), try await receiving(250, page: 100))
        func writes(_ costs: Costs, _ name: String) -> Int { costs["\(name): BEGIN IMMEDIATE"] ?? 0 }
        #expect(writes(three, "store") - writes(two, "store") == 2)
        #expect(writes(three, "ledger") - writes(two, "ledger") == 2)
    }

    private final class Counter: Sendable {
        let value = Mutex(Costs())
    }
}
