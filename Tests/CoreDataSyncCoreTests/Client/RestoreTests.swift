import CoreDataSyncCore
import Testing

@Suite("Devices of a restored server")
struct RestoreTests {
    /// A zone with a book, and two devices that have it.
    private func setUp() throws -> (zone: Zone, first: Peer, second: Peer) {
        var (zone, first) = try Peer.withBook()
        try first.sync(&zone)
        var second = Peer(2, of: zone)
        try second.sync(&zone)
        return (zone, first, second)
    }

    private func restore(_ backup: DictionaryStorage, _ zone: inout Zone) {
        var restored = backup
        zone.server.beginEpoch(&restored, after: zone.storage.header.epoch)
        zone.storage = restored
    }

    private func texts(_ zone: Zone) -> Set<SyncValue> {
        Set(zone.storage.log.map(\.lost.value)).union(zone.storage.rows.values.map { $0.state["title"] })
    }

    @Test("Of two devices with one ID, which a restored server cannot tell apart, both edits are known")
    func clones() throws {
        var (zone, first, _) = try setUp()
        var clone = first
        first.set("title", of: "Book", to: .text("b"), at: 50)
        clone.set("title", of: "Book", to: .text("c"), at: 50)
        restore(zone.storage, &zone)
        try first.sync(&zone)
        try clone.sync(&zone)
        try first.sync(&zone)
        #expect(texts(zone).isSuperset(of: [.string("b"), .string("c")]))
        #expect(first.values("Book") == clone.values("Book"))
        #expect(first.ledger.digest == zone.storage.header.digest)
    }

    @Test(
        "A value that the server lost, and that loses to a later one now, is in the log once",
        arguments: [true, false])
    func lostLosers(hasForgotten: Bool) throws {
        var (zone, first, second) = try setUp()
        var third = second
        let backup = zone.storage
        first.set("title", of: "Book", to: .text("b"), at: 50)
        try first.sync(&zone)
        restore(backup, &zone)
        if hasForgotten {
            try zone.push(zone.insert("Book", 7, [:], by: 5, at: 20), by: 5)
            try zone.push([zone.change(7, "Book", .existence(2, seen: 9), by: 5, at: 21)], by: 5)
            try zone.server.forget(&zone.storage, changedBefore: zone.now + 1)
        }
        second.set("title", of: "Book", to: .text("c"), at: 60)
        try second.sync(&zone)
        try first.sync(&zone)
        try third.sync(&zone)
        #expect(zone.storage.log.filter { $0.lost.value == .string("b") }.count == 1)
        #expect(first.values("Book")?["title"] == .text("c"))
    }

    @Test("An object that was merged after the backup is not brought back empty, and references lead on")
    func mergedObjects() throws {
        var (zone, first, _) = try setUp()
        try zone.push(zone.insert("Tag", 5, ["name": .string("t")], by: 5, at: 2), by: 5)
        try first.sync(&zone)
        let backup = zone.storage
        try zone.push(zone.insert("Tag", 6, ["name": .string("t")], by: 6, at: 3), by: 6)
        try zone.push(zone.insert("Loan", 7, ["tag": .reference(Zone.id(6))], by: 6, at: 4), by: 6)
        try first.sync(&zone)
        #expect(zone.state(6)?.alias == Zone.id(5) && first.values("Loan")?["tag"] != nil)
        restore(backup, &zone)
        try first.sync(&zone)
        #expect(zone.state(6)?.alias == Zone.id(5))
        #expect(first.values("Tag") == ["name": .text("t")])
        #expect(first.values("Loan")?["tag"] == first.only("Tag").map { .object($0) })
        #expect(first.ledger.digest == zone.storage.header.digest)
        var second = Peer(2, of: zone)
        try second.sync(&zone)
        #expect(second.values("Loan")?["tag"] == second.only("Tag").map { .object($0) })
    }

    @Test("Objects that were merged after the backup, which has both, are merged again")
    func unmergedObjects() throws {
        var zone = try Zone(after: 100)
        try zone.push(zone.insert("Tag", 5, ["name": .string("t")], by: 5, at: 1), by: 5)
        let halves = zone.insert("Tag", 6, ["name": .string("t")], by: 6, at: 3)
        try zone.push([halves[0]], by: 6)
        let backup = zone.storage
        try zone.push([halves[1]], by: 6)
        var first = Peer(1, of: zone)
        try first.sync(&zone)
        #expect(zone.state(6)?.alias == Zone.id(5) && backup.row(.object(Zone.id(6)))?.state.isAlive == true)
        restore(backup, &zone)
        try first.sync(&zone)
        #expect(zone.state(6)?.alias == Zone.id(5))
        #expect(first.only("Tag") != nil && first.ledger.digest == zone.storage.header.digest)
    }

    @Test(
        "What was made and deleted after the backup stays deleted, though other devices have not heard of it")
    func deletionsAfterTheBackup() throws {
        var zone = try Zone(after: 100)
        var (first, second) = (Peer(1, of: zone), Peer(2, of: zone))
        first.edit(at: 1) { editor in
            _ = editor.insert("Tag")
            _ = editor.insert("Novel")
        }
        try first.sync(&zone)
        let backup = zone.storage
        let (tag, novel) = (try #require(first.only("Tag")), try #require(first.only("Novel")))
        let pair = SimStore.Pair(name: "Book.tags", first: novel, second: tag)
        first.edit(at: 2) { editor in
            _ = editor.insert("Library")
            editor.set(true, pair)
        }
        try first.sync(&zone)
        try second.sync(&zone)
        let library = try #require(first.only("Library"))
        first.edit(at: 3) { editor in
            editor.delete(library)
            editor.set(false, pair)
        }
        try first.sync(&zone)
        restore(backup, &zone)
        try first.sync(&zone)
        try second.sync(&zone)
        try first.sync(&zone)
        for peer in [first, second] {
            #expect(peer.only("Library") == nil && peer.store.pairs.isEmpty && peer.only("Tag") != nil)
            #expect(peer.ledger.digest == zone.storage.header.digest)
        }
    }

    @Test("Only a repeated union merges objects, and none into an object that is not there")
    func unions() throws {
        var zone = try Zone()
        try zone.push(zone.insert("Tag", 5, ["name": .string("t")], by: 5, at: 1), by: 5)
        try zone.push(zone.insert("Tag", 6, ["name": .string("u")], by: 5, at: 2), by: 5)
        func outcome(_ id: UInt64, into other: UInt64, isRelayed: Bool = true) throws -> Outcome {
            var change = zone.change(id, "Tag", .merged(into: Zone.id(other)), by: 6, at: 3)
            change.isRelayed = isRelayed
            return try zone.push([change], by: 6)[0]
        }
        let rejection = Outcome.rejected("objects are merged by their unique values")
        #expect(try outcome(6, into: 5, isRelayed: false) == rejection)
        #expect(try outcome(6, into: 4) == .gone)
        #expect(try outcome(6, into: 6) == .superseded)
        #expect(zone.isAlive(6))
        #expect(try outcome(6, into: 5) == .applied)
        #expect(try outcome(5, into: 6) == .superseded)
        #expect(zone.isAlive(5) && zone.state(6)?.alias == Zone.id(5))
    }

    @Test("An edit that lost is in the log though the server was restored before its device pulled")
    func unreadAnswers() throws {
        var (zone, first, second) = try setUp()
        let book = try #require(first.only("Book").flatMap { first.ledger.id(of: $0) })
        first.set("title", of: "Book", to: .text("b"), at: 60)
        try first.sync(&zone)
        let backup = zone.storage
        second.set("title", of: "Book", to: .text("c"), at: 50)
        var isPushed = false
        try second.sync(&zone) { effect, _ in
            if case .send(_, .push) = effect { isPushed = true }
            if case .send(_, .pull) = effect { return false }
            return true
        }
        #expect(isPushed && zone.storage.log.map(\.lost.value) == [.string("c")])
        #expect(second.ledger.header.unread.count == 1)
        restore(backup, &zone)
        try second.sync(&zone)
        #expect(zone.storage.log.filter { $0.lost.value == .string("c") }.count == 1)
        #expect(zone.storage.row(.object(book))?.state["title"] == .string("b"))
        #expect(second.ledger.header.unread.isEmpty)
    }

    @Test("An edit of an object that became another one, lost with the server before it was read, comes back")
    func adoptedEdits() throws {
        var zone = try Zone(after: 1000)
        var first = Peer(1, of: zone)
        try first.sync(&zone)
        try zone.push(
            zone.insert("Book", 5, ["isbn": .string("u"), "title": .string("a")], by: 5, at: 20), by: 5)
        let backup = zone.storage
        var isMade = false
        try first.sync(&zone) { effect, store in
            if case .send(_, .pull) = effect, !isMade {
                isMade = true
                store.save(Zone.start + 10) { editor in
                    let made = editor.insert("Book")
                    editor.set(.text("u"), "isbn", of: made)
                    editor.set(.text("b"), "title", of: made)
                }
                return true
            }
            if case .send(_, .pull) = effect { return false }
            return true
        }
        #expect(isMade && texts(zone).contains(.string("b")))
        restore(backup, &zone)
        try first.sync(&zone)
        #expect(texts(zone).isSuperset(of: [.string("a"), .string("b")]))
        #expect(first.only("Book") != nil && first.ledger.digest == zone.storage.header.digest)
    }

    @Test("A device that never read what it pushed knows that a restored server has lost it")
    func ownPushes() throws {
        var zone = try Zone(after: 100)
        try zone.push(zone.insert("Tag", 5, ["name": .string("t")], by: 5, at: 1), by: 5)
        var first = Peer(1, of: zone)
        first.edit(at: 1) { editor in editor.set(.text("a"), "title", of: editor.insert("Book")) }
        // The first page of the zone is the last thing that the device hears of.
        try first.sync(&zone) { effect, _ in
            if case .send(_, .pull) = effect { false } else { true }
        }
        #expect(first.entry("Book")?.sequence == zone.storage.header.sequence)
    }

    @Test("A comparison takes no values from a capture that was asked for before")
    func lateCaptures() throws {
        let zone = try Zone()
        var ledger = DictionaryLedger(replica: Zone.device(1))
        var machine = SyncMachine<DictionaryLedger>(
            schema: zone.storage.schema, random: SeededGenerator(1))
        let now = Moment(wall: zone.now, uptime: 0)
        func request(_ effects: [SyncEffect]) -> UInt64? {
            for case .capture(let request, _, _) in effects { return request }
            return nil
        }
        let first = try #require(request(machine.handle(.start, at: now, &ledger)))
        let second = try #require(request(machine.handle(.start, at: now, &ledger)))
        let capture = Capture(token: 1, isWhole: true, rows: [], deleted: [:])
        #expect(machine.handle(.captured(request: first, capture), at: now, &ledger).isEmpty)
        #expect(!machine.handle(.captured(request: second, capture), at: now, &ledger).isEmpty)
    }

    @Test(
        "An edit that brought an object back which the store had deleted is known after the server was restored"
    )
    func reviving() throws {
        var zone = try Zone(after: 100)
        var first = Peer(1, of: zone)
        first.edit(at: 1) { editor in editor.set(.text("a"), "note", of: editor.insert("Loan")) }
        try first.sync(&zone)
        var second = Peer(2, of: zone)
        try second.sync(&zone)
        let loan = try #require(second.only("Loan"))
        second.edit(at: 20) { $0.delete(loan) }
        try second.sync(&zone)
        let backup = zone.storage
        // The edit comes once the deletion was read, and the run ends when the edit was pushed.
        let own = try #require(first.only("Loan"))
        var (captures, isPushed) = (0, false)
        try first.sync(&zone) { effect, store in
            if case .capture = effect { captures += 1 }
            if captures == 2, case .capture = effect {
                store.save(Zone.start + 50) { $0.set(.text("b"), "note", of: own) }
            }
            if case .send(_, .push) = effect { isPushed = true }
            if case .send(_, .pull) = effect { return !isPushed }
            return true
        }
        #expect(isPushed && first.only("Loan") == nil)
        #expect(zone.storage.rows.values.contains { $0.state.isAlive && $0.state["note"] == .string("b") })
        restore(backup, &zone)
        try first.sync(&zone)
        #expect(zone.storage.rows.values.contains { $0.state.isAlive && $0.state["note"] == .string("b") })
        #expect(first.ledger.digest == zone.storage.header.digest)
    }
}
