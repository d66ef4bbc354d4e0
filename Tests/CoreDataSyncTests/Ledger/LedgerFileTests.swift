import CoreData
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
        #expect(first.pending.count == second.pending.count)
        #expect(first.inbox.items == second.inbox.items)
        #expect(first.issues == second.issues)
        #expect(first.issueNumbers == second.issueNumbers)
        #expect(Array(first.keys) == Array(second.keys))
        #expect(first.keys.allSatisfy { first.entry($0) == second.entry($0) })
        for number in UInt64(0)..<40 {
            let id = SyncID(high: 1, low: number)
            #expect(first.referrers(of: id) == second.referrers(of: id))
            #expect(first.pairs(of: id) == second.pairs(of: id))
            let key = ItemKey.object(id)
            #expect(first.pending[key, "title"] == second.pending[key, "title"])
            #expect(first.pending.changes(of: key) == second.pending.changes(of: key))
        }
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
                file = try LedgerFile(at: url, isDurable: false)
                expectEqual(try #require(try TrackedLedger(reading: try await file!.read())), ledger)
                expectEqual(try #require(try await TrackedLedger(in: file!)), ledger)
            }
        }
    }

    @Test("A ledger that reads entries when they are asked for answers as one that has all in memory")
    func entriesOnDisk() async throws {
        try await withFolder {
            for seed in UInt64(1)...6 {
                var random = SeededGenerator(seed)
                let file = try LedgerFile(
                    at: folder.appendingPathComponent("\(seed).sync.sqlite"), isDurable: false)
                let replica = SyncID(high: seed, low: 7)
                var (ledger, whole) = (
                    TrackedLedger(replica: replica, in: file), TrackedLedger(replica: replica)
                )
                var unwritten = LedgerRows()
                for _ in 0..<12 {
                    for _ in 0..<random.below(20) {
                        var same = random
                        change(&whole, &same)
                        change(&ledger, &random)
                        #expect(random.next() == same.next())
                    }
                    expectEqual(ledger, whole)
                    _ = whole.takeWrites()
                    // Some writes are of several steps, as where the file took nothing before.
                    unwritten.add(ledger.takeWrites())
                    if random.chance(30) { continue }
                    try await file.write(unwritten)
                    unwritten = LedgerRows()
                    ledger.forgetWritten()
                    expectEqual(ledger, whole)
                }
                #expect(ledger.takeFailure() == nil)
            }
        }
    }

    @Test("What was received is read back, whether it is a page or many")
    func received() async throws {
        try await withFolder {
            let file = try LedgerFile(at: url, isDurable: false)
            var ledger = TrackedLedger(replica: SyncID(high: 1, low: 7), in: file)
            var count: UInt64 = 0
            // Rows stay rows until nothing is left.
            for (step, (wanted, rows)) in [(900, 0), (1500, 1500), (400, 400), (0, 0), (3, 0)].enumerated() {
                let keys = ledger.inbox.items.keys.sorted()
                if wanted < keys.count {
                    ledger.inbox.removeAll(except: Set(keys.prefix(wanted)))
                } else {
                    for _ in keys.count..<wanted {
                        count += 1
                        let stamp = Stamp(time: HybridTime(word: count), replica: SyncID(high: 9, low: 1))
                        let existence = Existence(length: 1, stamp: stamp)
                        ledger.inbox[.object(SyncID(high: 1, low: count))] = InboxItem(
                            state: ItemState(
                                entity: "Book", existence: existence,
                                registers: ["title": .value(.string("\(count)"), stamp)]),
                            isWhole: true)
                    }
                }
                try await file.write(ledger.takeWrites())
                ledger.forgetWritten()
                #expect(try await file.read([.received])[.received].count == rows, "step \(step)")
                let read = try #require(try await TrackedLedger(in: file))
                #expect(read.inbox.items == ledger.inbox.items && read.inbox.items.count == wanted)
                // Another run goes on from there.
                ledger = read
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

    @Test("A ledger that cannot be read ends the step, and nothing is lost once it can be read again")
    func refusedReads() async throws {
        let pair = try Pair()
        let device = pair.devices[0]
        try device.edit { _ = $0.insert("Book", ["title": "a"]) }
        try await pair.sync()
        let ledger = LedgerFile.url(beside: device.folder.appendingPathComponent("Library.sqlite"))
        let connection = try SQLiteConnection(path: ledger.path, access: .readWrite)
        defer { connection.close() }
        try connection.execute("CREATE TABLE former AS SELECT Z_PK AS id, ZBYTES AS bytes FROM ZENTRY")
        try connection.execute("UPDATE ZENTRY SET ZBYTES = x'01'")
        try device.edit { try $0.all("Book")[0].setValue("b", forKey: "title") }
        try await device.open()
        for _ in 0..<2 {
            await #expect(throws: WireError.self) { try await device.handle(.start) }
            #expect(device.engine!.machine.isIdle)
        }
        try connection.execute(
            "UPDATE ZENTRY SET ZBYTES = (SELECT bytes FROM former WHERE id = Z_PK); DROP TABLE former")
        try await pair.sync()
        #expect(try pair.devices[1].texts("title", of: "Book") == ["b"])
    }

    @Test("A ledger of the first version is opened and read, and answers as before")
    func firstVersion() async throws {
        for recorded in RecordedSession.all {
            let rows = try RecordedSession(reading: recorded).ledger
            let whole = try #require(try TrackedLedger(reading: rows))
            try await withFolder {
                try makeFirstVersion(rows)
                expectEqual(try #require(try TrackedLedger(reading: LedgerFile.rows(at: url))), whole)
                for _ in 0..<2 {
                    let file = try LedgerFile(at: url, isDurable: false)
                    let ledger = try #require(try await TrackedLedger(in: file))
                    expectEqual(ledger, whole)
                    for key in whole.keys {
                        guard let id = key.object else { continue }
                        #expect(ledger.referrers(of: id) == whole.referrers(of: id))
                        #expect(ledger.pairs(of: id) == whole.pairs(of: id))
                        guard let local = whole.entry(key)?.local else { continue }
                        #expect(ledger.id(of: local) == id)
                    }
                    #expect(ledger.takeFailure() == nil)
                }
            }
        }
    }

    /// Makes a file as the first version made it: without links and second keys.
    private func makeFirstVersion(_ rows: LedgerRows) throws {
        let tables = LedgerTable.allCases.filter { $0 != .link }
        let model = NSManagedObjectModel()
        model.entities = tables.map { table in
            let entity = NSEntityDescription()
            (entity.name, entity.managedObjectClassName) = (table.rawValue, "NSManagedObject")
            entity.properties = ["key", "bytes"].map {
                LibraryModel.attribute($0, .binaryDataAttributeType, isOptional: false)
            }
            let element = NSFetchIndexElementDescription(
                property: entity.properties[0], collationType: .binary)
            entity.indexes = [NSFetchIndexDescription(name: "byKey", elements: [element])]
            return entity
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for table in tables {
                for row in rows[table] {
                    _ = context.insert(table.rawValue, ["key": Data(row.key), "bytes": Data(row.bytes)])
                }
            }
            try context.save()
        }
        try coordinator.remove(store)
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
        case 9 where random.chance(30): ledger.pending.removeAll(of: [key])
        case 9 where random.chance(30): ledger.pending[key, "title"]?.milliseconds += 1
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
