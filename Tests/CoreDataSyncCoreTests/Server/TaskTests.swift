import CoreDataSyncCore
import Testing

@Suite("Tasks that one device does for all")
struct TaskTests {
    private static func request(
        _ step: TaskRequest.Step, by device: UInt64, _ name: String = "split", epoch: UInt64 = 1,
        for duration: UInt64 = 1000
    ) -> SyncRequest {
        .task(
            TaskRequest(epoch: epoch, name: name, holder: Zone.id(device), step: step, duration: duration))
    }

    private func answer(_ request: SyncRequest, _ zone: inout Zone) throws -> SyncAnswer {
        try zone.server.answer(request, &zone.storage, milliseconds: zone.now).answer
    }

    @Test("One device has a task until it is done, and nobody gets it afterwards")
    func done() throws {
        var zone = try Zone()
        #expect(try answer(Self.request(.take, by: 1), &zone) == .task(.mine))
        #expect(try answer(Self.request(.take, by: 2), &zone) == .task(.taken(1000)))
        #expect(try answer(Self.request(.finish, by: 2), &zone) == .task(.taken(1000)))
        #expect(try answer(Self.request(.take, by: 2, "other"), &zone) == .task(.mine))
        #expect(try answer(Self.request(.finish, by: 1), &zone) == .task(.done))
        for device in UInt64(1)...2 {
            for step in [TaskRequest.Step.take, .finish, .leave] {
                #expect(try answer(Self.request(step, by: device), &zone) == .task(.done))
            }
        }
    }

    @Test("A task left, or not finished in time, goes to who asks next; its former holder cannot finish it")
    func lost() throws {
        var zone = try Zone()
        #expect(try answer(Self.request(.take, by: 1), &zone) == .task(.mine))
        zone.now += 999
        #expect(try answer(Self.request(.take, by: 1), &zone) == .task(.mine))
        zone.now += 999
        #expect(try answer(Self.request(.take, by: 2), &zone) == .task(.taken(1)))
        zone.now += 1
        #expect(try answer(Self.request(.take, by: 2), &zone) == .task(.mine))
        #expect(try answer(Self.request(.leave, by: 1), &zone) == .task(.taken(1000)))
        #expect(try answer(Self.request(.leave, by: 2), &zone) == .task(.open))
        #expect(try answer(Self.request(.finish, by: 1), &zone) == .task(.open))
        #expect(try answer(Self.request(.take, by: 3), &zone) == .task(.mine))
    }

    @Test("A restored server knows which tasks were done, and forgets who was at one")
    func restored() throws {
        var zone = try Zone()
        for name in ["a", "b"] {
            #expect(try answer(Self.request(.take, by: 1, name), &zone) == .task(.mine))
        }
        #expect(try answer(Self.request(.finish, by: 1, "a"), &zone) == .task(.done))
        let header = try ZoneHeader(wire: zone.storage.header.wire)
        #expect(header == zone.storage.header)
        zone.server.beginEpoch(&zone.storage, after: 1)
        #expect(try answer(Self.request(.take, by: 2, "b"), &zone) == .refused(.epoch(2)))
        #expect(try answer(Self.request(.take, by: 2, "b", epoch: 2), &zone) == .task(.mine))
        #expect(try answer(Self.request(.take, by: 2, "a", epoch: 2), &zone) == .task(.done))
    }

    @Test("Names have a length, zones a number of tasks, and nobody keeps one for ever")
    func limits() throws {
        var zone = try Zone()
        for name in ["", String(repeating: "ä", count: 101)] {
            guard case .refused(.invalid) = try answer(Self.request(.take, by: 1, name), &zone) else {
                Issue.record("\(name) was taken")
                return
            }
        }
        #expect(try answer(Self.request(.take, by: 1, "0", for: .max), &zone) == .task(.mine))
        #expect(try answer(Self.request(.take, by: 2, "0"), &zone) == .task(.taken(3_600_000)))
        for number in 1..<100 {
            #expect(try answer(Self.request(.take, by: 1, "\(number)"), &zone) == .task(.mine))
        }
        #expect(
            try answer(Self.request(.take, by: 1, "100"), &zone)
                == .refused(.invalid("a zone has at most 100 tasks")))
        #expect(try answer(Self.request(.take, by: 1, "99"), &zone) == .task(.mine))
    }
}
