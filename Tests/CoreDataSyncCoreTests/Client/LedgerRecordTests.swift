import CoreDataSyncCore
import Testing

@Suite("Records of a ledger")
struct LedgerRecordTests {
    private let stamp = Stamp(time: HybridTime(word: 77), replica: SyncID(high: 1, low: 2))

    private func expectRoundTrip<Record: LedgerRecord & Equatable>(_ record: Record) throws {
        #expect(try Record(bytes: record.bytes) == record)
    }

    @Test("Issues of all kinds are read as they were written")
    func issues() throws {
        let key = ItemKey.object(SyncID(high: 3, low: 4))
        let change = Change(number: 5, item: key, entity: "Book", edit: .existence(2, seen: 9), stamp: stamp)
        let lost = LostValue(
            item: key, entity: "Book", register: "title", value: .string("a"), stamp: stamp, winner: .never,
            reason: .orphan)
        let issues: [SyncIssue] = [
            .lost(lost), .asked(lost), .rejected(change, "why"), .gone(change), .diverged, .missingObjects(3),
            .parked(SyncID(high: 1, low: 2), entity: "Book", reason: "why"), .unknownObjects(2),
        ]
        try expectRoundTrip(issues)
    }

    @Test("An import that has begun is read as it was written")
    func intents() throws {
        let (id, other) = (SyncID(high: 3, low: 4), SyncID(high: 5, low: 6))
        let entry = LedgerEntry(entity: "Book", existence: Existence(length: 1, stamp: stamp))
        try expectRoundTrip(
            ImportIntent(
                batch: id, entries: [.object(id): entry, .object(other): nil], created: [id: "Book/p1"],
                kept: [id], parked: [other], waiting: [.object(other), .pair("tags", id, other)],
                cursor: Cursor(complete: 3), digest: 7))
    }

    @Test("An entry distinguishes a value that is null from none")
    func keptNull() throws {
        var entry = LedgerEntry(entity: "Book", existence: Existence(length: 1, stamp: stamp))
        entry.registers["shelf"] = LedgerRegister(stamp: stamp, shown: 1, kept: .null)
        entry.registers["title"] = LedgerRegister(stamp: .never, shown: .max)
        try expectRoundTrip(entry)
    }

    @Test("An object of ten properties takes at most 400 bytes")
    func size() {
        var entry = LedgerEntry(entity: "Book", existence: Existence(length: 1, stamp: stamp))
        entry.local = "Book/p1000000"
        for index in 0..<10 {
            entry.registers["property\(index)"] = LedgerRegister(stamp: stamp, shown: .max / 3)
        }
        #expect(entry.bytes.count <= 400)
    }

    @Test("Damaged records are errors")
    func damage() throws {
        let bytes = LedgerEntry(entity: "Book", existence: Existence(length: 1, stamp: stamp)).bytes
        for index in bytes.indices {
            #expect(throws: WireError.self) { try LedgerEntry(bytes: Array(bytes[..<index])) }
        }
    }
}
