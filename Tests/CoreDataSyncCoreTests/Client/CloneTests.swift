import CoreDataSyncCore
import Testing

@Suite("Copies of a device")
struct CloneTests {
    @Test(
        "What a copy has made ahead of time, and what was forgotten since, is not made again by the other device",
        arguments: [3000, 1_000_000] as [UInt64])
    func forgottenCreations(ahead: UInt64) throws {
        var zone = try Zone(after: 100)
        var first = Peer(1, of: zone)
        try first.sync(&zone)
        first.edit(at: 100 + ahead) { editor in editor.set(.text("a"), "title", of: editor.insert("Book")) }
        // The backup of the device has the edit, which waits to be pushed.
        try first.sync(&zone) { effect, _ in if case .send(_, .push) = effect { false } else { true } }
        var copy = first
        let book = try #require(first.only("Book").flatMap { first.ledger.id(of: $0) })

        // The second edit ends in a push of its own, so that the server tells both devices apart.
        copy.set("title", of: "Book", to: .text("c"), at: 101 + ahead)
        try copy.sync(&zone)
        #expect(zone.storage.row(.object(book))?.state.isAlive == true)
        zone.now += 10_000
        try zone.deleteAndForget(book, "Book", at: 9000)
        try first.sync(&zone)
        #expect(zone.storage.row(.object(book)) == nil)
        #expect(first.only("Book") == nil && first.gone.contains(.string("a")))
        #expect(first.ledger.digest == zone.storage.header.digest)
    }
}
