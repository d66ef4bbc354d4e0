import CoreDataSyncCore
import Testing

@Suite("A store that was replaced")
struct ReplacedStoreTests {
    /// A zone with objects of all kinds, two of them alike, and a device that has them.
    private func setUp() throws -> (zone: Zone, first: Peer) {
        var zone = try Zone(after: 1000)
        var first = Peer(1, of: zone)
        first.edit(at: 1) { editor in
            let library = editor.insert("Library")
            editor.set(.text("l"), "name", of: library)
            for name in ["s", "s", "t"] {
                let shelf = editor.insert("Shelf")
                editor.set(.text(name), "name", of: shelf)
                editor.set(.object(library), "library", of: shelf)
                let books = ["a", name].map { title in
                    let book = editor.insert("Book")
                    editor.set(.text(title), "title", of: book)
                    editor.set(.object(shelf), "shelf", of: book)
                    return book
                }
                editor.order(books.reversed(), "books", of: shelf)
                let tag = editor.insert("Tag")
                let isTaken = editor.store.rows.values.contains { $0.values["name"] == .text("tag s") }
                editor.set(.text(isTaken ? "tag 2" + name : "tag s"), "name", of: tag)
                editor.set(true, SimStore.Pair(name: "Book.tags", first: books[0], second: tag))
                editor.set(true, SimStore.Pair(name: "Library.topics", first: library, second: tag))
            }
            let topics = editor.store.rows[library]?.lists["topics"] ?? []
            editor.order(topics.reversed(), "topics", of: library)
        }
        try first.sync(&zone)
        return (zone, first)
    }

    /// The objects of a store, described without their keys.
    private func look(_ peer: Peer) -> [String] {
        func name(_ key: LocalKey) -> String {
            let values = peer.store.rows[key]?.values
            return "\(values?["name"] ?? values?["title"] ?? .text("?"))"
        }
        return peer.store.rows.map { key, row in
            let values = row.values.sorted { $0.key < $1.key }.map { name, value -> String in
                if case .object(let target) = value {
                    "\(name): -> \(self.look(peer, target))"
                } else {
                    "\(name): \(value)"
                }
            }
            let lists = row.lists.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.map(name))" }
            let partners = peer.store.pairs.filter { $0.first == key }.map { $0.name + name($0.second) }
                .sorted()
            return "\(row.entity) \(values) \(lists) \(partners)"
        }.sorted()
    }

    private func look(_ peer: Peer, _ key: LocalKey) -> String {
        "\(peer.store.rows[key]?.values["name"] ?? .text("?"))"
    }

    private func unknown(_ peer: Peer) -> [Int] {
        peer.ledger.issues.compactMap { if case .unknownObjects(let count) = $0 { count } else { nil } }
    }

    @Test("An older copy gets what was edited since, and nothing twice")
    func olderCopies() throws {
        var (zone, first) = try setUp()
        let copy = first.store
        let shelf = try #require(first.store.rows.first { $0.value.values["name"] == .text("t") }?.key)
        first.edit(at: 50) { editor in
            editor.set(.text("u"), "name", of: shelf)
            let members = editor.store.rows[shelf]?.lists["books"] ?? []
            editor.order(members.reversed(), "books", of: shelf)
            editor.set(.object(shelf), "shelf", of: editor.insert("Novel"))
        }
        try first.sync(&zone)
        let wanted = look(first)
        let rows = zone.storage.rows
        first.store = copy
        try first.sync(&zone)
        // The shelf with the old name is none that the server has.
        #expect(unknown(first) == [1] && first.store.rows == copy.rows)
        try first.sync(&zone, .decided(.drop))
        #expect(look(first) == wanted && zone.storage.rows == rows)
        #expect(first.ledger.digest == zone.storage.header.digest && unknown(first) == [1])
        first.set("name", of: "Library", to: .text("m"), at: 60)
        try first.sync(&zone)
        #expect(zone.storage.rows.values.contains { $0.state["name"] == .string("m") })
    }

    @Test("A device that lost its ledger finds each object again, though some are alike")
    func lostLedgers() throws {
        var (zone, first) = try setUp()
        let (wanted, rows, store) = (look(first), zone.storage.rows, first.store)
        first.ledger = DictionaryLedger(replica: Zone.device(7))
        try first.sync(&zone, .storeReplaced)
        #expect(look(first) == wanted && first.store.rows == store.rows && first.store.pairs == store.pairs)
        #expect(zone.storage.rows == rows && first.ledger.issues.isEmpty)
        #expect(first.ledger.digest == zone.storage.header.digest)
        var second = Peer(2, of: zone)
        first.set("name", of: "Library", to: .text("m"), at: 60)
        try first.sync(&zone)
        try second.sync(&zone)
        #expect(look(first) == look(second))
    }

    @Test(
        "Objects that the server does not have are uploaded or dropped as the app decides",
        arguments: [true, false])
    func decisions(isUpload: Bool) throws {
        var (zone, first) = try setUp()
        first.edit(at: 50) { editor in
            let shelf = editor.store.rows.filter { $0.value.entity == "Shelf" }.keys.sorted()[0]
            let book = editor.insert("Book")
            editor.set(.text("new"), "title", of: book)
            editor.set(.object(shelf), "shelf", of: book)
            let tag = editor.insert("Tag")
            editor.set(.text("new tag"), "name", of: tag)
            editor.set(true, SimStore.Pair(name: "Book.tags", first: book, second: tag))
        }
        let mine = look(first)
        first.ledger = DictionaryLedger(replica: Zone.device(7))
        let count = zone.storage.rows.count
        for _ in 0..<2 { try first.sync(&zone, .storeReplaced) }
        #expect(look(first) == mine && zone.storage.rows.count == count)
        try first.sync(&zone, .decided(isUpload ? .upload : .drop))
        #expect(zone.storage.rows.count == count + (isUpload ? 3 : 0))
        #expect(first.ledger.digest == zone.storage.header.digest && !first.ledger.header.isForeign)
        var second = Peer(2, of: zone)
        try second.sync(&zone)
        #expect(look(second) == look(first) && (look(first) == mine) == isUpload)
    }

    @Test("A unique value tells which object is meant, and the server's other values win")
    func uniqueValues() throws {
        var zone = try Zone(after: 1000)
        try zone.push(
            zone.insert("Book", 5, ["isbn": .string("u"), "title": .string("a")], by: 5, at: 20), by: 5)
        var first = Peer(1, of: zone)
        first.edit(at: 1) { editor in
            let book = editor.insert("Book")
            editor.set(.text("u"), "isbn", of: book)
            editor.set(.text("b"), "title", of: book)
            editor.set(.integer(4), "rating", of: book)
        }
        try first.sync(&zone, .storeReplaced)
        #expect(first.values("Book") == ["isbn": .text("u"), "title": .text("a")])
        let lost = first.ledger.issues.compactMap { issue -> SyncValue? in
            if case .lost(let lost) = issue, lost.reason == .replaced { lost.value } else { nil }
        }
        #expect(lost == [.integer(4), .string("b")])
        #expect(first.ledger.digest == zone.storage.header.digest && zone.storage.rows.count == 1)
    }

    @Test("Edits that waited when the store was replaced are pushed")
    func waitingEdits() throws {
        var (zone, first) = try setUp()
        let copy = first.store
        first.set("name", of: "Library", to: .text("m"), at: 50)
        try first.sync(&zone) { effect, _ in if case .send(_, .push) = effect { false } else { true } }
        first.store = copy
        try first.sync(&zone)
        try first.sync(&zone, .decided(.drop))
        #expect(first.values("Library")?["name"] == .text("m"))
        #expect(zone.storage.rows.values.contains { $0.state["name"] == .string("m") })
    }

    @Test("Nothing is done with a store that misses many objects before all of the server's are known")
    func missingObjects() throws {
        var zone = try Zone(after: 1000)
        var first = Peer(1, of: zone)
        first.edit(at: 1) { editor in
            for number in 0..<80 { editor.set(.text("\(number)"), "title", of: editor.insert("Book")) }
        }
        let copy = first.store
        first.edit(at: 2) { editor in
            for number in 80..<160 { editor.set(.text("\(number)"), "title", of: editor.insert("Book")) }
        }
        try first.sync(&zone)
        let wanted = look(first)
        first.store = copy
        // The copy has gone on, so that its history does not tell that it is older.
        for time in 3...6 {
            first.edit(at: UInt64(time)) { $0.set(.text("x\(time)"), "title", of: "r100001") }
        }
        first.store.prune()
        try first.sync(&zone)
        #expect(first.ledger.issues.contains(.missingObjects(80)))
        #expect(unknown(first) == [1] && zone.storage.rows.values.allSatisfy(\.state.isAlive))
        try first.sync(&zone, .decided(.drop))
        #expect(look(first) == wanted && zone.storage.rows.count == 160)
    }
}
