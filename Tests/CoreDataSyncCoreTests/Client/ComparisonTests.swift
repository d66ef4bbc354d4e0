import CoreDataSyncCore
import Testing

@Suite("Comparing a device with the server")
struct ComparisonTests {
    /// A zone whose digest is that of other rows, and a device that has read it.
    private func setUp() throws -> (Zone, Peer) {
        var (zone, first) = try Peer.withBook()
        try first.sync(&zone)
        let stray = ItemState(entity: "Book", existence: Existence(length: 1, stamp: zone.stamp(9, at: 1)))
        zone.storage.header.digest.toggle(.object(Zone.id(77)), stray)
        return (zone, first)
    }

    /// Wakes a device and returns how often it compares all that it has.
    private func count(_ peer: inout Peer, _ zone: inout Zone, after news: SyncEvent? = nil) throws -> Int {
        var count = 0
        try peer.wake(&zone, after: news) { effect, _ in
            if case .send(_, .reconcile) = effect { count += 1 }
            return true
        }
        return count
    }

    @Test("A difference that lasts is reported once, and compared again ever more rarely")
    func pauses() throws {
        var (zone, first) = try setUp()
        try first.sync(&zone)
        var last: UInt64 = 0
        var pauses: [UInt64] = []
        for _ in 0..<8 {
            let comparisons = try count(&first, &zone)
            guard comparisons > 0 else { continue }
            pauses.append(first.uptime - last)
            last = first.uptime
        }
        #expect(pauses == [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
        #expect(first.ledger.issues == [.diverged])
    }

    @Test("While a difference lasts, edits are pushed and news come at once, without a comparison")
    func traffic() throws {
        var (zone, first) = try setUp()
        try first.sync(&zone)
        first.set("title", of: "Book", to: .text("b"), at: 50)
        try zone.push(zone.insert("Tag", 1, ["name": .string("t")], by: 5, at: 20), by: 5)
        #expect(try count(&first, &zone, after: .localChange) == 0 && first.uptime < 1000)
        #expect(zone.storage.rows.values.contains { $0.state["title"] == .string("b") })
        #expect(first.values("Tag") == ["name": .text("t")])
    }

    @Test("A value that loses to one its device has seen is replaced by it without a comparison")
    func seenWinner() throws {
        var (zone, first) = try Peer.withBook()
        first.set("rating", of: "Book", to: .integer(9), at: 2)
        try first.sync(&zone)
        first.set("rating", of: "Book", to: .integer(4), at: 50)
        #expect(try count(&first, &zone, after: .localChange) == 0)
        #expect(first.values("Book")?["rating"] == .integer(9) && first.ledger.issues.isEmpty)
        #expect(first.ledger.digest == zone.storage.header.digest)
    }

    @Test("Once the server agrees again, the next difference is reported and compared at once")
    func mending() throws {
        var (zone, first) = try setUp()
        for _ in 0..<4 { try first.wake(&zone) }
        let stray = ItemState(entity: "Book", existence: Existence(length: 1, stamp: zone.stamp(9, at: 1)))
        zone.storage.header.digest.toggle(.object(Zone.id(77)), stray)
        try first.wake(&zone)
        #expect(first.ledger.issues == [.diverged] && !first.ledger.header.needsReconcile)
        zone.storage.header.digest.toggle(.object(Zone.id(77)), stray)
        #expect(try count(&first, &zone) == 1 && first.ledger.issues == [.diverged, .diverged])
    }
}
