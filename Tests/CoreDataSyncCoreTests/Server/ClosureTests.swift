import CoreDataSyncCore
import Testing

@Suite("Rules that merging cannot keep")
struct ClosureTests {
    private func reference(_ id: UInt64) -> SyncValue { .reference(Zone.id(id)) }

    /// A library with a shelf.
    private func library() throws -> Zone {
        var zone = try Zone()
        try zone.push(
            zone.insert("Library", 1, ["name": .string("a")], by: 1, at: 1)
                + zone.insert("Shelf", 2, ["library": reference(1)], by: 1, at: 2), by: 1)
        return zone
    }

    @Test("An object goes with its owner, whichever of the two arrives first", arguments: [true, false])
    func orphans(deletesFirst: Bool) throws {
        var zone = try library()
        let deletion = zone.change(1, "Library", .existence(2, seen: 1), by: 1, at: 5)
        let shelf = zone.insert("Shelf", 3, ["library": reference(1)], by: 2, at: 6)
        if deletesFirst { try zone.push([deletion], by: 1) }
        try zone.push(shelf, by: 2)
        if !deletesFirst { try zone.push([deletion], by: 1) }
        #expect(!zone.isAlive(1) && !zone.isAlive(2) && !zone.isAlive(3))
        #expect(zone.reasons.filter { $0 == .orphan }.count == 2)
        // The bin has it with all its values.
        #expect(zone.state(3)?["library"] == reference(1))
    }

    @Test("A restored owner's members have their reference again")
    func restoredTarget() throws {
        var zone = try library()
        try zone.push(zone.insert("Book", 4, ["shelf": reference(2)], by: 1, at: 3), by: 1)
        try zone.push([zone.change(2, "Shelf", .existence(2, seen: 9), by: 1, at: 5)], by: 1)
        #expect(zone.isAlive(4))
        try zone.push([zone.change(2, "Shelf", .existence(3, seen: 9), by: 1, at: 6)], by: 1)
        #expect(zone.isAlive(2) && zone.state(4)?["shelf"] == reference(2))
    }

    @Test("A deletion is undone where a rule denies it, however late the reason arrives")
    func denies() throws {
        var zone = try Zone()
        try zone.push(zone.insert("Tag", 1, ["name": .string("a")], by: 1, at: 1), by: 1)
        try zone.push([zone.change(1, "Tag", .existence(2, seen: 1), by: 1, at: 2)], by: 1)
        try zone.push(zone.insert("Loan", 2, ["tag": reference(1)], by: 2, at: 3), by: 2)
        #expect(zone.isAlive(1) && zone.isAlive(2))
        #expect(zone.reasons == [.denied])
    }

    @Test("An edit that met a deletion is in the log with its value, and in the bin")
    func editOfDeleted() throws {
        var zone = try library()
        try zone.push([zone.change(1, "Library", .existence(2, seen: 1), by: 1, at: 5)], by: 1)
        let base = zone.stamp(1, at: 1)
        let edit = zone.change(1, "Library", .set("name", .string("b")), by: 2, at: 9, base: base)
        #expect(try zone.push([edit], by: 2) == [.superseded])
        #expect(zone.storage.log.last?.lost.value == .string("b"))
        #expect(zone.state(1)?["name"] == .string("b"))
    }

    @Test(
        "Where edits win, an edit brings a deleted object back, whichever arrives first",
        arguments: [true, false])
    func editsWin(editsFirst: Bool) throws {
        var zone = try Zone()
        try zone.push(zone.insert("Loan", 1, ["note": .string("a")], by: 1, at: 1), by: 1)
        let seen = zone.storage.header.sequence
        let edit = zone.change(
            1, "Loan", .set("note", .string("b")), by: 2, at: 3, base: zone.stamp(1, at: 1))
        let deletion = zone.change(1, "Loan", .existence(2, seen: seen), by: 1, at: 4)
        if editsFirst { try zone.push([edit], by: 2) }
        try zone.push([deletion], by: 1)
        if !editsFirst { try zone.push([edit], by: 2) }
        #expect(zone.isAlive(1))
        #expect(zone.state(1)?["note"] == .string("b"))
    }

    @Test("Two objects made with one unique value become one, with the later values, and references follow")
    func uniteMade() throws {
        var zone = try Zone()
        try zone.push(zone.insert("Tag", 1, ["name": .string("a")], by: 1, at: 5), by: 1)
        try zone.push(zone.insert("Tag", 2, ["name": .string("a")], by: 2, at: 3), by: 2)
        #expect(zone.isAlive(2) && zone.state(1)?.alias == Zone.id(2))
        // A device that has not heard of it refers to the other ID, and deletes by it.
        try zone.push(zone.insert("Loan", 3, ["tag": reference(1)], by: 1, at: 7), by: 1)
        let deletion = zone.change(1, "Tag", .existence(2, seen: 9), by: 1, at: 8)
        try zone.push([deletion], by: 1)
        #expect(zone.isAlive(2), "the loan denies it")
        let rename = zone.change(
            1, "Tag", .set("name", .string("b")), by: 1, at: 9, base: zone.stamp(2, at: 3))
        #expect(try zone.push([rename], by: 1) == [.alias(Zone.id(2))])
        #expect(zone.state(2)?["name"] == .string("b"))
    }

    @Test(
        "An edit that takes a unique value is taken back, or a mandatory text is numbered"
    )
    func uniqueEdits() throws {
        var zone = try Zone()
        for (id, name) in [(UInt64(1), "a"), (2, "b")] {
            try zone.push(zone.insert("Tag", id, ["name": .string(name)], by: 1, at: id), by: 1)
        }
        let rename = zone.change(
            2, "Tag", .set("name", .string("a")), by: 2, at: 9, base: zone.stamp(1, at: 2))
        try zone.push([rename], by: 2)
        #expect(zone.state(2)?["name"] == .string("b"))
        #expect(zone.storage.log.last?.lost.value == .string("a"))
        // The old name is taken in the same push.
        try zone.push(
            [
                zone.change(2, "Tag", .set("name", .string("a")), by: 2, at: 20, base: zone.stamp(1, at: 2))
            ] + zone.insert("Tag", 3, ["name": .string("b")], by: 2, at: 21), by: 2)
        #expect(Set([1, 2, 3].map { zone.state($0)!["name"] }).count == 3)
        #expect([1, 2, 3].allSatisfy(zone.isAlive))
    }

    @Test("A target of a one-to-one relationship keeps the latest owner")
    func exclusive() throws {
        var zone = try Zone()
        for id in UInt64(1)...3 { try zone.push(zone.insert("Book", id, [:], by: 1, at: id), by: 1) }
        try zone.push([zone.change(1, "Book", .set("prequel", reference(3)), by: 1, at: 8)], by: 1)
        try zone.push([zone.change(2, "Book", .set("prequel", reference(3)), by: 2, at: 7)], by: 2)
        #expect(zone.state(1)?["prequel"] == reference(3))
        #expect(zone.state(2)?["prequel"] == .null)
        #expect(zone.reasons == [.exclusive])
    }

    @Test("The latest reference of a cycle goes back to what it was")
    func cycles() throws {
        var zone = try library()
        for id in UInt64(3)...4 {
            try zone.push(zone.insert("Shelf", id, ["library": reference(1)], by: 1, at: id), by: 1)
        }
        try zone.push([zone.change(3, "Shelf", .set("parent", reference(2)), by: 1, at: 10)], by: 1)
        try zone.push([zone.change(4, "Shelf", .set("parent", reference(3)), by: 1, at: 11)], by: 1)
        try zone.push([zone.change(3, "Shelf", .set("parent", reference(4)), by: 2, at: 12)], by: 2)
        #expect(zone.state(3)?["parent"] == reference(2))
        #expect(zone.reasons.contains(.cycle))
    }

    @Test("Additions above the maximum are undone, the latest first")
    func maximum() throws {
        var zone = try library()
        for id in UInt64(10)...14 {
            try zone.push(zone.insert("Book", id, ["shelf": reference(2)], by: id, at: 30 - id), by: id)
        }
        #expect((10...14).map { zone.state($0)!["shelf"].isNull } == [true, false, false, false, false])
    }

    @Test("A removal below the minimum is undone")
    func minimum() throws {
        var model = TestModel.library
        let index = try #require(model.entities[1].properties.firstIndex { $0.name == "books" })
        model.entities[1].properties[index].kind = .relationship(
            .init(to: "Book", inverse: "shelf", isToMany: true, minimum: 1))
        var zone = try Zone(model)
        try zone.push(
            zone.insert("Library", 1, [:], by: 1, at: 1)
                + zone.insert("Shelf", 2, ["library": reference(1)], by: 1, at: 1)
                + zone.insert("Book", 3, ["shelf": reference(2)], by: 1, at: 1), by: 1)
        try zone.push(
            [zone.change(3, "Book", .set("shelf", .null), by: 1, at: 2, base: zone.stamp(1, at: 1))], by: 1)
        #expect(zone.state(3)?["shelf"] == reference(2))
        try zone.push([zone.change(3, "Book", .existence(2, seen: 9), by: 1, at: 3)], by: 1)
        #expect(zone.isAlive(3))
    }

    @Test("A mandatory attribute that was never written has its default, and loses to any write")
    func defaults() throws {
        var zone = try Zone()
        try zone.push([zone.change(1, "Tag", .existence(1, seen: 0), by: 1, at: 5)], by: 1)
        #expect(zone.state(1)?["name"] == .string("?"))
        try zone.push([zone.change(1, "Tag", .set("name", .string("a")), by: 1, at: 5)], by: 1)
        #expect(zone.state(1)?["name"] == .string("a"))
    }

    /// Returns two keys side by side, one of them so long that the server writes both anew.
    private func longKeys() -> [OrderKey] {
        let replica = Zone.device(1)
        var (low, high) = (
            OrderKey.between(nil, and: nil, by: replica), OrderKey.between(nil, and: nil, by: Zone.device(2))
        )
        while high.bytes.count <= OrderKey.longest {
            high = OrderKey.between(low, and: high, by: replica)
            low = OrderKey.between(low, and: high, by: replica)
        }
        return [low, high]
    }

    @Test("Long order keys of partners are written anew on their side alone, in the same order")
    func longPartnerKeys() throws {
        var zone = try library()
        var changes: [Change] = []
        var pairs: [ItemKey] = []
        for (index, key) in longKeys().enumerated() {
            let tag = UInt64(30 - index)
            changes += zone.insert("Tag", tag, ["name": .string("\(index)")], by: 1, at: 40)
            pairs.append(.pair("Library.topics", Zone.id(1), Zone.id(tag)))
            let here = SyncValue.position(owner: Zone.id(1), key: key)
            let there = SyncValue.position(
                owner: Zone.id(tag), key: OrderKey.between(nil, and: nil, by: Zone.id(7)))
            for edit in [
                Change.Edit.set("present", .boolean(true)), .set("first", here), .set("second", there),
            ] {
                var change = zone.change(1, "Library.topics", edit, by: 1, at: 41)
                change.item = pairs[index]
                changes.append(change)
            }
        }
        try zone.push(changes, by: 1)
        let states = pairs.compactMap { zone.storage.row($0)?.state }
        #expect(states.count == 2 && states[0]["first"] < states[1]["first"])
        for case .position(_, let key) in states.map({ $0["first"] }) { #expect(key.bytes.count < 8) }
        #expect(states.allSatisfy { $0.registers["second"]?.stamp.replica == Zone.device(1) })
    }

    @Test("Long order keys are written anew for the whole owner, in the same order")
    func longMemberKeys() throws {
        var zone = try library()
        let keys = longKeys()
        let books = keys.enumerated().flatMap { index, key in
            let place = SyncValue.position(owner: Zone.id(2), key: key)
            let values = ["shelf": reference(2), "shelf#": place]
            return zone.insert("Book", UInt64(20 + index), values, by: 1, at: 50 - UInt64(index))
        }
        try zone.push(books, by: 1)
        let places = (20...21).map { zone.state($0)!["shelf#"] }
        #expect(places[0] < places[1])
        for case .position(_, let key) in places { #expect(key.bytes.count < 8) }
    }

    @Test("A push that takes too many steps is refused whole")
    func steps() throws {
        var zone = try Zone()
        var server = zone.server
        server.limits.steps = 5
        let changes = (1...9).flatMap { zone.insert("Book", UInt64($0), [:], by: 1, at: 1) }
        let request = zone.push(of: changes, by: 1)
        #expect(throws: Refusal.tooManySteps("the rules of Book")) {
            try server.push(request, &zone.storage, milliseconds: zone.now)
        }
        #expect(zone.storage.rows.isEmpty && zone.storage.header.sequence == 0)
        #expect(zone.storage.header == ZoneHeader() && zone.storage.devices.isEmpty)
        #expect(zone.storage.rows(after: nil, limit: 9).isEmpty)
        #expect(zone.storage.rows(behind: 0, nil, limit: 9).isEmpty)
    }
}
