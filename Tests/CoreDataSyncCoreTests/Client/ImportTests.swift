import CoreDataSyncCore
import Testing

@Suite("Imports")
struct ImportTests {
    @Test("What refers to an object that lost what it needs is imported without it")
    func incompleteTargets() throws {
        var zone = try Zone(after: 1000)
        var first = Peer(1, of: zone)
        var (shelf, child, book, other) = ("", "", "", "")
        first.edit(at: 1) { editor in
            let library = editor.insert("Library")
            other = editor.insert("Library")
            shelf = editor.insert("Shelf")
            child = editor.insert("Shelf")
            book = editor.insert("Book")
            for key in [shelf, child] { editor.set(.object(library), "library", of: key) }
            editor.set(.object(shelf), "parent", of: child)
            editor.set(.object(shelf), "shelf", of: book)
        }
        try first.sync(&zone)
        let id = try #require(first.ledger.id(of: shelf))
        try zone.deleteAndForget(id, "Shelf", at: 20)
        first.edit(at: 50) { $0.set(.object(other), "library", of: shelf) }
        // The device hears that the shelf was forgotten, and stops before it compares.
        try first.sync(&zone) { effect, _ in if case .send(_, .reconcile) = effect { false } else { true } }
        #expect(first.gone.count == 1)
        // The server has the shelf again, and not yet its library.
        try zone.remake(id, "Shelf", at: 60)
        try first.sync(&zone)
        #expect(first.store.rows[shelf] == nil && first.store.rows[child]?.values["parent"] == nil)
        #expect(first.store.rows[book]?.values["shelf"] == nil && first.store.rows[other] != nil)
        #expect(first.ledger.digest == zone.storage.header.digest)
        let library = try #require(first.ledger.id(of: other))
        let change = Change(
            number: 1, item: .object(id), entity: "Shelf", edit: .set("library", .reference(library)),
            stamp: zone.stamp(5, at: 60))
        try zone.push([change], by: 5)
        try first.sync(&zone)
        #expect(
            first.store.rows[child]?.values["parent"]
                == first.ledger.entry(.object(id))?.local.map { .object($0) })
        #expect(first.store.rows[child]?.values["parent"] != nil)
    }

    @Test("An edit that came between an import and the end of the process is not left until the next poll")
    func editsBeforeTheEnd() throws {
        var (zone, first) = try Peer.withBook()
        try first.sync(&zone)
        try zone.push(zone.insert("Tag", 1, ["name": .string("t")], by: 5, at: 20), by: 5)
        // The process ends before it hears that the import is in the store.
        var other = first
        try other.sync(&zone)
        try first.sync(&zone) { effect, _ in if case .commitImport = effect { false } else { true } }
        first.store = other.store
        first.edit(at: 50) { editor in editor.set(.text("b"), "title", of: editor.insert("Book")) }
        try first.sync(&zone)
        #expect(first.only("Tag") != nil && first.deadline == first.uptime + first.settings.debounce)
        try first.wake(&zone)
        #expect(zone.storage.rows.values.contains { $0.state["title"] == .string("b") })
        #expect(first.ledger.digest == zone.storage.header.digest)
    }

    @Test(
        "An edit that the history does not tell of is found when an import meets it, and is not overwritten unseen"
    )
    func untoldEdits() throws {
        var (zone, first) = try Peer.withBook()
        try first.sync(&zone)
        let book = try #require(first.only("Book"))
        let id = try #require(first.ledger.id(of: book))
        first.store.save(Zone.start + 20, isImport: true) { $0.set(.text("b"), "title", of: book) }
        var change = zone.change(1, "Book", .set("title", .string("c")), by: 5, at: 90)
        change.item = .object(id)
        try zone.push([change], by: 5)
        try first.sync(&zone)
        // It counts as made when it was found.
        #expect(first.values("Book")?["title"] == .text("b"))
        #expect(zone.storage.log.contains { $0.lost.value == .string("c") })
        #expect(first.ledger.digest == zone.storage.header.digest)
    }

    @Test("A value that the server did not take gives way to the model's default")
    func defaults() throws {
        var zone = try Zone(after: 1000)
        var first = Peer(1, of: zone)
        first.edit(at: 1) { editor in editor.set(.text("a"), "name", of: editor.insert("Library")) }
        try first.sync(&zone)
        let library = try #require(first.only("Library").flatMap { first.ledger.id(of: $0) })
        try zone.deleteAndForget(library, "Library", at: 20)
        first.set("name", of: "Library", to: .text("b"), at: 50)
        try first.sync(&zone) { effect, _ in if case .send(_, .reconcile) = effect { false } else { true } }
        #expect(first.gone == [.string("b")])
        try zone.remake(library, "Library", ["name": .string("")], at: 60)
        try first.sync(&zone)
        #expect(first.values("Library") == ["name": .text("")])
        #expect(first.ledger.digest == zone.storage.header.digest)
    }
}
