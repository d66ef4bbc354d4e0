import CoreDataSQL
import CoreDataSQLite
import CoreDataSync
import CoreDataSyncCore
import Foundation
import Testing

@Suite("Ledgers on disk")
struct LedgerFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    private var url: URL { folder.appendingPathComponent("Library.sync.sqlite") }

    private func withFolder(_ body: () async throws -> Void) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body()
    }

    private func expectEqual(_ first: TrackedLedger, _ second: TrackedLedger) {
        #expect(first.header == second.header)
        #expect(first.pending.changes == second.pending.changes)
        #expect(first.inbox.items == second.inbox.items)
        #expect(first.issues == second.issues)
        #expect(first.issueNumbers == second.issueNumbers)
        #expect(first.keys == second.keys)
        #expect(first.keys.allSatisfy { first.entry($0) == second.entry($0) })
        #expect(first.digest == second.digest)
        for number in 0..<80 { #expect(first.id(of: "Book/p\(number)") == second.id(of: "Book/p\(number)")) }
    }

    @Test("A ledger that is released has closed its file, so that a copy of the folder is whole")
    func closing() async throws {
        try await withFolder {
            for seed in UInt64(1)...20 {
                var random = SeededGenerator(seed)
                var ledger = TrackedLedger(replica: SyncID(high: seed, low: 7))
                for _ in 0..<20 { change(&ledger, &random) }
                var file: LedgerFile? = try LedgerFile(at: url, isDurable: false)
                try await file?.write(ledger.takeWrites())
                file = nil
                let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                #expect(!files.contains { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") })
            }
        }
    }

    @Test("A ledger that is read back is the ledger that was written, whatever changed between two steps")
    func roundTrip() async throws {
        try await withFolder {
            for seed in UInt64(1)...6 {
                var random = SeededGenerator(seed)
                let url = folder.appendingPathComponent("\(seed).sync.sqlite")
                var ledger = TrackedLedger(replica: SyncID(high: seed, low: 7))
                var file: LedgerFile? = try LedgerFile(at: url, isDurable: false)
                for _ in 0..<12 {
                    for _ in 0..<random.below(20) { change(&ledger, &random) }
                    try await file!.write(ledger.takeWrites())
                    if random.chance(30) { _ = ledger.issueNumbers.first.map { ledger.acknowledge($0) } }
                }
                try await file!.write(ledger.takeWrites())
                file = nil
                let read = try await LedgerFile(at: url, isDurable: false).read()
                expectEqual(try #require(try TrackedLedger(reading: read)), ledger)
            }
        }
    }

    @Test("A ledger that was closed can be opened, also while a child process has its descriptors")
    func reopening() async throws {
        try await withFolder {
            var file: LedgerFile? = try LedgerFile(at: url, isDurable: false)
            let lock = url.appendingPathExtension("lock").resolvingSymlinksInPath().path
            // A descriptor of a child that was forked is a copy as these are.
            let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(
                Int32.init
            ).filter {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == lock
            }
            let copies = descriptors.map { dup($0) }
            defer { for copy in copies { close(copy) } }
            try #require(!copies.isEmpty)
            _ = file
            file = nil
            _ = try LedgerFile(at: url, isDurable: false)
        }
    }

    @Test("What a ledger's file does not take is written with the next event, and nothing is done before")
    func refusedWrites() async throws {
        let pair = try Pair()
        let device = pair.devices[0]
        try await pair.sync()
        try device.edit { _ = $0.insert("Book", ["title": "a"]) }
        let ledger = LedgerFile.url(beside: device.folder.appendingPathComponent("Library.sqlite"))
        let connection = try SQLiteConnection(path: ledger.path, access: .readWrite)
        defer { connection.close() }
        try connection.execute(
            "CREATE TRIGGER full BEFORE INSERT ON ZENTRY BEGIN SELECT RAISE(ABORT, 'full'); END")
        await #expect(throws: (any Error).self) { try await device.handle(.start) }
        try connection.execute("DROP TRIGGER full")
        // This event alone changes nothing of what was captured.
        _ = try await device.handle(.poke)
        // The process ends.
        try await device.open()
        #expect(device.engine!.pendingCount == 2)
        try await pair.sync()
        #expect(try pair.devices[1].texts("title", of: "Book") == ["a"])
    }

    @Test("Nothing is written when nothing has changed")
    func quiet() {
        var ledger = TrackedLedger(replica: SyncID(high: 1, low: 1))
        var random = SeededGenerator(3)
        for _ in 0..<50 { change(&ledger, &random) }
        #expect(!ledger.takeWrites().isEmpty)
        #expect(ledger.takeWrites().isEmpty)
    }

    @Test("A damaged ledger is an error, not an empty one")
    func damage() async throws {
        var ledger = TrackedLedger(replica: SyncID(high: 1, low: 1))
        var rows = ledger.takeWrites()
        rows.set([1, 2, 3], .part, LedgerPart.header.key)
        #expect(throws: WireError.self) { try TrackedLedger(reading: rows) }
        rows = ledger.takeWrites()
        #expect(try TrackedLedger(reading: rows) == nil)
    }

    // MARK: Random ledgers

    private func id(_ random: inout SeededGenerator) -> SyncID {
        SyncID(high: 1, low: UInt64(random.below(40)))
    }

    /// Returns one of the two names that an object may have in the store.
    private func local(_ id: SyncID, _ random: inout SeededGenerator) -> LocalKey {
        "Book/p\(id.low + (random.chance(20) ? 40 : 0))"
    }

    private func stamp(_ random: inout SeededGenerator) -> Stamp {
        Stamp(
            time: HybridTime(word: UInt64(random.below(1 << 30))),
            replica: SyncID(high: 9, low: UInt64(random.below(3))))
    }

    private func value(_ random: inout SeededGenerator) -> SyncValue {
        switch random.below(6) {
        case 0: .null
        case 1: .string("v\(random.below(100))")
        case 2: .integer(Int64(random.below(1000)) - 500)
        case 3: .reference(id(&random))
        case 4: .group(["a": .real(1.5), "b": .null])
        default: .data([1, 2, 3])
        }
    }

    private func entry(_ key: ItemKey, _ random: inout SeededGenerator) -> LedgerEntry {
        var entry = LedgerEntry(
            entity: "Book", existence: Existence(length: UInt32(random.below(4)), stamp: stamp(&random)),
            created: stamp(&random))
        if random.chance(20) { entry.alias = id(&random) }
        if random.chance(60) { entry.local = key.object.map { local($0, &random) } }
        entry.isShown = random.chance(50)
        entry.sequence = UInt64(random.below(1000))
        for name in ["title", "shelf", "copies"] where random.chance(60) {
            let value = value(&random)
            var register = LedgerRegister(stamp: stamp(&random), shown: value.stableHash)
            if random.chance(40) { register.kept = value }
            if name == "copies" {
                register.counter = Counter([
                    SyncID(high: 9, low: 1): .init(total: .integer(4), time: stamp(&random).time)
                ])
            }
            entry.registers[name] = register
        }
        if random.chance(20) { entry.held["title"] = value(&random) }
        return entry
    }

    private func change(_ ledger: inout TrackedLedger, _ random: inout SeededGenerator) {
        let key =
            random.chance(70)
            ? ItemKey.object(id(&random)) : .pair("Book.tags", id(&random), id(&random))
        switch random.below(12) {
        case 0...3: ledger.set(entry(key, &random), for: key)
        case 4: ledger.set(nil, for: key)
        case 5:
            let named = id(&random)
            ledger.name(local(named, &random), named)
        case 6, 7:
            let number = ledger.header.nextNumber
            ledger.header.nextNumber += 1
            let change = Change(
                number: number, item: key, entity: "Book", edit: .set("title", value(&random)),
                stamp: stamp(&random),
                base: stamp(&random), isRelayed: random.chance(10))
            let addition = random.chance(50) ? CounterAddition(.integer(3), before: nil) : nil
            ledger.pending.append(PendingChange(change, milliseconds: 5, addition: addition))
        case 8: ledger.header.frozen = ledger.pending.takeFirst(random.below(4))
        case 9:
            ledger.inbox[key] =
                random.chance(30)
                ? nil
                : InboxItem(
                    state: ItemState(
                        entity: "Book", existence: Existence(length: 1, stamp: stamp(&random)),
                        registers: ["title": .value(value(&random), stamp(&random))]),
                    isWhole: random.chance(50))
        case 10 where random.chance(30):
            // A push that is split, and the end of an import.
            ledger.pending = PendingChanges(ledger.header.frozen + ledger.pending.changes)
            ledger.header.frozen = []
            ledger.inbox.removeAll(except: [key])
        case 10: ledger.issues.append(random.chance(50) ? .diverged : .missingObjects(random.below(90)))
        default:
            ledger.header.token = UInt64(random.below(100))
            ledger.header.cursor = Cursor(complete: UInt64(random.below(100)))
            ledger.header.kept = [id(&random)]
            ledger.header.intent =
                random.chance(50)
                ? nil
                : ImportIntent(
                    batch: id(&random), entries: [key: random.chance(80) ? entry(key, &random) : nil],
                    created: [id(&random): "Book/p1"], kept: [id(&random)], parked: [id(&random)],
                    waiting: [key], cursor: Cursor(complete: 3), digest: 7)
            ledger[.position] = [UInt8(random.below(200))]
        }
    }
}
