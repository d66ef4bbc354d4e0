import CoreDataSyncCore
import Testing

@Suite("What a device remembers")
struct LedgerTests {
    @Test("An issue that a crash keeps from the app is still in the ledger")
    func issues() throws {
        var (zone, first) = try Peer.withBook()
        try first.sync(&zone)
        let id = try #require(first.only("Book").flatMap { first.ledger.id(of: $0) })
        try zone.deleteAndForget(id, "Book", at: 20)
        first.set("title", of: "Book", to: .text("b"), at: 50)
        try first.sync(&zone) { effect, _ in if case .report = effect { false } else { true } }
        #expect(first.gone == [.string("b")])
    }

    @Test("Two devices with one ID count what each has added, once", arguments: [Int64(3), -3])
    func counters(added: Int64) throws {
        var zone = try Zone(after: 100)
        var first = Peer(1, of: zone)
        first.edit(at: 1) { editor in editor.set(.integer(10), "copies", of: editor.insert("Book")) }
        try first.sync(&zone)
        first.set("copies", of: "Book", to: .integer(10 + added), at: 50)
        // The edit is captured when the device is copied, and not pushed.
        try first.sync(&zone) { effect, _ in if case .send(_, .push) = effect { false } else { true } }
        var clone = first
        first.set("title", of: "Book", to: .text("a"), at: 55)
        clone.set("copies", of: "Book", to: .integer(10 + 2 * added), at: 60)
        try first.sync(&zone)
        try clone.sync(&zone)
        try first.sync(&zone)
        // The server knows the push that both of them have, though another one came after it.
        #expect(first.values("Book")?["copies"] == .integer(10 + 2 * added))
        #expect(clone.values("Book") == first.values("Book"))
        #expect(clone.ledger.digest == zone.storage.header.digest)
    }

    @Test(
        "What a copy of a device makes before it meets the server is taken, whatever is forgotten",
        arguments: [0, 5000])
    func creationsOfCopies(clockAdvance: UInt64) throws {
        var (zone, first) = try Peer.withBook()
        // The book is captured when the device is copied, and not pushed.
        try first.sync(&zone) { effect, _ in if case .send = effect { false } else { true } }
        var clone = first
        clone.clockAdvance = clockAdvance
        try first.sync(&zone)
        let book = try #require(first.only("Book").flatMap { first.ledger.id(of: $0) })
        try zone.deleteAndForget(book, "Book", at: 20)
        clone.edit(at: 5) { editor in editor.set(.text("b"), "name", of: editor.insert("Tag")) }
        try clone.sync(&zone)
        #expect(clone.values("Tag") == ["name": .text("b")])
        #expect(clone.only("Book") == nil && zone.storage.row(.object(book)) == nil)
        // The server knows the stamps of the book that both have made, unless one of them had to stamp it again.
        #expect(clone.gone == (clockAdvance == 0 ? [] : [.boolean(true), .string("a")]))
        #expect(clone.ledger.digest == zone.storage.header.digest)
    }

    @Test("An object whose owner the server knows not yet keeps it, and tells the server")
    func portions() throws {
        var zone = try Zone(after: 100)
        var first = Peer(1, of: zone)
        first.edit(at: 1) { editor in
            let library = editor.insert("Library")
            editor.set(.object(library), "library", of: editor.insert("Shelf"))
        }
        try first.sync(&zone)
        let shelf = try #require(first.only("Shelf").flatMap { first.ledger.id(of: $0) })
        var row = try #require(zone.storage.row(.object(shelf)))
        zone.storage.header.digest.toggle(.object(shelf), row.state)
        let library = row.state.registers.removeValue(forKey: "library")
        zone.storage.header.digest.toggle(.object(shelf), row.state)
        zone.storage.write(row, for: .object(shelf))
        try first.sync(&zone)
        #expect(first.values("Shelf")?["library"] != nil)
        #expect(zone.storage.row(.object(shelf))?.state.registers["library"] == library)
        #expect(first.ledger.digest == zone.storage.header.digest)
    }

    @Test("An owner that the server has forgotten is known as long as the store shows it")
    func keptOwners() throws {
        var zone = try Zone(after: 100)
        var first = Peer(1, of: zone)
        first.edit(at: 1) { editor in editor.set(.text("a"), "name", of: editor.insert("Library")) }
        try first.sync(&zone)
        let library = try #require(first.only("Library"))
        let id = try #require(first.ledger.id(of: library))
        try zone.deleteAndForget(id, "Library", at: 20)
        // A shelf is made in the library that is about to be deleted.
        var isMade = false
        try first.sync(&zone) { effect, store in
            if case .prepareImport = effect, !isMade {
                isMade = true
                store.save(Zone.start + 50) { editor in
                    editor.set(.object(library), "library", of: editor.insert("Shelf"))
                }
            }
            return true
        }
        #expect(isMade)
        #expect(first.only("Library") == nil && first.only("Shelf") == nil)
        #expect(first.ledger.digest == zone.storage.header.digest)
    }

    @Test("The deletion of an object that another device with the same ID has pushed is pushed")
    func deletionOfPushed() throws {
        var (zone, first) = try Peer.withBook()
        try first.sync(&zone) { effect, _ in if case .send(_, .push) = effect { false } else { true } }
        var clone = first
        try first.sync(&zone)
        first.set("title", of: "Book", to: .text("b"), at: 10)
        try first.sync(&zone)
        // The copy hears that it is one, and stops.
        try clone.sync(&zone) { effect, _ in
            if case .send(_, .push(let push)) = effect { push.replica == Zone.device(1) } else { true }
        }
        let book = try #require(clone.only("Book"))
        clone.edit(at: 60) { $0.delete(book) }
        try clone.sync(&zone)
        try first.sync(&zone)
        #expect(first.only("Book") == nil && clone.only("Book") == nil)
    }

    @Test("Each member that is moved gets a place of its own time")
    func places() throws {
        var zone = try Zone(after: 100)
        var first = Peer(1, of: zone)
        first.edit(at: 1) { editor in
            let library = editor.insert("Library")
            let shelf = editor.insert("Shelf")
            editor.set(.object(library), "library", of: shelf)
            let books = (0..<3).map { _ in editor.insert("Book") }
            for book in books { editor.set(.object(shelf), "shelf", of: book) }
            editor.order(books.reversed(), "books", of: shelf)
        }
        try first.sync(&zone)
        let stamps = zone.storage.rows.values.compactMap { $0.state.registers["shelf#"]?.stamp }
        #expect(stamps.count > 1 && Set(stamps).count == stamps.count)
    }
}
