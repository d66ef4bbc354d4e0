import CoreDataSyncCore
import Testing

@Suite("The first reading of a zone")
struct SnapshotTests {
    /// Returns a zone and a device whose run has ended when it had read the page with its book, which another device has
    /// edited, and had not imported it yet.
    private func withPage() throws -> (Zone, Peer) {
        var (zone, first) = try Peer.withBook()
        zone.server.limits.page = 1
        try first.sync(&zone) { effect, _ in if case .send(_, .snapshot) = effect { false } else { true } }
        var second = Peer(2, of: zone)
        try second.sync(&zone)
        second.set("isbn", of: "Book", to: .text("1"), at: 40)
        try second.sync(&zone)
        var pages = 0
        try first.sync(&zone) { effect, _ in
            if case .send(_, .snapshot) = effect { pages += 1 }
            if case .capture = effect { return pages == 0 }
            return true
        }
        #expect(first.ledger.inbox.items.count == 1)
        return (zone, first)
    }

    @Test("An edit that is pushed before a page is imported, which was read before it, is not taken back")
    func stalePages() throws {
        var (zone, first) = try withPage()
        let book = try #require(first.only("Book"))
        #expect(first.ledger.header.snapshot?.received == 1 && first.ledger.header.snapshot?.total == 1)

        first.set("title", of: "Book", to: .text("b"), at: 50)
        try first.sync(&zone) { _, store in
            #expect(store.rows[book]?.values["title"] == .text("b"))
            return true
        }
        #expect(zone.storage.rows.values.map { $0.state["title"] } == [.string("b")])
        #expect(first.ledger.digest == zone.storage.header.digest)
    }

    @Test("A deletion that is pushed before a page is imported is not taken back either")
    func stalePagesOfDeletedObjects() throws {
        var (zone, first) = try withPage()
        let book = try #require(first.only("Book"))
        first.edit(at: 50) { $0.delete(book) }
        try first.sync(&zone) { _, store in
            #expect(store.rows.isEmpty)
            return true
        }
        #expect(zone.storage.rows.values.allSatisfy { !$0.state.isAlive })
        #expect(first.ledger.digest == zone.storage.header.digest)
    }

    @Test("What a device has pushed itself is not imported when it is read")
    func ownObjects() throws {
        var (zone, first) = try Peer.withBook()
        var imports = 0
        for title in ["b", "c"] {
            try first.sync(&zone) { effect, _ in
                if case .prepareImport = effect { imports += 1 }
                return true
            }
            first.set("title", of: "Book", to: .text(title), at: 50)
        }
        #expect(imports == 0)
        #expect(first.ledger.entries.values.map(\.sequence) == [zone.storage.header.sequence])
        #expect(first.ledger.digest == zone.storage.header.digest)
    }

    @Test("An object that was pushed before the first page, and is forgotten by then, goes without an alarm")
    func forgottenBeforePages() throws {
        var (zone, first) = try Peer.withBook()
        try first.sync(&zone) { effect, _ in if case .send(_, .snapshot) = effect { false } else { true } }
        let book = try #require(first.only("Book").flatMap { first.ledger.id(of: $0) })
        #expect(zone.storage.row(.object(book)) != nil)
        try zone.deleteAndForget(book, "Book", at: 60)
        try first.sync(&zone)
        #expect(first.store.rows.isEmpty && first.ledger.issues.isEmpty)
        #expect(first.ledger.digest == zone.storage.header.digest)
    }
}
