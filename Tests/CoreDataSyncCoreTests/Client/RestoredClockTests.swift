import CoreDataSyncCore
import Testing

@Suite("Clocks of restored servers")
struct RestoredClockTests {
    private static let hour: UInt64 = 3_600_000

    private func restore(_ backup: DictionaryStorage, _ zone: inout Zone) {
        var restored = backup
        zone.server.beginEpoch(&restored, after: zone.storage.header.epoch)
        zone.storage = restored
    }

    @Test("What a server lost comes back though it was restored where the clock is behind, and edits go on")
    func clockBehind() throws {
        var (zone, first) = try Peer.withBook()
        try first.sync(&zone)
        var second = Peer(2, of: zone)
        try second.sync(&zone)
        let backup = zone.storage
        first.set("title", of: "Book", to: .text("b"), at: 50)
        first.set("copies", of: "Book", to: .integer(3), at: 51)
        try first.sync(&zone)
        try second.sync(&zone)
        second.set("copies", of: "Book", to: .integer(7), at: 60)
        try second.sync(&zone)
        restore(backup, &zone)
        zone.now -= Self.hour
        try first.sync(&zone)
        try second.sync(&zone)
        try first.sync(&zone)
        let lost = (first.ledger.issues + second.ledger.issues).map { issue -> SyncValue? in
            if case .lost(let lost) = issue { lost.value } else { nil }
        }
        #expect(lost.allSatisfy { $0 == .string("a") })
        #expect(first.values("Book") == ["title": .text("b"), "copies": .integer(7)])
        second.set("title", of: "Book", to: .text("c"), at: 1)
        try second.sync(&zone)
        try first.sync(&zone)
        #expect(first.values("Book") == ["title": .text("c"), "copies": .integer(7)])
        #expect(first.ledger.digest == zone.storage.header.digest)
    }

    @Test("What a restored server decides has another stamp than what it decided at the same time before")
    func decisions() throws {
        var zone = try Zone(after: 100)
        for (id, name) in [(UInt64(1), "a"), (2, "b")] {
            try zone.push(zone.insert("Tag", id, ["name": .string(name)], by: 1, at: id), by: 1)
        }
        let backup = zone.storage
        func decision(after device: UInt64) throws -> Stamp? {
            let edit = zone.change(2, "Tag", .set("name", .string("a")), by: device, at: 10)
            try zone.push([edit], by: device)
            #expect(zone.state(2)?["name"] == .string("b"))
            return zone.state(2)?.registers["name"]?.stamp
        }
        let before = try #require(try decision(after: 2))
        restore(backup, &zone)
        let after = try #require(try decision(after: 3))
        #expect(before.time == after.time && before != after)
    }

    @Test("What was added to a counter by a clock that ran ahead, and sent before a restore, counts once")
    func clockAhead() throws {
        var (zone, first) = try Peer.withBook()
        first.set("copies", of: "Book", to: .integer(2), at: 2)
        try first.sync(&zone)
        first.set("copies", of: "Book", to: .integer(5), at: Self.hour)
        try first.sync(&zone) { effect, _ in
            // The push that is on its way does not arrive.
            if case .send(_, .push) = effect { false } else { true }
        }
        first.set("copies", of: "Book", to: .integer(6), at: Self.hour + 1)
        restore(zone.storage, &zone)
        try first.sync(&zone)
        try first.sync(&zone)
        #expect(first.ledger.issues.isEmpty)
        #expect(first.values("Book")?["copies"] == .integer(6))
        #expect(zone.storage.rows.values.first?.state["copies"] == .integer(6))
        #expect(first.ledger.digest == zone.storage.header.digest)
    }

    @Test("What was added to a counter and waits while a server is restored twice counts once")
    func twoRestores() throws {
        var (zone, first) = try Peer.withBook()
        try first.sync(&zone)
        var second = Peer(2, of: zone)
        try second.sync(&zone)
        first.settings.pushLimit = 1
        first.set("title", of: "Book", to: .text("b"), at: 50)
        first.set("copies", of: "Book", to: .integer(2), at: 51)
        second.set("rating", of: "Book", to: .integer(5), at: 90)
        try second.sync(&zone)
        restore(zone.storage, &zone)
        // The comparison tells the device of a later time than that of the addition.
        var pushes = 0
        try first.sync(&zone) { effect, _ in
            if case .send(_, .push) = effect { pushes += 1 }
            return pushes < 2
        }
        #expect(pushes == 2 && first.ledger.pending.changes.count == 1)
        restore(zone.storage, &zone)
        try first.sync(&zone)
        #expect(first.values("Book")?["copies"] == .integer(2))
        #expect(zone.storage.rows.values.first?.state["copies"] == .integer(2))
        #expect(first.ledger.digest == zone.storage.header.digest)
    }

    @Test("A server follows the time that a device has received, a year ahead of its own clock at most")
    func received() throws {
        var zone = try Zone()
        let day = 24 * Self.hour
        func push(after milliseconds: UInt64, by device: UInt64, received: UInt64) throws -> [Outcome] {
            var push = zone.push(
                of: zone.insert("Book", device, [:], by: device, at: milliseconds), by: device)
            push.received = HybridTime(milliseconds: Zone.start + received)
            return try zone.server.push(push, &zone.storage, milliseconds: zone.now).outcomes
        }
        #expect(throws: Refusal.clockAhead) { try push(after: day, by: 1, received: 0) }
        #expect(try push(after: day, by: 1, received: day) == [.applied])
        #expect(try push(after: day + 1, by: 2, received: 0) == [.applied])
        #expect(throws: Refusal.clockAhead) { try push(after: 800 * day, by: 3, received: 800 * day) }
        #expect(zone.storage.header.clock.last < HybridTime(milliseconds: Zone.start + 2 * day))
    }

    @Test("A push is the same one whatever its device has received before it was repeated")
    func repeatedPush() throws {
        var zone = try Zone()
        var push = zone.push(of: zone.insert("Book", 1, [:], by: 1, at: 1), by: 1)
        let answer = try zone.server.push(push, &zone.storage, milliseconds: zone.now)
        push.received = HybridTime(milliseconds: Zone.start + 5)
        #expect(try zone.server.push(push, &zone.storage, milliseconds: zone.now) == answer)
    }

    @Test("A device whose clock stays ahead of the server's pauses before it sends an edit a third time")
    func pauses() throws {
        let zone = try Zone()
        var ledger = DictionaryLedger(replica: Zone.device(1))
        var machine = SyncMachine<DictionaryLedger>(
            schema: zone.storage.schema, random: SeededGenerator(1))
        let now = Moment(wall: zone.now, uptime: 7)
        func token(_ effects: [SyncEffect]) -> UInt64? {
            for case .send(let token, .push) in effects { return token }
            return nil
        }
        let start = machine.handle(.start, at: now, &ledger)
        guard case .capture(let request, _, _)? = start.last else {
            Issue.record("nothing is captured")
            return
        }
        let row = CapturedRow(local: "r1", entity: "Book", milliseconds: zone.now, values: [:])
        let capture = Capture(token: 1, isWhole: true, rows: [row], deleted: [:])
        let refusal = SyncResponse(.refused(.clockAhead), milliseconds: zone.now)
        let first = token(machine.handle(.captured(request: request, capture), at: now, &ledger))
        let second = token(machine.handle(.response(token: try #require(first), refusal), at: now, &ledger))
        let third = machine.handle(.response(token: try #require(second), refusal), at: now, &ledger)
        #expect(third == [.wake(at: 1007)] && machine.deadline == 1007)
        #expect(ledger.pending.changes.count == 1)
    }
}
