import CoreDataSyncCore
import CoreDataValues
import Testing

@Suite("Identities on the server")
struct IdentityTests {
    /// Returns the changes that make a label, under the ID of its identity or another one.
    private func label(
        _ id: SyncID, _ text: String, _ color: String, uses: Int64, by device: UInt64, at time: UInt64,
        _ zone: Zone
    ) -> [Change] {
        let edits: [Change.Edit] = [
            .existence(1, seen: 0), .set("text", .string(text)), .set("color", .string(color)),
            .count("uses", .integer(uses)),
        ]
        return edits.enumerated().map { index, edit in
            Change(
                number: UInt64(index) + time, item: .object(id), entity: "Label", edit: edit,
                stamp: zone.stamp(device, at: time))
        }
    }

    private static let identity = SyncID(entity: "Label", identity: [.string("x")])

    @Test(
        "Of two objects that were made with one identity the one that has its ID stays, with what both have",
        arguments: [true, false])
    func union(isFirst: Bool) throws {
        var zone = try Zone(after: 1000)
        let other = Zone.id(4)
        let first = label(isFirst ? Self.identity : other, "x", "red", uses: 2, by: 1, at: 10, zone)
        let second = label(isFirst ? other : Self.identity, "x", "blue", uses: 3, by: 2, at: 20, zone)
        try zone.push(first, by: 1)
        try zone.push(second, by: 2)
        let state = try #require(zone.storage.row(.object(Self.identity))?.state)
        #expect(state.isAlive && state["color"] == .string("blue") && state["uses"] == .integer(5))
        #expect(zone.storage.row(.object(other))?.state.alias == Self.identity)
        #expect(zone.storage.log.map(\.lost.value) == [.string("red")])
    }

    @Test("An edit that gives an object the identity of another one merges nothing, and is not taken back")
    func edit() throws {
        var zone = try Zone(after: 1000)
        try zone.push(label(Self.identity, "x", "red", uses: 2, by: 1, at: 10, zone), by: 1)
        try zone.push(label(Zone.id(4), "y", "blue", uses: 3, by: 2, at: 20, zone), by: 2)
        let edit = zone.change(
            4, "Label", .set("text", .string("x")), by: 2, at: 30, base: zone.stamp(2, at: 20))
        #expect(try zone.push([edit], by: 2) == [.applied])
        #expect(zone.state(4)?["text"] == .string("x") && zone.isAlive(4))
        #expect(zone.storage.row(.object(Self.identity))?.state["color"] == .string("red"))
    }

    @Test("A device names an object by its identity under the ID that the identity's object has by now")
    func alias() throws {
        let model = SyncModel(entities: [
            SyncModel.Entity(
                "Label",
                properties: [
                    .init("text", .attribute(.string, default: .null)),
                    .init("code", .attribute(.string, default: .null)),
                ], unique: [["code"]], userInfo: ["SyncIdentity": "text"])
        ])
        var zone = try Zone(model, after: 1000)
        var (first, second) = (Peer(1, of: zone), Peer(2, of: zone))
        for (number, text) in ["x", "y"].enumerated() {
            first.edit(at: UInt64(number) + 1) { editor in
                let label = editor.insert("Label")
                editor.set(.text(text), "text", of: label)
                if number == 1 { editor.set(.text("c"), "code", of: label) }
            }
        }
        try first.sync(&zone)
        // The second device makes another label with the code of "y", before "y" was made: they become "z".
        second.edit(at: 0) { editor in
            let label = editor.insert("Label")
            editor.set(.text("z"), "text", of: label)
            editor.set(.text("c"), "code", of: label)
        }
        try second.sync(&zone)
        try first.sync(&zone)
        let ids = ["x", "y", "z"].map { SyncID(entity: "Label", identity: [.string($0)]) }
        let merged = try #require(ids.first { zone.storage.row(.object($0))?.state.alias != nil })
        // A third device makes the merged one once more.
        let text = merged == ids[1] ? "y" : "z"
        var third = Peer(3, of: zone)
        try third.sync(&zone)
        third.edit(at: 90) { editor in
            editor.set(.text(text), "text", of: editor.insert("Label"))
        }
        try third.sync(&zone)
        try second.sync(&zone)
        #expect(third.ledger.digest == zone.storage.header.digest)
        #expect(second.ledger.digest == zone.storage.header.digest)
        #expect(third.store.rows.count == second.store.rows.count)
    }

    @Test("An object that another device has sent under its identity is deleted for all, sent or not")
    func deletedUnsent() throws {
        var zone = try Zone(after: 1000)
        var (first, second) = (Peer(1, of: zone), Peer(2, of: zone))
        first.edit(at: 1) { editor in editor.set(.text("x"), "text", of: editor.insert("Label")) }
        try first.sync(&zone)
        // The second one makes it while the first one's is on its way, and has a book to send first.
        second.settings.pushLimit = 1
        var isMade = false
        try second.sync(&zone) { effect, store in
            if case .send(_, .snapshot) = effect, !isMade {
                isMade = true
                store.save(Zone.start + 10) { editor in
                    _ = editor.insert("Book")
                    editor.set(.text("x"), "text", of: editor.insert("Label"))
                }
            }
            if case .send(_, .push) = effect { return false }
            return true
        }
        let label = try #require(second.only("Label"))
        #expect(isMade && !second.ledger.pending.isEmpty)
        second.edit(at: 20) { $0.delete(label) }
        try second.sync(&zone)
        try first.sync(&zone)
        #expect(zone.storage.row(.object(Self.identity))?.state.isAlive == false)
        for device in [first, second] {
            #expect(device.only("Label") == nil && device.only("Book") != nil)
            #expect(device.ledger.digest == zone.storage.header.digest)
        }
    }

    @Test("What refers to a deleted object refers to it again once the app has made its identity again")
    func madeAgain() throws {
        var zone = try Zone(after: 1000)
        var (first, second) = (Peer(1, of: zone), Peer(2, of: zone))
        first.edit(at: 1) { editor in
            let label = editor.insert("Label")
            editor.set(.text("x"), "text", of: label)
            editor.set(.object(label), "label", of: editor.insert("Loan"))
        }
        try first.sync(&zone)
        let label = try #require(first.only("Label"))
        first.edit(at: 10) { $0.delete(label) }
        try first.sync(&zone)
        try second.sync(&zone)
        first.edit(at: 20) { editor in editor.set(.text("x"), "text", of: editor.insert("Label")) }
        try first.sync(&zone)
        try second.sync(&zone)
        for device in [first, second] {
            let label = try #require(device.only("Label"))
            #expect(device.values("Loan") == ["label": .object(label)])
            #expect(device.ledger.digest == zone.storage.header.digest)
        }
    }
}
