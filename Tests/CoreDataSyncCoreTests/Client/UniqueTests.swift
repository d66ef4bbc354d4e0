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
}
