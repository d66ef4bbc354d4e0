import CoreDataSyncCore
import Testing

@Suite("Unique values on a device")
struct UniqueTests {
    @Test(
        "A received object becomes the one with its unique value that was made meanwhile, so that there is one",
        arguments: [UInt64(5), 500])
    func adoption(time: UInt64) throws {
        var zone = try Zone(after: 1000)
        var first = Peer(1, of: zone)
        try first.sync(&zone)
        // The server keeps the older of both, which is either one.
        try zone.push(zone.insert("Tag", 5, ["name": .string("t")], by: 5, at: time), by: 5)
        var isMade = false
        try first.sync(&zone) { effect, store in
            if case .send(_, .pull) = effect, !isMade {
                isMade = true
                store.save(Zone.start + 50) { editor in
                    let tag = editor.insert("Tag")
                    editor.set(.text("t"), "name", of: tag)
                    let book = editor.insert("Book")
                    editor.set(.text("a"), "title", of: book)
                    editor.set(true, SimStore.Pair(name: "Book.tags", first: book, second: tag))
                }
            }
            #expect(store.rows.values.count { $0.entity == "Tag" } <= 1)
            return true
        }
        #expect(isMade && first.values("Tag") == ["name": .text("t")])
        #expect(first.store.pairs.map(\.second) == [first.only("Tag")])
        #expect(first.ledger.digest == zone.storage.header.digest)
        var second = Peer(2, of: zone)
        try second.sync(&zone)
        #expect(second.values("Tag") == ["name": .text("t")] && second.store.pairs.count == 1)
    }

    @Test("What a device adds to the counters of two objects counts in both, whenever these are merged")
    func counters() throws {
        var zone = try Zone(after: 100)
        func count(_ id: UInt64, _ total: Int64, by device: UInt64, at time: UInt64) -> Change {
            zone.change(id, "Book", .count("copies", .integer(total)), by: device, at: time)
        }
        let isbn = ["isbn": SyncValue.string("u")]
        try zone.push(zone.insert("Book", 5, isbn, by: 5, at: 1) + [count(5, 3, by: 5, at: 9)], by: 5)
        try zone.push([count(5, 2, by: 6, at: 8)], by: 6)
        try zone.push(zone.insert("Book", 6, isbn, by: 6, at: 2) + [count(6, 7, by: 6, at: 4)], by: 6)
        #expect(zone.state(6)?.alias == Zone.id(5))
        #expect(zone.state(5)?["copies"] == .integer(12))
        // The device has not heard of the merge yet.
        try zone.push([count(6, 8, by: 6, at: 5), count(6, 7, by: 6, at: 4)], by: 6)
        #expect(zone.state(5)?["copies"] == .integer(13))
        // A third object takes over what both have.
        try zone.push(zone.insert("Book", 4, isbn, by: 4, at: 0), by: 4)
        try zone.push([count(6, 9, by: 6, at: 6), count(5, 4, by: 5, at: 10)], by: 6)
        #expect(zone.state(5)?.alias == Zone.id(4))
        #expect(zone.state(4)?["copies"] == .integer(15))
    }
}
