import CoreDataJSON
import CoreDataSQLite
import CoreDataSyncCore
import CoreDataSyncServer
import CoreDataValues
import Foundation
import Testing

/// What comes from others, changed at random: every reader ends with a value or an error of its own.
///
/// `CORE_DATA_TEST_CASES=100000` tries more, from `CORE_DATA_TEST_SEED` on, and prints how many were read.
@Suite("Hostile input")
struct HostileInputTests {
    private static let cases: UInt64 =
        ProcessInfo.processInfo.environment["CORE_DATA_TEST_CASES"].flatMap(UInt64.init) ?? 400

    /// Runs a body for each seed, which returns whether a reader took the input, and checks that some were taken and
    /// some were not.
    private static func tryAll(
        _ title: String, _ body: (inout SeededGenerator, UInt64) throws -> Bool
    ) rethrows {
        let first = ProcessInfo.processInfo.environment["CORE_DATA_TEST_SEED"].flatMap(UInt64.init) ?? 1
        var taken: UInt64 = 0
        for seed in first..<first + cases {
            var random = SeededGenerator(seed)
            if try body(&random, seed) { taken += 1 }
        }
        if cases > 400 { print("\(title): \(taken) of \(cases) were read") }
        #expect(cases < 400 || taken > 0 && taken < cases, "\(title)")
    }

    /// Returns bytes of which a few were replaced, removed, inserted, doubled or cut off.
    private static func mutated(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<random.below(4) where !bytes.isEmpty {
            let index = random.below(bytes.count)
            let end = min(bytes.count, index + 1 + random.below(12))
            switch random.below(6) {
            case 0: bytes[index] = UInt8(random.below(256))
            case 1: bytes[index] ^= 1 << UInt8(random.below(8))
            case 2: bytes.removeSubrange(index..<end)
            case 3: bytes.insert(UInt8(random.below(256)), at: index)
            case 4: bytes.insert(contentsOf: bytes[index..<end], at: random.below(bytes.count))
            default: bytes.removeSubrange(index...)
            }
        }
        return bytes
    }

    @Test("A push whose bytes were changed is no message, is refused, or leaves a zone that all readers read")
    func pushes() async throws {
        let folder = try ServerFolder()
        let database = try folder.database()
        defer { database.close() }
        let schema = try TestModel.library.compiled()
        let server = ZoneServer(schema: schema, replica: SyncID(high: 9, low: 9))
        let number = try await database.write { connection in
            try ZoneDirectory(connection).add(ZoneName(owner: "anna", name: "Library")!, at: 0, atMost: 1)
        }
        try await database.write { connection in
            var pushes = RandomPushes(7)
            try Self.tryAll("pushes") { random, seed in
                let header = try #require(try SQLZone(number, schema: schema, on: connection)).header
                let push = pushes.push(header)
                let bytes = Self.mutated(CBORWriter.bytes(of: SyncRequest.push(push).wire), &random)
                guard let request = try? SyncRequest(wire: CBORReader.read(bytes)),
                    case .push(let changed) = request
                else { return false }
                let response = try SyncService.push(changed, server, number, connection, pushes.now).response
                if changed == push { pushes.read(response, to: push) }
                return true
            }
            let zone = try #require(try SQLZone(number, schema: schema, on: connection))
            #expect(try !zone.rows(after: nil, limit: .max).isEmpty)
            for loss in try zone.log(behind: 0, through: .max) {
                #expect(try LogRow(wire: loss.wire) == loss)
            }
        }
    }

    /// Returns messages with what reads each and writes it again.
    private static func samples() throws -> [(bytes: [UInt8], read: (WireValue) throws -> WireValue)] {
        let server = ZoneServer(schema: try TestModel.library.compiled(), replica: SyncID(high: 9, low: 9))
        var memory = DictionaryStorage(schema: server.schema)
        var pushes = RandomPushes(5)
        var answers: [SyncResponse] = []
        func answer(_ request: SyncRequest) throws -> SyncResponse {
            try server.answer(request, &memory, milliseconds: pushes.now)
        }
        for _ in 0..<30 {
            let push = pushes.push(memory.header)
            let response = try answer(.push(push))
            pushes.read(response, to: push)
            answers.append(response)
        }
        let epoch = memory.header.epoch
        let digest = [UInt64](repeating: 0, count: ZoneDigest.buckets)
        answers += [
            try answer(.pull(PullRequest(epoch: epoch, cursor: Cursor(complete: 0), limit: 50))),
            try answer(.snapshot(SnapshotRequest(epoch: epoch, after: nil, limit: 50))),
            try answer(.reconcile(ReconcileRequest(epoch: epoch, buckets: digest))),
            try answer(.pull(PullRequest(epoch: epoch + 1, cursor: Cursor(complete: 0), limit: 50))),
        ]
        var messages: [(WireValue, (WireValue) throws -> WireValue)] = answers.map { answer in
            (answer.wire, { try SyncResponse(wire: $0).wire })
        }
        let id = SyncID(high: 1, low: 2)
        let zone = HelloAnswer.Zone(name: "Library", role: "owner", epoch: 3, sequence: 4)
        let hello = HelloAnswer(
            milliseconds: 5, changes: 1000, page: 1000, bytes: 4000, user: "anna", zones: [zone])
        let log = LogPage(rows: memory.log, next: LogPlace(sequence: 7, entry: 8), isComplete: false)
        messages += [
            (
                HelloRequest(replica: id, name: "phone", model: TestModel.library).wire,
                { try HelloRequest(wire: $0).wire }
            ),
            (hello.wire, { try HelloAnswer(wire: $0).wire }), (log.wire, { try LogPage(wire: $0).wire }),
            (RestoreRequest(objects: [id]).wire, { try RestoreRequest(wire: $0).wire }),
            (RestoreAnswer(living: [id], sequence: 9).wire, { try RestoreAnswer(wire: $0).wire }),
        ]
        return messages.map { (CBORWriter.bytes(of: $0.0), $0.1) }
    }

    @Test("An answer, a hello or a log page whose bytes were changed is read as it is written, or not")
    func messages() throws {
        let messages = try Self.samples()
        for message in messages {
            let tree = try CBORReader.read(message.bytes)
            #expect(try message.read(tree) == tree)
        }
        Self.tryAll("messages") { random, seed in
            let (bytes, read) = random.pick(messages)
            guard let tree = try? CBORReader.read(Self.mutated(bytes, &random)), let message = try? read(tree)
            else { return false }
            // What later versions may add is left out.
            #expect((try? read(message)) == message, "seed \(seed)")
            return true
        }
    }

    @Test("A row or a header of a damaged database is read, or is an error")
    func rows() throws {
        let server = ZoneServer(schema: try TestModel.library.compiled(), replica: SyncID(high: 9, low: 9))
        var memory = DictionaryStorage(schema: server.schema)
        var pushes = RandomPushes(3)
        for _ in 0..<30 {
            let push = pushes.push(memory.header)
            pushes.read(try server.answer(.push(push), &memory, milliseconds: pushes.now), to: push)
        }
        let rows = memory.rows.sorted { $0.key < $1.key }
            .map { CBORWriter.bytes(of: $0.value.wire(as: $0.key)) }
        let header = CBORWriter.bytes(of: memory.header.wire)
        Self.tryAll("rows") { random, _ in
            guard let tree = try? CBORReader.read(Self.mutated(random.pick(rows), &random)),
                let (key, row) = try? ZoneRow.read(tree)
            else { return false }
            #expect((try? ZoneRow.read(row.wire(as: key)).row) == row)
            return true
        }
        Self.tryAll("headers") { random, _ in
            guard let tree = try? CBORReader.read(Self.mutated(header, &random)) else { return false }
            return (try? ZoneHeader(wire: tree)) != nil
        }
    }

    @Test("Settings and a policy that were changed are read, or are an error that names the place")
    func settings() {
        let text = """
            {"data": "/d", "listen": "[::1]:8080", "limits": {"zones": 3, "blobBytes": 10, "live": 0},
             "tokens": [{"user": "anna", "token": "a-long-secret-token-1", "zones": {"ben:Work": "reader"}}],
             "jwt": {"audience": "sync", "keys": ["/k.pem"]}, "retentionDays": 30, "log": "debug",
             "policy": {"Loan": {"writer": ["insert", "update"], "owner": []}}}
            """
        Self.tryAll("settings") { random, _ in
            let bytes = Self.mutated(Array(text.utf8), &random)
            guard let json = try? JSONParser.parse(bytes) else { return false }
            do throws(ConfigurationError) {
                _ = try ServerSettings(json, environment: [:])
                return true
            } catch {
                #expect(!error.description.isEmpty)
                return false
            }
        }
    }

    @Test("A compressed body that was changed gives no more bytes than are allowed, or an error")
    func bodies() throws {
        let text = Data(String(repeating: "a body that is compressed well ", count: 50).utf8)
        let stream = try #require(Deflate.compress(text))
        let bodies: [(BodyEncoding, [UInt8])] = [
            (.deflate, [0x78, 0x9C] + stream),
            (.gzip, [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + stream),
        ]
        try Self.tryAll("bodies") { random, seed in
            let (encoding, bytes) = random.pick(bodies)
            let limit = 1 + random.below(3000)
            do throws(ServiceError) {
                let body = try encoding.body(Data(Self.mutated(bytes, &random)), upTo: limit)
                #expect(body.count <= limit, "seed \(seed)")
                return true
            } catch {
                guard case .malformed = error else { throw error }
                return false
            }
        }
    }

    @Test("Places, items and names in an address are read as they are written, or not at all")
    func addresses() {
        let pair = ItemKey.pair("Book.tags", SyncID(high: 3, low: 1), SyncID(high: 4, low: 2))
        var cursor = Cursor(complete: 4)
        (cursor.sequence, cursor.item) = (9, pair)
        let cursors = [cursor, Cursor(complete: .max)].map { Array($0.text.utf8) }
        Self.tryAll("places") { random, _ in
            let text = String(decoding: Self.mutated(random.pick(cursors), &random), as: UTF8.self)
            guard let cursor = Cursor(text: text) else { return false }
            #expect(Cursor(text: cursor.text) == cursor, "\(text)")
            return true
        }
        Self.tryAll("zones") { random, _ in
            let text = String(decoding: Self.mutated(Array("anna:Library".utf8), &random), as: UTF8.self)
            guard let zone = ZoneName(text, caller: "ben") else { return false }
            #expect(ZoneName(zone.description, caller: "carl") == zone, "\(text)")
            return true
        }
    }

    @Test("Whatever an object has, its export is one line of JSON that a parser reads as it was meant")
    func exports() async throws {
        let texts = ["", "a\nb", "\u{0}\u{1F}\"\\", "\u{2028}", "é\u{301}👩‍👧", "$date"]
        for seed in 1...Self.cases {
            var random = SeededGenerator(seed)
            var value = SyncValue.string(random.pick(texts))
            switch random.below(7) {
            case 0: value = .data((0..<random.below(40)).map { _ in UInt8(random.below(256)) })
            case 1: value = .real(Double(bitPattern: random.next()))
            case 2: value = .date(seconds: Double(bitPattern: random.next()))
            case 3: value = .integer(Int64(bitPattern: random.next()))
            case 4: value = .group([random.pick(texts): value, "x": .null])
            case 5: value = .uri(random.pick(texts))
            default: break
            }
            let line = value.exported.line
            #expect(!line.utf8.contains { [10, 13].contains($0) }, "seed \(seed)")
            #expect(try JSONParser.parse(line) == value.exported, "seed \(seed)")
        }
    }
}
