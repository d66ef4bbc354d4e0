import CoreDataSyncCore
import Testing

@Suite("Requests over HTTP")
struct CallTests {
    private static let pair = ItemKey.pair("Book.tags", Zone.id(1), Zone.id(2))

    private static let requests: [SyncRequest] = [
        .push(PushRequest(epoch: 1, replica: Zone.device(1), previous: [1, 2], changes: [])),
        .pull(PullRequest(epoch: 2, cursor: Cursor(complete: 7), limit: 9)),
        .pull(
            PullRequest(
                epoch: 2, cursor: Cursor(complete: 7, sequence: 8, item: .object(Zone.id(1))), limit: 9)),
        .pull(PullRequest(epoch: 2, cursor: Cursor(complete: 7, sequence: 8), limit: 9)),
        .snapshot(SnapshotRequest(epoch: 3, after: nil, limit: 9)),
        .snapshot(SnapshotRequest(epoch: 3, after: pair, limit: 9)),
        .reconcile(ReconcileRequest(epoch: 4, buckets: [UInt64](repeating: .max, count: 256))),
        .task(TaskRequest(epoch: 4, name: "x", holder: Zone.id(1), step: .take, duration: 9)),
    ]

    @Test("Every request comes back from its path, query and body", arguments: requests)
    func roundTrip(request: SyncRequest) throws {
        #expect(try SyncRequest(request.call) == request)
    }

    @Test(
        "A query that is none is an error",
        arguments: [
            ["since": "1"], ["epoch": "x"], ["epoch": "-1"], ["epoch": "1", "since": ""],
            ["epoch": "1", "since": "1.2.3.4"], ["epoch": "1", "since": "1.x"],
            ["epoch": "1", "since": "1.2.zz"], ["epoch": "1", "since": "1.2.00"],
            ["epoch": "1", "limit": "1e3"],
        ])
    func badQueries(query: [String: String]) {
        #expect(throws: WireError.self) { try SyncRequest(SyncCall(verb: "changes", query: query)) }
    }

    @Test("A body is that of the verb in the path, and an unknown verb is none")
    func verbs() throws {
        let pull = SyncCall(verb: "push", body: Self.requests[1].wire)
        #expect(throws: WireError.self) { try SyncRequest(pull) }
        #expect(throws: WireError.self) { try SyncRequest(SyncCall(verb: "reconcile")) }
        #expect(try SyncRequest(SyncCall(verb: "changes!")) == nil)
    }
}

@Suite("Messages beside the protocol")
struct HelloTests {
    @Test("Hello, its answer, pages of the log and restores come back as they were sent")
    func roundTrips() throws {
        for replica in [nil, Zone.device(1)] {
            let hello = HelloRequest(replica: replica, name: "phone", model: TestModel.library)
            #expect(try HelloRequest(wire: hello.wire) == hello)
        }
        let answer = HelloAnswer(
            milliseconds: 5, changes: 1, page: 2, bytes: 3, user: "anna",
            zones: [.init(name: "a", role: "owner", epoch: 1, sequence: 2)])
        #expect(try HelloAnswer(wire: answer.wire) == answer)
        let lost = LostValue(
            item: .object(Zone.id(1)), entity: "Book", register: nil, value: .boolean(true), stamp: .never,
            winner: .never, reason: .orphan)
        let page = LogPage(
            rows: [LogRow(sequence: 1, lost: lost, changed: 2)], next: LogPlace(sequence: 3, entry: 4),
            isComplete: true)
        #expect(try LogPage(wire: page.wire) == page)
        let restore = RestoreRequest(objects: [Zone.id(1)])
        #expect(try RestoreRequest(wire: restore.wire) == restore)
        let restored = RestoreAnswer(living: [Zone.id(1)], sequence: 4)
        #expect(try RestoreAnswer(wire: restored.wire) == restored)
    }
}

@Suite("Rows of a zone as bytes")
struct RowWireTests {
    @Test("Rows, headers, devices and losers come back as they were written")
    func roundTrips() throws {
        var random = SeededGenerator(1)
        for _ in 0..<200 {
            let state = random.item()
            let row = ZoneRow(
                state: state, sequence: random.next() >> 8,
                sequences: state.registers.mapValues { _ in UInt64(random.below(9)) }, changed: 7)
            let key = ItemKey.object(random.id())
            let bytes = CBORWriter.bytes(of: row.wire(as: key))
            let read = try ZoneRow.read(CBORReader.read(bytes))
            #expect(read.key == key && read.row == row)
        }
        var header = ZoneHeader()
        header.digest.toggle(.object(Zone.id(1)), random.item())
        header.restores = [1: 5, 9: 2]
        (header.epoch, header.sequence, header.forgotten, header.forgottenEpoch) = (2, 3, 4, 1)
        (header.clock, header.forgottenTime) = (HybridClock(last: .latest), HybridTime(word: 9))
        #expect(try ZoneHeader(wire: header.wire) == header)
        let answer = PushAnswer(
            receipt: [1], outcomes: [.applied, .gone, .alias(Zone.id(1)), .rejected("no")], sequence: 5)
        let device = DeviceRow(receipt: [1], answer: answer)
        #expect(try DeviceRow(wire: device.wire) == device)
    }
}
