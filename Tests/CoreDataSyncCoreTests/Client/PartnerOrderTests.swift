import CoreDataSyncCore
import Testing

@Suite("Ordered many-to-many relationships")
struct PartnerOrderTests {
    /// A zone with a library of three topics, and two devices that have it.
    private func setUp() throws -> (zone: Zone, first: Peer, second: Peer) {
        var zone = try Zone(after: 100)
        var first = Peer(1, of: zone)
        first.edit(at: 1) { editor in
            let library = editor.insert("Library")
            let tags = ["a", "b", "c"].map { name in
                let tag = editor.insert("Tag")
                editor.set(.text(name), "name", of: tag)
                return tag
            }
            for tag in tags {
                editor.set(true, SimStore.Pair(name: "Library.topics", first: library, second: tag))
            }
            editor.order([tags[2], tags[0], tags[1]], "topics", of: library)
        }
        try first.sync(&zone)
        var second = Peer(2, of: zone)
        try second.sync(&zone)
        return (zone, first, second)
    }

    private func topics(_ peer: Peer) -> [LocalKey] {
        peer.only("Library").flatMap { peer.store.rows[$0]?.lists["topics"] } ?? []
    }

    private func names(_ peer: Peer) -> [String] {
        topics(peer).map { key in
            if case .plain(.string(let name)) = peer.store.rows[key]?.values["name"] { name } else { "?" }
        }
    }

    private func move(_ peer: inout Peer, _ names: [String], at time: UInt64) {
        let members = names.compactMap { name in
            topics(peer).first { peer.store.rows[$0]?.values["name"] == .text(name) }
        }
        guard let library = peer.only("Library") else { return }
        peer.edit(at: time) { $0.order(members, "topics", of: library) }
    }

    @Test("The order goes from device to device, and a move writes one place")
    func moves() throws {
        var (zone, first, second) = try setUp()
        #expect(names(second) == ["c", "a", "b"])
        let before = zone.storage.rows
        move(&second, ["c", "b", "a"], at: 50)
        try second.sync(&zone)
        try first.sync(&zone)
        #expect(names(first) == ["c", "b", "a"])
        #expect(zone.storage.rows.count { before[$0.key] != $0.value } == 1)
        #expect(first.ledger.digest == zone.storage.header.digest)
    }

    @Test(
        "Of two moves at once all devices show one result, and both count where they moved different partners"
    )
    func concurrentMoves() throws {
        var (zone, first, second) = try setUp()
        move(&first, ["a", "b", "c"], at: 50)
        move(&second, ["b", "c", "a"], at: 51)
        try first.sync(&zone)
        try second.sync(&zone)
        try first.sync(&zone)
        #expect(names(first) == names(second) && Set(names(first)) == ["a", "b", "c"])
        #expect(names(first).firstIndex(of: "b")! < names(first).firstIndex(of: "c")!)
    }

    @Test("Both sides have an order of their own, and a partner that goes leaves the rest in place")
    func sides() throws {
        var (zone, first, second) = try setUp()
        let tag = topics(second)[0]
        second.edit(at: 50) { editor in
            let other = editor.insert("Library")
            editor.set(true, SimStore.Pair(name: "Library.topics", first: other, second: tag))
            let libraries = editor.store.rows[tag]?.lists["libraries"] ?? []
            editor.order(libraries.reversed(), "libraries", of: tag)
            editor.set(.text("other"), "name", of: other)
        }
        try second.sync(&zone)
        try first.sync(&zone)
        let shared = first.store.rows.first { $0.value.values["name"] == .text("c") }
        let libraries = shared?.value.lists["libraries"]?.map { first.store.rows[$0]?.values["name"] }
        #expect(libraries == [.text("other"), .text("")])
        second.edit(at: 60) { $0.delete(tag) }
        try second.sync(&zone)
        try first.sync(&zone)
        let lists = first.store.rows.values.filter { $0.entity == "Library" }.map { $0.lists["topics"] ?? [] }
        let left = lists.max { $0.count < $1.count }?.map { first.store.rows[$0]?.values["name"] }
        #expect(left == [.text("a"), .text("b")])
        #expect(first.ledger.digest == zone.storage.header.digest)
    }
}
