import CoreDataSyncCore
import Testing

@Suite("What a store does not take")
struct ParkingTests {
    private func parked(_ peer: Peer) -> [String] {
        peer.ledger.issues.compactMap {
            if case .parked(_, let entity, let reason) = $0 { entity + ": " + reason } else { nil }
        }
    }

    private func isGood(_ row: ImportPlan.Row) -> Bool {
        !row.values.values.contains { $0.value == .string("bad") }
    }

    @Test(
        "An object that the app does not take waits with what needs it, and is reported once; the rest comes")
    func rejectedObjects() throws {
        var zone = try Zone(after: 100)
        var first = Peer(1, of: zone)
        first.accepts = isGood
        try zone.push(zone.insert("Library", 1, ["name": .string("bad")], by: 5, at: 1), by: 5)
        try zone.push(
            zone.insert("Shelf", 2, ["name": .string("s"), "library": .reference(Zone.id(1))], by: 5, at: 2),
            by: 5)
        try zone.push(zone.insert("Book", 3, ["title": .string("a")], by: 5, at: 3), by: 5)
        for _ in 0..<2 {
            try first.sync(&zone)
            #expect(first.store.rows.values.map(\.entity) == ["Book"])
            #expect(parked(first) == ["Library: not now"])
            #expect(first.ledger.digest == zone.storage.header.digest)
        }
        try zone.push([zone.change(3, "Book", .set("title", .string("b")), by: 5, at: 5)], by: 5)
        try first.sync(&zone)
        #expect(first.values("Book")?["title"] == .text("b"))
        first.accepts = { _ in true }
        try first.sync(&zone)
        #expect(first.values("Library") == ["name": .text("bad")])
        #expect(first.values("Shelf")?["library"] == first.only("Library").map { .object($0) })
        #expect(parked(first).count == 1 && first.ledger.header.parked.isEmpty)
    }

    @Test("Of an object in the store only the value waits; an edit that replaces it unseen has it logged")
    func rejectedValues() throws {
        var (zone, first) = try Peer.withBook()
        try first.sync(&zone)
        let id = try #require(first.only("Book").flatMap { first.ledger.id(of: $0) })
        first.accepts = isGood
        let base = zone.storage.row(.object(id))?.state.registers["title"]?.stamp
        var change = zone.change(1, "Book", .set("title", .string("bad")), by: 5, at: 5, base: base)
        change.item = .object(id)
        try zone.push([change], by: 5)
        try first.sync(&zone)
        #expect(first.values("Book")?["title"] == .text("a") && parked(first) == ["Book: not now"])
        #expect(zone.storage.log.isEmpty && first.ledger.digest == zone.storage.header.digest)
        var other = first
        other.accepts = { _ in true }
        try other.sync(&zone)
        #expect(other.values("Book")?["title"] == .text("bad"))
        first.set("title", of: "Book", to: .text("c"), at: 50)
        try first.sync(&zone)
        #expect(zone.storage.log.map(\.lost.value) == [.string("bad")])
        #expect(first.values("Book")?["title"] == .text("c") && first.ledger.header.parked.isEmpty)
    }

    @Test("A value that an edit replaced unseen is in the log of a server that was restored before that edit")
    func rejectedValuesAndRestores() throws {
        var (zone, first) = try Peer.withBook()
        try first.sync(&zone)
        let id = try #require(first.only("Book").flatMap { first.ledger.id(of: $0) })
        var restored = zone.storage
        first.accepts = isGood
        var change = zone.change(1, "Book", .set("title", .string("bad")), by: 5, at: 5)
        change.item = .object(id)
        try zone.push([change], by: 5)
        try first.sync(&zone)
        first.set("title", of: "Book", to: .text("c"), at: 50)
        try first.sync(&zone) { effect, _ in if case .send(_, .push) = effect { false } else { true } }
        zone.server.beginEpoch(&restored, after: zone.storage.header.epoch)
        zone.storage = restored
        try first.sync(&zone)
        #expect(zone.storage.log.map(\.lost.value).contains(.string("bad")))
        #expect(zone.storage.row(.object(id))?.state["title"] == .string("c"))
        #expect(first.ledger.digest == zone.storage.header.digest)
    }

    @Test(
        "A received object waits whose unique value was given to another one meanwhile, until the server decides"
    )
    func unpushedEdits() throws {
        var (zone, first) = try Peer.withBook()
        zone.now += 1000
        try first.sync(&zone)
        let book = try #require(first.only("Book"))
        try zone.push(zone.insert("Book", 5, ["isbn": .string("u")], by: 5, at: 20), by: 5)
        var isEdited = false
        try first.sync(&zone) { effect, store in
            if case .send(_, .pull) = effect, !isEdited {
                isEdited = true
                store.save(Zone.start + 50) { editor in editor.set(.text("u"), "isbn", of: book) }
            }
            #expect(!store.hasTwins)
            return true
        }
        #expect(isEdited && parked(first) == ["Book: the value is not unique"])
        // The server takes back the edit, since the other object was made with the value.
        #expect(first.store.rows.values.compactMap { $0.values["isbn"] } == [.text("u")])
        #expect(first.store.rows.count == 2 && first.store.rows[book]?.values["isbn"] == nil)
        #expect(first.ledger.header.parked.isEmpty && first.ledger.digest == zone.storage.header.digest)
    }

    @Test("A deletion that the app does not take waits")
    func rejectedDeletions() throws {
        var zone = try Zone(after: 100)
        var first = Peer(1, of: zone)
        try zone.push(zone.insert("Book", 3, ["title": .string("a")], by: 5, at: 3), by: 5)
        try first.sync(&zone)
        try zone.push([zone.change(3, "Book", .existence(2, seen: 9), by: 5, at: 5)], by: 5)
        first.accepts = { !$0.isDeleted }
        try first.sync(&zone)
        #expect(first.only("Book") != nil && parked(first) == ["Book: not now"])
        #expect(first.ledger.digest == zone.storage.header.digest)
        first.accepts = { _ in true }
        try first.sync(&zone)
        #expect(first.only("Book") == nil && first.ledger.header.parked.isEmpty)
    }

    @Test("An object of which the app takes nothing waits with what it refers to; everything else goes on")
    func refusedObjects() throws {
        var zone = try Zone(after: 100)
        var first = Peer(1, of: zone)
        try zone.push(zone.insert("Tag", 1, ["name": .string("t")], by: 5, at: 1), by: 5)
        try zone.push(zone.insert("Loan", 2, ["tag": .reference(Zone.id(1))], by: 5, at: 2), by: 5)
        try first.sync(&zone)
        try zone.push([zone.change(2, "Loan", .set("tag", .null), by: 5, at: 5)], by: 5)
        first.accepts = { $0.entity != "Loan" }
        for number in UInt64(3)...4 {
            try zone.push(zone.insert("Book", number, [:], by: 5, at: number + 3), by: 5)
            try first.sync(&zone)
            #expect(first.values("Loan")?["tag"] != nil && parked(first) == ["Loan: not now"])
            #expect(first.store.rows.values.count { $0.entity == "Book" } == number - 2)
            #expect(first.ledger.inbox.items.keys.map(\.object) == [Zone.id(2)])
        }
        first.set("name", of: "Tag", to: .text("u"), at: 50)
        try first.sync(&zone)
        #expect(zone.state(1)?["name"] == .string("u"))
        #expect(!first.ledger.issues.contains(.diverged))
        first.accepts = { _ in true }
        try first.sync(&zone)
        #expect(first.values("Loan") == [:] && first.ledger.header.parked.isEmpty)
        #expect(first.ledger.digest == zone.storage.header.digest && first.ledger.inbox.isEmpty)
    }

    @Test("An owner that takes no change keeps its members; those that it gets or loses wait, others come")
    func refusedOwners() throws {
        var zone = try Zone(after: 100)
        var first = Peer(1, of: zone)
        func shelf(_ id: UInt64) -> [String: SyncValue] { ["shelf": .reference(Zone.id(id))] }
        try zone.push(zone.insert("Library", 1, ["name": .string("l")], by: 5, at: 1), by: 5)
        for id in UInt64(2)...3 {
            let values: [String: SyncValue] = [
                "name": .string("s\(id)"), "library": .reference(Zone.id(1)),
            ]
            try zone.push(zone.insert("Shelf", id, values, by: 5, at: 2), by: 5)
        }
        for id in UInt64(4)...5 { try zone.push(zone.insert("Book", id, shelf(2), by: 5, at: id), by: 5) }
        try first.sync(&zone)
        func local(_ id: UInt64) -> LocalKey? { first.ledger.entry(.object(Zone.id(id)))?.local }
        let (full, other) = (try #require(local(2)), try #require(local(3)))
        let members = first.store.rows[full]?.lists["books"] ?? []
        #expect(members.count == 2)

        try zone.push([zone.change(2, "Shelf", .set("name", .string("t")), by: 5, at: 10)], by: 5)
        try zone.push([zone.change(5, "Book", .set("shelf", .reference(Zone.id(3))), by: 5, at: 11)], by: 5)
        try zone.push(zone.insert("Book", 6, shelf(2), by: 5, at: 12), by: 5)
        try zone.push(zone.insert("Book", 7, shelf(3), by: 5, at: 13), by: 5)
        let before = first.store
        first.refuses = { plan in
            let isTouched = plan.rows.contains { $0.id == Zone.id(2) || [5, 6].map(Zone.id).contains($0.id) }
            return isTouched || plan.lists.contains { $0.owner == Zone.id(2) } ? [Zone.id(2): "full"] : [:]
        }
        try first.sync(&zone)
        #expect(first.store.rows[full] == before.rows[full] && parked(first) == ["Shelf: full"])
        #expect(first.store.rows[other]?.lists["books"] == [local(7)].compactMap(\.self) && local(6) == nil)
        let number = zone.storage.header.sequence
        first.set("name", of: "Library", to: .text("m"), at: 50)
        try first.sync(&zone)
        #expect(zone.storage.header.sequence == number + 1)

        first.refuses = { _ in [:] }
        try first.sync(&zone)
        #expect(first.store.rows[full]?.values["name"] == .text("t"))
        #expect(first.store.rows[full]?.lists["books"] == [members[0], local(6)].compactMap(\.self))
        #expect(first.store.rows[other]?.lists["books"]?.count == 2)
        #expect(first.ledger.digest == zone.storage.header.digest && first.ledger.inbox.isEmpty)
    }

    @Test("An import that is rejected whatever is left out waits as a whole, and loses nothing")
    func hopelessImports() throws {
        var (zone, first) = try Peer.withBook()
        try first.sync(&zone)
        try zone.push(zone.insert("Tag", 1, ["name": .string("t")], by: 5, at: 20), by: 5)
        first.refuses = { _ in [Zone.id(9): "disk full"] }
        try first.sync(&zone)
        #expect(first.only("Tag") == nil && parked(first) == [": disk full"])
        first.set("title", of: "Book", to: .text("b"), at: 50)
        try first.sync(&zone)
        #expect(zone.storage.rows.values.contains { $0.state["title"] == .string("b") })
        first.refuses = { _ in [:] }
        try first.sync(&zone)
        #expect(first.values("Tag") == ["name": .text("t")] && first.ledger.header.parked.isEmpty)
        #expect(first.ledger.digest == zone.storage.header.digest)
    }

    @Test(
        "A value that the server does not have any more waits where the app keeps it, and all is in agreement"
    )
    func rejectedAbsence() throws {
        var (zone, first) = try Peer.withBook()
        try first.sync(&zone)
        let book = try #require(first.only("Book").flatMap { first.ledger.id(of: $0) })
        try zone.deleteAndForget(book, "Book", at: 20)
        first.set("title", of: "Book", to: .text("b"), at: 50)
        try first.sync(&zone) { effect, _ in if case .send(_, .reconcile) = effect { false } else { true } }
        try zone.remake(book, "Book", at: 60)
        first.accepts = { $0.values["title"] == nil }
        try first.sync(&zone)
        #expect(first.values("Book") == ["title": .text("b")] && parked(first) == ["Book: not now"])
        #expect(first.ledger.digest == zone.storage.header.digest)
        #expect(!first.ledger.issues.contains(.diverged))
        first.accepts = { _ in true }
        try first.sync(&zone)
        #expect(first.values("Book") == [:] && first.ledger.digest == zone.storage.header.digest)
    }
}
