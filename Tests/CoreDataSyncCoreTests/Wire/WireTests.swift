import CoreDataJSON
import CoreDataSyncCore
import Testing

@Suite("Wire format")
struct WireTests {
    /// A random message of each kind.
    private func request(_ random: inout SeededGenerator) -> SyncRequest {
        let key: ItemKey =
            random.chance(50) ? .object(random.id()) : .pair("Book.tags", random.id(), random.id())
        switch random.below(5) {
        case 0:
            let changes = (0..<random.below(5)).map { number in
                let edit: Change.Edit =
                    switch random.below(4) {
                    case 0: .existence(UInt32(random.below(5)), seen: UInt64(random.below(9)))
                    case 1: .set("title", random.value())
                    case 2: .merged(into: random.id())
                    default: .count("copies", .integer(Int64(random.below(9))))
                    }
                return Change(
                    number: UInt64(number), item: key, entity: "Book", edit: edit, stamp: random.stamp(),
                    base: random.chance(50) ? random.stamp() : nil, isRelayed: random.chance(10))
            }
            return .push(
                PushRequest(
                    epoch: 1, replica: random.id(), previous: [1, 2],
                    received: random.chance(50) ? random.stamp().time : .zero, changes: changes))
        case 1:
            let cursor = Cursor(
                complete: UInt64(random.below(9)), sequence: 4, item: random.chance(50) ? key : nil)
            return .pull(PullRequest(epoch: 3, cursor: cursor, limit: 10))
        case 2: return .snapshot(SnapshotRequest(epoch: 3, after: random.chance(50) ? key : nil, limit: 10))
        case 3:
            return .task(
                TaskRequest(
                    epoch: 3, name: "x", holder: random.id(), step: random.pick([.take, .finish, .leave]),
                    duration: 60_000))
        default:
            return .reconcile(
                ReconcileRequest(
                    epoch: 3, buckets: (0..<256).map { _ in random.next() }, from: random.below(256),
                    limit: random.chance(50) ? 9 : nil))
        }
    }

    private func response(_ random: inout SeededGenerator) -> SyncResponse {
        let updates = (0..<random.below(3)).map { _ in
            ItemUpdate(item: .object(random.id()), state: random.item())
        }
        let answer: SyncAnswer
        switch random.below(6) {
        case 0:
            let outcomes: [Outcome] = [
                .applied, .superseded, .gone, .alias(random.id()), .rejected("no such entity"),
            ]
            answer = .push(PushAnswer(receipt: [9], outcomes: outcomes, sequence: 8))
        case 1:
            let lost = LostValue(
                item: .object(random.id()), entity: "Book", register: random.chance(50) ? "title" : nil,
                value: random.value(), stamp: random.stamp(), winner: random.stamp(),
                reason: random.pick(LostValue.Reason.allCases))
            answer = .pull(
                ChangesPage(
                    updates: updates, lost: [lost], next: Cursor(complete: 9), isComplete: random.chance(50),
                    digest: random.next()))
        case 2: answer = .snapshot(SnapshotPage(updates: updates, head: 9, isComplete: random.chance(50)))
        case 3:
            answer = .reconcile(
                ReconcileAnswer(
                    epoch: 2, head: 9, updates: updates, buckets: [0, 255],
                    keptUntil: random.chance(50) ? 4 : nil, hasForgotten: random.chance(50),
                    next: random.chance(50) ? 17 : nil))
        case 4: answer = .task(random.pick([.open, .mine, .taken(7), .done]))
        default:
            answer = .refused(
                random.pick([
                    .epoch(4), .forgotten, .clone(isTaken: random.chance(50)), .clockAhead, .invalid("x"),
                    .tooManySteps("y"),
                ]))
        }
        return SyncResponse(answer, milliseconds: 77)
    }

    @Test("Each message comes back from bytes and from JSON as it was")
    func roundTrips() throws {
        for seed in 0..<UInt64(2000) {
            var random = SeededGenerator(seed)
            let request = request(&random)
            let bytes = CBORWriter.bytes(of: request.wire)
            #expect(try SyncRequest(wire: CBORReader.read(bytes)) == request, "seed \(seed)")
            let response = response(&random)
            let answer = CBORWriter.bytes(of: response.wire)
            #expect(try SyncResponse(wire: CBORReader.read(answer)) == response, "seed \(seed)")
            let json = try JSONParser.parse(response.wire.json.line)
            #expect(try SyncResponse(wire: WireValue(json: json)) == response, "seed \(seed)")
        }
    }

    @Test("Numbers and lengths have their shortest form")
    func bytes() {
        #expect(CBORWriter.bytes(of: .integer(23)) == [0x17])
        #expect(CBORWriter.bytes(of: .integer(24)) == [0x18, 24])
        #expect(CBORWriter.bytes(of: .integer(-1)) == [0x20])
        #expect(CBORWriter.bytes(of: .integer(.min)) == [0x3B, 0x7F] + [UInt8](repeating: 0xFF, count: 7))
        #expect(CBORWriter.bytes(of: .text("ü")) == [0x62, 0xC3, 0xBC])
        #expect(
            CBORWriter.bytes(of: .object(["bb": .null, "c": .boolean(true), "a": .array([])]))
                == [0xA3, 0x61, 0x61, 0x80, 0x61, 0x63, 0xF5, 0x62, 0x62, 0x62, 0xF6])
    }

    @Test(
        "Maps whose keys look like those of bytes come back from JSON",
        arguments: ["$bytes", "$double", "$", "bytes"])
    func jsonKeys(key: String) throws {
        let value = WireValue.object([key: .text("AA==")])
        #expect(try WireValue(json: JSONParser.parse(value.json.line)) == value)
    }

    @Test(
        "Another spelling than the one that is written is an error",
        arguments: [
            [], [0x18, 23], [0x19, 0, 255], [0x1B, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF], [0x9F, 0xFF],
            [0xC0, 0x60], [0xF7], [0xF9, 0, 0], [0xFB, 0x80, 0, 0, 0, 0, 0, 0, 0],
            [0xFB, 0x7F, 0xF0, 0, 0, 0, 0, 0, 1], [0xA2, 0x61, 0x62, 0, 0x61, 0x61, 0],
            [0xA2, 0x61, 0x61, 0, 0x61, 0x61, 0], [0xA1, 0, 0], [0x61, 0xFF], [0x00, 0x00], [0x1C],
            [0x1B, 0xFF, 0, 0, 0, 0, 0, 0, 0], [0x3B, 0x80, 0, 0, 0, 0, 0, 0, 0],
            [0x9B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0xBB, 0xFF, 0, 0, 0, 0, 0, 0, 0],
            [0x5A, 0xFF, 0xFF, 0xFF, 0xFF], [0x82, 0],
        ] as [[UInt8]])
    func malformed(bytes: [UInt8]) {
        #expect(throws: WireError.self) { try CBORReader.read(bytes) }
    }

    @Test("A message above a limit is an error")
    func limits() throws {
        let nested = (0..<20).reduce(WireValue.null) { value, _ in .array([value]) }
        let limits = WireLimits(bytes: 100, depth: 5, values: 20, text: 10)
        for value in [
            nested, .bytes([UInt8](repeating: 0, count: 11)), .text(String(repeating: "a", count: 11)),
            .array([WireValue](repeating: .null, count: 20)),
            .array([WireValue](repeating: .integer(300), count: 40)),
        ] {
            #expect(throws: WireError.self) {
                try CBORReader.read(CBORWriter.bytes(of: value), limits: limits)
            }
        }
        let deepest = WireValue.array([.array([.array([.array([.null])])])])
        #expect(try CBORReader.read(CBORWriter.bytes(of: deepest), limits: limits) == deepest)
        #expect(throws: WireError.self) { try WireValue(json: nested.json, limits: limits) }
    }

    @Test("Bytes that were changed at random give an error or a message, which is written the same again")
    func mutations() {
        for seed in 0..<UInt64(6000) {
            var random = SeededGenerator(seed)
            var bytes = CBORWriter.bytes(
                of: random.chance(50) ? request(&random).wire : response(&random).wire)
            for _ in 0...random.below(3) where !bytes.isEmpty {
                let index = random.below(bytes.count)
                switch random.below(4) {
                case 0: bytes[index] = UInt8(random.below(256))
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(UInt8(random.below(256)), at: index)
                default: bytes.removeSubrange(index...)
                }
            }
            guard let wire = try? CBORReader.read(bytes) else { continue }
            #expect(CBORWriter.bytes(of: wire) == bytes, "seed \(seed)")
            if let request = try? SyncRequest(wire: wire) { _ = request.wire }
            if let response = try? SyncResponse(wire: wire) { _ = response.wire }
        }
    }
}
