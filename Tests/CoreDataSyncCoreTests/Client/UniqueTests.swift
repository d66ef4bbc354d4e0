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

    /// A device that has a book with a tag, which the server has merged into another one since.
    private func setUpUnion() throws -> (Zone, Peer) {
        var zone = try Zone(after: 1000)
        var first = Peer(1, of: zone)
        first.edit(at: 50) { editor in
            let tag = editor.insert("Tag")
            editor.set(.text("t"), "name", of: tag)
            editor.set(true, SimStore.Pair(name: "Book.tags", first: editor.insert("Book"), second: tag))
        }
        try first.sync(&zone)
        try zone.push(zone.insert("Tag", 5, ["name": .string("t")], by: 5, at: 1), by: 5)
        let id = try #require(first.only("Tag").flatMap { first.ledger.id(of: $0) })
        #expect(zone.storage.row(.object(id))?.state.alias == Zone.id(5))
        return (zone, first)
    }

    @Test(
        "What a device adds to an object before it knows of a union is the other one's, and needs no repair")
    func unitedPairs() throws {
        var (zone, first) = try setUpUnion()
        let tag = try #require(first.only("Tag"))
        first.edit(at: 60) { editor in
            editor.set(true, SimStore.Pair(name: "Book.tags", first: editor.insert("Novel"), second: tag))
        }
        try first.sync(&zone)
        #expect(first.store.pairs.map(\.second) == Array(repeating: first.only("Tag"), count: 2))
        #expect(first.ledger.digest == zone.storage.header.digest && first.ledger.issues.isEmpty)
        #expect(zone.storage.pairs(of: Zone.id(5)).count == 2)
        var second = Peer(2, of: zone)
        try second.sync(&zone)
        #expect(second.store.pairs.count == 2 && second.ledger.issues.isEmpty)
    }

    @Test("What a device takes from an object before it knows of a union is taken from the other one")
    func unitedPairsRemoved() throws {
        var (zone, first) = try setUpUnion()
        let pair = try #require(first.store.pairs.first)
        first.edit(at: 60) { $0.set(false, pair) }
        try first.sync(&zone)
        #expect(first.store.pairs.isEmpty && first.ledger.issues.isEmpty)
        #expect(first.ledger.digest == zone.storage.header.digest)
        var second = Peer(2, of: zone)
        try second.sync(&zone)
        #expect(second.only("Tag") != nil && second.store.pairs.isEmpty)
    }

    @Test("The pairs of an object that is merged into another one are only that one's")
    func movedPairs() throws {
        let (zone, first) = try setUpUnion()
        let id = try #require(first.only("Tag").flatMap { first.ledger.id(of: $0) })
        #expect(zone.storage.pairs(of: id).isEmpty && zone.storage.pairs(of: Zone.id(5)).count == 1)
    }

    @Test("An object that the app makes again has its referrers back, though the server had forgotten it")
    func forgottenIdentity() throws {
        var zone = try Zone(after: 1000)
        var first = Peer(1, of: zone)
        func makeLabel(_ editor: inout SimStore.Editor) -> LocalKey {
            let label = editor.insert("Label")
            editor.set(.text("l"), "text", of: label)
            return label
        }
        first.edit(at: 1) { editor in
            let label = makeLabel(&editor)
            editor.set(.object(label), "label", of: editor.insert("Loan"))
        }
        try first.sync(&zone)
        let id = try #require(first.only("Label").flatMap { first.ledger.id(of: $0) })
        try zone.deleteAndForget(id, "Label", at: 20)
        try first.sync(&zone)
        #expect(first.only("Label") == nil && first.values("Loan")?["label"] == nil)
        first.edit(at: 900) { _ = makeLabel(&$0) }
        try first.sync(&zone)
        #expect(first.values("Loan")?["label"] == first.only("Label").map { .object($0) })
        var second = Peer(2, of: zone)
        try second.sync(&zone)
        #expect(second.values("Loan")?["label"] == second.only("Label").map { .object($0) })
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
