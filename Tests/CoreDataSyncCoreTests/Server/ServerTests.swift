import CoreDataSyncCore
import Testing

@Suite("The server of a zone")
struct ServerTests {
    @Test("A push that comes again gets the same answer and changes nothing")
    func repeatedPush() throws {
        var zone = try Zone()
        let request = zone.push(of: zone.insert("Book", 1, ["title": .string("a")], by: 1, at: 1), by: 1)
        let answer = try zone.server.push(request, &zone.storage, milliseconds: zone.now)
        let header = zone.storage.header
        #expect(try zone.server.push(request, &zone.storage, milliseconds: zone.now + 5) == answer)
        #expect(zone.storage.header == header)
    }

    @Test("A second device with the ID of a first one is told so")
    func clone() throws {
        var zone = try Zone()
        let first = zone.push(of: zone.insert("Book", 1, [:], by: 1, at: 1), by: 1)
        let second = zone.push(of: zone.insert("Book", 2, [:], by: 1, at: 2), by: 1)
        _ = try zone.server.push(first, &zone.storage, milliseconds: zone.now)
        #expect(throws: Refusal.clone(isTaken: false)) {
            try zone.server.push(second, &zone.storage, milliseconds: zone.now)
        }
        #expect(zone.storage.rows.count == 1)
    }

    @Test("A stamp ahead of the server's clock is refused, with everything around it")
    func clockAhead() throws {
        var zone = try Zone()
        let changes = zone.insert("Book", 1, [:], by: 1, at: 1) + zone.insert("Book", 2, [:], by: 1, at: 6000)
        #expect(throws: Refusal.clockAhead) { try zone.push(changes, by: 1) }
        #expect(zone.storage.rows.isEmpty)
        zone.now += 1000
        #expect(try zone.push(changes, by: 1) == [.applied, .applied])
    }

    @Test("What the schema does not have is rejected one by one, with the reason")
    func rejections() throws {
        var zone = try Zone()
        let outcomes = try zone.push(
            [
                zone.change(1, "Planet", .existence(1, seen: 0), by: 1, at: 1),
                zone.change(2, "Book", .existence(1, seen: 0), by: 1, at: 1),
                zone.change(2, "Book", .set("color", .string("red")), by: 1, at: 1),
                zone.change(2, "Book", .set("title", .integer(1)), by: 1, at: 1),
                zone.change(2, "Book", .set("copies", .integer(1)), by: 1, at: 1),
                zone.change(3, "Book", .set("title", .string("a")), by: 1, at: 1),
            ], by: 1)
        #expect(
            outcomes == [
                .rejected("there is no entity Planet"), .applied, .rejected("Book has no property color"),
                .rejected("Book.title cannot have such a value"), .rejected("copies is a counter"), .gone,
            ])
    }

    @Test("The loser of two concurrent writes is in the log; one that was seen is not")
    func conflicts() throws {
        var zone = try Zone()
        try zone.push(zone.insert("Book", 1, ["title": .string("a")], by: 1, at: 1), by: 1)
        let base = zone.stamp(1, at: 1)
        try zone.push([zone.change(1, "Book", .set("title", .string("b")), by: 1, at: 5, base: base)], by: 1)
        #expect(zone.storage.log.isEmpty)
        let late = zone.change(1, "Book", .set("title", .string("c")), by: 2, at: 4, base: base)
        #expect(try zone.push([late], by: 2) == [.superseded])
        #expect(zone.storage.log.map(\.lost.value) == [.string("c")])
        try zone.push([zone.change(1, "Book", .set("title", .string("d")), by: 3, at: 6, base: base)], by: 3)
        #expect(zone.storage.log.map(\.lost.value) == [.string("c"), .string("b")])
        #expect(zone.state(1)?["title"] == .string("d"))
    }

    @Test("An edit that brings an object back and loses to a later one is in the log")
    func losingRevival() throws {
        var zone = try Zone()
        try zone.push(zone.insert("Loan", 1, ["note": .string("a")], by: 1, at: 1), by: 1)
        let base = zone.stamp(1, at: 1)
        try zone.push([zone.change(1, "Loan", .set("note", .string("b")), by: 1, at: 9, base: base)], by: 1)
        try zone.push([zone.change(1, "Loan", .existence(2, seen: 9), by: 1, at: 10)], by: 1)
        try zone.push([zone.change(1, "Loan", .set("note", .string("c")), by: 2, at: 5, base: base)], by: 2)
        #expect(zone.isAlive(1) && zone.state(1)?["note"] == .string("b"))
        #expect(zone.storage.log.map(\.lost.value).contains(.string("c")))
    }

    @Test("An edit of a deleted object takes no value out of the bin without a word")
    func binnedValues() throws {
        var zone = try Zone()
        try zone.push(zone.insert("Book", 1, ["title": .string("a")], by: 1, at: 1), by: 1)
        let base = zone.stamp(1, at: 1)
        try zone.push([zone.change(1, "Book", .set("title", .string("b")), by: 1, at: 2, base: base)], by: 1)
        try zone.push([zone.change(1, "Book", .existence(2, seen: 9), by: 1, at: 3)], by: 1)
        let edit = zone.change(1, "Book", .set("title", .string("c")), by: 2, at: 4, base: base)
        #expect(try zone.push([edit], by: 2) == [.superseded])
        let lost = Set(zone.storage.log.map(\.lost.value))
        #expect(lost.union([zone.state(1)!["title"]]) == [.string("b"), .string("c")])
    }

    @Test("A default that the model gives is no value that somebody loses")
    func defaults() throws {
        var zone = try Zone()
        try zone.push([zone.change(1, "Tag", .existence(1, seen: 0), by: 1, at: 1)], by: 1)
        #expect(zone.state(1)?["name"] == .string("?"))
        try zone.push([zone.change(1, "Tag", .set("name", .string("a")), by: 1, at: 1)], by: 1)
        #expect(zone.state(1)?["name"] == .string("a") && zone.storage.log.isEmpty)
    }

    @Test(
        "Pages of any size are together the state at the head, whatever is written between them",
        arguments: 1...4)
    func pages(limit: Int) throws {
        var zone = try Zone()
        for id in UInt64(1)...6 {
            try zone.push(zone.insert("Book", id, ["title": .string("a")], by: 1, at: id), by: 1)
        }
        var cursor = Cursor(complete: 0)
        var seen: [ItemKey: ItemState] = [:]
        var time: UInt64 = 100
        while true {
            let request = PullRequest(epoch: 1, cursor: cursor, limit: limit)
            let page = try zone.server.pull(request, zone.storage)
            for update in page.updates {
                let state = seen[update.item]?.merged(with: update.state) { _ in .latest } ?? update.state
                seen[update.item] = state
            }
            cursor = page.next
            if page.isComplete { break }
            if time < 104 {
                time += 1
                try zone.push(
                    [zone.change(time % 6 + 1, "Book", .set("isbn", .string("\(time)")), by: 2, at: time)],
                    by: 2)
            }
        }
        #expect(cursor == Cursor(complete: zone.storage.header.sequence))
        #expect(seen == zone.storage.rows.mapValues(\.state))
    }

    @Test("A cursor that has not seen what was forgotten is refused, a later one is not")
    func forgetting() throws {
        var zone = try Zone()
        try zone.push(
            zone.insert("Book", 1, [:], by: 1, at: 1) + zone.insert("Book", 2, [:], by: 1, at: 1), by: 1)
        try zone.push([zone.change(1, "Book", .existence(2, seen: 1), by: 1, at: 2)], by: 1)
        try zone.server.forget(&zone.storage, changedBefore: zone.now + 1)
        #expect(zone.state(1) == nil && zone.isAlive(2))
        #expect(throws: Refusal.forgotten) {
            try zone.server.pull(PullRequest(epoch: 1, cursor: Cursor(complete: 1), limit: 9), zone.storage)
        }
        let page = try zone.server.pull(
            PullRequest(epoch: 1, cursor: Cursor(complete: 2), limit: 9), zone.storage)
        #expect(page.isComplete && page.updates.isEmpty)
        let edit = zone.change(1, "Book", .set("title", .string("a")), by: 2, at: 3)
        #expect(try zone.push([edit], by: 2) == [.gone])
        #expect(zone.state(1) == nil)
    }

    @Test("An object that is repeated from before what was forgotten stays away, whatever a clock says")
    func repeatedCreation() throws {
        var zone = try Zone(after: 1000)
        try zone.push(zone.insert("Book", 1, [:], by: 1, at: 1), by: 1)
        try zone.push([zone.change(1, "Book", .existence(2, seen: 1), by: 1, at: 2)], by: 1)
        try zone.server.forget(&zone.storage, changedBefore: zone.now + 1)
        var old = zone.change(1, "Book", .existence(1, seen: 1), by: 2, at: 900)
        old.isRelayed = true
        #expect(try zone.push([old], by: 2) == [.gone])
        var new = zone.change(2, "Book", .existence(1, seen: 2), by: 2, at: 900)
        new.isRelayed = true
        #expect(try zone.push([new], by: 2) == [.applied])
    }

    @Test("What a copy of a device makes again stays away, unless its ID is made of values")
    func copiedCreation() throws {
        var zone = try Zone(after: 1000)
        let derived = SyncID(entity: "Tag", identity: [.string("t")])
        func making(_ id: SyncID, _ entity: String, by device: UInt64, at time: UInt64) -> [Change] {
            let stamp = zone.stamp(device, at: time)
            return [
                Change(
                    number: time, item: .object(id), entity: entity, edit: .existence(1, seen: 0),
                    stamp: stamp)
            ]
        }
        for (id, entity, time) in [(Zone.id(1), "Book", UInt64(1)), (derived, "Tag", 3)] {
            try zone.push(making(id, entity, by: 1, at: time), by: 1)
            try zone.deleteAndForget(id, entity, at: time + 1)
        }
        #expect(try zone.push(making(Zone.id(1), "Book", by: 2, at: 900), by: 2) == [.gone])
        #expect(try zone.push(making(derived, "Tag", by: 2, at: 901), by: 2) == [.applied])
        #expect(try zone.push(making(Zone.id(2), "Book", by: 2, at: 902), by: 2) == [.applied])
    }

    @Test("An object that was merged into a forgotten one is not made again under that one's ID")
    func forgottenSurvivor() throws {
        var zone = try Zone(after: 1000)
        try zone.push(zone.insert("Tag", 1, ["name": .string("t")], by: 1, at: 1), by: 1)
        try zone.push(zone.insert("Tag", 2, ["name": .string("t")], by: 2, at: 2), by: 2)
        try zone.push([zone.change(1, "Tag", .existence(2, seen: 9), by: 1, at: 3)], by: 1)
        try zone.server.forget(&zone.storage, changedBefore: zone.now + 1)
        var old = zone.change(2, "Tag", .existence(1, seen: 9), by: 2, at: 900)
        old.isRelayed = true
        #expect(try zone.push([old], by: 2) == [.gone])
        #expect(zone.state(1) == nil)
    }

    @Test("A reader that compares gets the items of differing buckets, and no others")
    func reconciling() throws {
        var zone = try Zone()
        for id in UInt64(1)...5 { try zone.push(zone.insert("Book", id, [:], by: 1, at: id), by: 1) }
        let old = zone.storage.header.digest
        try zone.push([zone.change(3, "Book", .set("title", .string("a")), by: 1, at: 9)], by: 1)
        let answer = try zone.server.reconcile(ReconcileRequest(epoch: 1, buckets: old.buckets), zone.storage)
        let bucket = ZoneDigest.bucket(of: .object(Zone.id(3)))
        #expect(answer.buckets == [bucket])
        #expect(answer.updates.map(\.item).contains(.object(Zone.id(3))))
        #expect(answer.updates.allSatisfy { ZoneDigest.bucket(of: $0.item) == bucket })
    }

    @Test(
        "A reader that compares in portions gets each item of differing buckets once", arguments: [1, 7, 40])
    func portions(limit: Int) throws {
        var zone = try Zone()
        for id in UInt64(1)...100 { try zone.push(zone.insert("Book", id, [:], by: 1, at: id), by: 1) }
        let old = [UInt64](repeating: 0, count: ZoneDigest.buckets)
        let whole = try zone.server.reconcile(ReconcileRequest(epoch: 1, buckets: old), zone.storage)
        var answers: [ReconcileAnswer] = []
        while answers.isEmpty || answers.last?.next != nil {
            let request = ReconcileRequest(
                epoch: 1, buckets: old, from: answers.last?.next ?? 0, limit: limit)
            answers.append(try zone.server.reconcile(request, zone.storage))
        }
        #expect(answers.count > 2)
        #expect(answers.flatMap(\.buckets) == whole.buckets)
        #expect(answers.flatMap(\.updates).map(\.item).sorted() == whole.updates.map(\.item).sorted())
    }

    @Test("A restored server begins another epoch, and tells it to everybody")
    func epochs() throws {
        var zone = try Zone()
        try zone.push(zone.insert("Book", 1, [:], by: 1, at: 1), by: 1)
        let request = PullRequest(epoch: 1, cursor: Cursor(complete: 0), limit: 9)
        zone.server.beginEpoch(&zone.storage, after: 1)
        #expect(throws: Refusal.epoch(2)) { try zone.server.pull(request, zone.storage) }
    }

    @Test("A reference that must be there cannot be taken away")
    func mandatoryReferences() throws {
        var zone = try Zone()
        try zone.push(
            zone.insert("Library", 1, ["name": .string("a")], by: 1, at: 1)
                + zone.insert("Shelf", 2, ["library": .reference(Zone.id(1))], by: 1, at: 2), by: 1)
        let outcomes = try zone.push(
            [
                zone.change(2, "Shelf", .set("library", .null), by: 2, at: 5),
                zone.change(2, "Shelf", .set("parent", .null), by: 2, at: 6),
            ], by: 2)
        #expect(outcomes == [.rejected("Shelf.library cannot have such a value"), .applied])
        #expect(zone.state(2)?["library"] == .reference(Zone.id(1)))
    }

    @Test("Two values that the server gave in one push have two stamps once their objects are merged")
    func decisionsOfOnePush() throws {
        var zone = try Zone(after: 100)
        for (id, name) in [(UInt64(1), "a"), (2, "b"), (3, "c")] {
            try zone.push(zone.insert("Tag", id, ["name": .string(name)], by: 1, at: id), by: 1)
        }
        let edits = [UInt64(2), 3].map {
            zone.change($0, "Tag", .set("name", .string("a")), by: 2, at: 10 + $0)
        }
        try zone.push(edits, by: 2)
        let before = try #require(zone.state(2)?.registers["name"])
        #expect(before.stamp == zone.state(3)?.registers["name"]?.stamp && before.value == .string("b"))
        var union = zone.change(3, "Tag", .merged(into: Zone.id(2)), by: 2, at: 20)
        union.isRelayed = true
        #expect(try zone.push([union], by: 2) == [.applied])
        let merged = try #require(zone.state(2)?.registers["name"])
        #expect(merged.value == .string("c") && merged.stamp > before.stamp)
        #expect(zone.storage.log.last?.lost.value == .string("b"))
    }

    @Test("A value of a merged object that loses to one of the same device is in the log")
    func ownLosers() throws {
        var zone = try Zone(after: 100)
        try zone.push(
            zone.insert("Book", 5, ["isbn": .string("u"), "title": .string("a")], by: 1, at: 5), by: 1)
        let base = zone.state(5)?.registers["title"]?.stamp
        try zone.push([zone.change(5, "Book", .set("title", .string("c")), by: 1, at: 60, base: base)], by: 1)
        // The other book comes in portions, and is merged before its title is there.
        let made = zone.insert("Book", 6, ["isbn": .string("u"), "title": .string("b")], by: 1, at: 20)
        try zone.push(Array(made.prefix(2)), by: 1)
        #expect(zone.state(6)?.alias == Zone.id(5) && zone.storage.log.isEmpty)
        #expect(try zone.push(Array(made.suffix(1)), by: 1) == [.superseded])
        #expect(zone.state(5)?["title"] == .string("c"))
        #expect(zone.storage.log.map(\.lost.value) == [.string("b")])
    }

    @Test("A value that loses to one that the same device gave to a merged object is in the log")
    func losersToMergedObjects() throws {
        var zone = try Zone(after: 100)
        try zone.push(zone.insert("Book", 5, ["isbn": .string("u")], by: 2, at: 5), by: 2)
        // The device edits a book that it has read, and makes one that turns out to be the same.
        let edit = zone.change(5, "Book", .set("title", .string("b")), by: 1, at: 20)
        let made = zone.insert("Book", 6, ["isbn": .string("u"), "title": .string("c")], by: 1, at: 30)
        try zone.push(made, by: 1)
        #expect(zone.state(6)?.alias == Zone.id(5) && zone.state(5)?["title"] == .string("c"))
        #expect(try zone.push([edit], by: 1) == [.superseded])
        #expect(zone.storage.log.map(\.lost.value) == [.string("b")])
    }
}
