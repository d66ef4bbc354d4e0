import CoreDataSQL
import CoreDataSyncCore
import CoreDataSyncServer
import Foundation
import Testing

/// A storage in a database beside the one in memory, which is the simplest that there can be.
@Suite("Zones in a database")
struct SQLZoneTests {
    static let name = ZoneName(owner: "anna", name: "Library")!

    private static func cases(_ kind: TestedDatabase) -> Int {
        ProcessInfo.processInfo.environment["CORE_DATA_TEST_CASES"].flatMap(Int.init)
            ?? (kind == .sqlite ? 25 : 4)
    }

    private static var firstSeed: UInt64 {
        ProcessInfo.processInfo.environment["CORE_DATA_TEST_SEED"].flatMap(UInt64.init) ?? 1
    }

    @Test(
        "The database answers random requests as the memory does, and has the same rows afterwards",
        arguments: TestedDatabase.all)
    func differential(_ kind: TestedDatabase) async throws {
        let schema = try TestModel.library.compiled()
        let server = ZoneServer(schema: schema, replica: SyncID(high: 9, low: 9))
        for seed in Self.firstSeed..<Self.firstSeed + UInt64(Self.cases(kind)) {
            let folder = try ServerFolder(kind)
            let database = try folder.database()
            defer { database.close() }
            let number = try await database.write { try ZoneDirectory($0).add(Self.name, at: 0, atMost: 1) }
            var memory = DictionaryStorage(schema: schema)
            var pushes = RandomPushes(seed)
            for step in 0..<40 {
                let request = Self.request(&pushes, memory.header)
                let now = pushes.now
                let expected = try server.answer(request, &memory, milliseconds: now)
                if case .push(let push) = request { pushes.read(expected, to: push) }
                let found = try await Self.answer(request, server, number, database, now)
                #expect(found == expected, "seed \(seed), step \(step)")
                if pushes.random.chance(5) {
                    let age = UInt64(pushes.random.below(20_000))
                    try server.forget(&memory, changedBefore: now - age)
                    try await Self.changing(number, server, database) {
                        try server.forget(&$0, changedBefore: now - age)
                    }
                }
                if pushes.random.chance(3) {
                    let lost = memory.header.epoch
                    server.beginEpoch(&memory, after: lost)
                    try await Self.changing(number, server, database) { server.beginEpoch(&$0, after: lost) }
                }
            }
            try await Self.compare(memory, number, server, database, seed)
        }
    }

    private static func request(_ pushes: inout RandomPushes, _ header: ZoneHeader) -> SyncRequest {
        let limit = 1 + pushes.random.below(30)
        switch pushes.random.below(10) {
        case 0:
            let complete = UInt64(pushes.random.below(Int(header.sequence) + 2))
            var cursor = Cursor(complete: complete)
            if pushes.random.chance(40) {
                cursor.sequence += UInt64(pushes.random.below(3))
                cursor.item = .object(SyncID(high: 3, low: UInt64(pushes.random.below(60))))
            }
            return .pull(PullRequest(epoch: header.epoch, cursor: cursor, limit: limit))
        case 1:
            let after = pushes.random.chance(50) ? nil : ItemKey.object(SyncID(high: 3, low: 20))
            return .snapshot(SnapshotRequest(epoch: header.epoch, after: after, limit: limit))
        case 2:
            var buckets = header.digest.buckets
            for _ in 0..<3 { buckets[pushes.random.below(256)] ^= 1 }
            return .reconcile(
                ReconcileRequest(epoch: UInt64(pushes.random.below(Int(header.epoch) + 1)), buckets: buckets))
        default: return .push(pushes.push(header))
        }
    }

    /// Answers as the service does.
    private static func answer(
        _ request: SyncRequest, _ server: ZoneServer, _ number: Int64, _ database: any ServerDatabase,
        _ now: UInt64
    ) async throws -> SyncResponse {
        try await database.write { connection in
            guard case .push(let push) = request else {
                var zone = try #require(try SQLZone(number, schema: server.schema, on: connection))
                return try server.answer(request, &zone, milliseconds: now)
            }
            return try SyncService.push(push, server, number, connection, now).response
        }
    }

    private static func changing(
        _ number: Int64, _ server: ZoneServer, _ database: any ServerDatabase,
        _ change: @escaping @Sendable (inout SQLZone) throws -> Void
    ) async throws {
        try await database.write { connection in
            var zone = try #require(try SQLZone(number, schema: server.schema, on: connection))
            try change(&zone)
            try zone.finish()
        }
    }

    private static func compare(
        _ memory: DictionaryStorage, _ number: Int64, _ server: ZoneServer, _ database: any ServerDatabase,
        _ seed: UInt64
    ) async throws {
        try await database.read { connection in
            let zone = try #require(try SQLZone(number, schema: server.schema, on: connection))
            #expect(zone.header == memory.header, "seed \(seed)")
            let rows = try zone.rows(after: nil, limit: .max)
            #expect(Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.row) }) == memory.rows)
            #expect(rows.map(\.key) == memory.rows.keys.sorted())
            #expect(try zone.log(behind: 0, through: .max) == memory.log)
            for (replica, row) in memory.devices { #expect(try zone.device(replica) == row) }
            for bucket in 0..<ZoneDigest.buckets {
                let buckets: Set = [bucket, 255 - bucket]
                #expect(
                    try zone.rows(inBuckets: buckets).map(\.key) == memory.rows(inBuckets: buckets).map(\.key)
                )
            }
            for key in memory.rows.keys {
                guard let id = key.object else { continue }
                #expect(try zone.referrers(of: id) == memory.referrers(of: id))
                #expect(try zone.pairs(of: id) == memory.pairs(of: id))
            }
            let entry = try #require(try ZoneDirectory(connection).entry(of: name))
            #expect(entry.items == memory.rows.count)
        }
    }

    @Test(
        "A push that the rules refuse leaves no row, no receipt and no number behind",
        arguments: TestedDatabase.all)
    func refusal(_ kind: TestedDatabase) async throws {
        let folder = try ServerFolder(kind)
        let database = try folder.database()
        defer { database.close() }
        let server = ZoneServer(schema: try TestModel.library.compiled(), replica: SyncID(high: 9, low: 9))
        let number = try await database.write { try ZoneDirectory($0).add(Self.name, at: 0, atMost: 1) }
        let large = String(repeating: "x", count: 600_000)
        let changes = ["title", "isbn"].enumerated().map { index, register in
            Change(
                number: UInt64(index), item: .object(SyncID(high: 3, low: 1)), entity: "Book",
                edit: .set(register, .string(large)),
                stamp: Stamp(time: HybridTime(milliseconds: 5), replica: SyncID(high: 2, low: 1)))
        }
        let made = Change(
            number: 9, item: .object(SyncID(high: 3, low: 1)), entity: "Book",
            edit: .existence(1, seen: 0), stamp: changes[0].stamp)
        let push = PushRequest(
            epoch: 1, replica: SyncID(high: 2, low: 1), previous: [], changes: [made] + changes)
        let response = try await Self.answer(.push(push), server, number, database, 10)
        guard case .refused(.invalid(let reason)) = response.answer else {
            Issue.record("an object above the limit was taken")
            return
        }
        #expect(reason.contains("1048576"))
        try await database.read { connection in
            let zone = try #require(try SQLZone(number, schema: server.schema, on: connection))
            #expect(zone.header == ZoneHeader())
            #expect(try zone.rows(after: nil, limit: 10).isEmpty)
            #expect(try zone.device(SyncID(high: 2, low: 1)) == nil)
        }
    }

    private struct Failure: Error {}

    @Test(
        "A transaction of a zone that throws leaves rows, indexes and sizes as they were",
        arguments: TestedDatabase.all)
    func undone(_ kind: TestedDatabase) async throws {
        let folder = try ServerFolder(kind)
        let database = try folder.database()
        defer { database.close() }
        let schema = try TestModel.library.compiled()
        let target = SyncID(high: 3, low: 9)
        try await database.write { connection in
            let number = try ZoneDirectory(connection).add(Self.name, at: 0, atMost: 1)
            var zone = try #require(try SQLZone(number, schema: schema, on: connection))
            let stamp = Stamp(time: HybridTime(milliseconds: 1), replica: SyncID(high: 2, low: 1))
            func row(_ register: String, _ value: SyncValue) -> ZoneRow {
                ZoneRow(
                    state: ItemState(
                        entity: "Book", existence: Existence(length: 1, stamp: stamp),
                        registers: [register: .value(value, stamp)]))
            }
            let (kept, undone) = (ItemKey.object(SyncID(high: 3, low: 1)), ItemKey.object(target))
            try zone.write(row("title", .string("before")), for: kept)
            #expect(throws: Failure.self) {
                try zone.transaction { zone in
                    try zone.write(row("shelf", .reference(target)), for: kept)
                    try zone.write(row("title", .string("new")), for: undone)
                    zone.header.sequence = 7
                    #expect(try zone.referrers(of: target).count == 1)
                    throw Failure()
                }
            }
            #expect(try zone.row(kept)?.state["title"] == .string("before"))
            #expect(try zone.row(undone) == nil && zone.header == ZoneHeader())
            #expect(try zone.referrers(of: target).isEmpty)
            try zone.finish()
            #expect(try ZoneDirectory(connection).entry(of: Self.name)?.items == 1)
        }
    }

    @Test("Keys as bytes are ordered as keys are, whatever bytes their names have")
    func orderedKeys() throws {
        let ids = [SyncID(high: 0, low: 0), SyncID(high: 0, low: .max), SyncID(high: .max, low: 1)]
        var keys: [ItemKey] = ids.map { .object($0) }
        for name in ["", "a", "a\0", "a\0b", "ab", "b", "é", "\u{FF}"] {
            for id in ids { keys += [.pair(name, id, ids[1]), .pair(name, ids[1], id)] }
        }
        for key in keys {
            #expect(ItemKey(ordered: key.ordered) == key)
            #expect(ItemKey(text: key.text) == key)
        }
        let byBytes = keys.sorted { $0.ordered.lexicographicallyPrecedes($1.ordered) }
        #expect(byBytes == keys.sorted())
        for bytes: [UInt8] in [[], [0], [2] + ids[0].bytes, [1, 0, 0], [0] + ids[0].bytes + [1]] {
            #expect(ItemKey(ordered: bytes) == nil)
        }
    }

    @Test("A page has as many rows as fit, and one at least", arguments: TestedDatabase.all)
    func pages(_ kind: TestedDatabase) async throws {
        let folder = try ServerFolder(kind)
        let database = try folder.database()
        defer { database.close() }
        let schema = try TestModel.library.compiled()
        let number = try await database.write { connection in
            let number = try ZoneDirectory(connection).add(Self.name, at: 0, atMost: 1)
            var zone = try #require(try SQLZone(number, schema: schema, on: connection))
            for index in 1...10 {
                let stamp = Stamp(time: HybridTime(milliseconds: 1), replica: SyncID(high: 2, low: 1))
                let text = Register.value(.string(String(repeating: "x", count: 1000)), stamp)
                let state = ItemState(
                    entity: "Book", existence: Existence(length: 1, stamp: stamp), registers: ["title": text])
                try zone.write(
                    ZoneRow(state: state, sequence: UInt64(index)),
                    for: .object(SyncID(high: 3, low: UInt64(index))))
            }
            zone.header.sequence = 10
            try zone.finish()
            return number
        }
        try await database.read { connection in
            let zone = try #require(try SQLZone(number, schema: schema, on: connection))
            #expect(try zone.pageSize(behind: 0, nil, limit: 5, bytes: 1 << 20) == 5)
            #expect(try zone.pageSize(behind: 0, nil, limit: 50, bytes: 1 << 20) == 50)
            #expect(try zone.pageSize(behind: 0, nil, limit: 50, bytes: 3500) == 3)
            #expect(try zone.pageSize(behind: 0, nil, limit: 50, bytes: 10) == 1)
            #expect(try zone.pageSize(after: .object(SyncID(high: 3, low: 8)), limit: 50, bytes: 1500) == 1)
        }
    }
}
