import CoreDataSyncCore
import CoreDataSyncServer
import CoreDataValues
import Testing

@Suite("The service")
struct ServiceTests {
    private static let anna = Caller(user: "anna")
    private static let library = ZoneName(owner: "anna", name: "Library")!

    private static func hello(
        _ server: TestServer, _ model: SyncModel, device: UInt64 = 1
    ) async throws -> HelloAnswer {
        try await server.service.hello(
            HelloRequest(replica: TestServer.device(device), name: "phone", model: model), by: anna)
    }

    private static func note(_ properties: [SyncModel.Property]) -> SyncModel {
        SyncModel(entities: [SyncModel.Entity("Note", properties: properties)])
    }

    private static let text = SyncModel.Property("text", .attribute(.string, default: .null))

    @Test("Hello names the limits, the time and the zones that the caller has", arguments: TestedDatabase.all)
    func hello(_ kind: TestedDatabase) async throws {
        let server = try await TestServer(kind)
        try await server.push(server.book(1, "x", by: 1), to: Self.library, by: 1, Self.anna)
        let answer = try await Self.hello(server, TestModel.library)
        #expect(answer.milliseconds == server.now && answer.changes == 1000)
        #expect(answer.zones == [.init(name: "Library", role: "owner", epoch: TestServer.epoch, sequence: 1)])
    }

    @Test(
        "Before a device has said hello there is no model, and nothing is taken",
        arguments: TestedDatabase.all)
    func noModel(_ kind: TestedDatabase) async throws {
        let server = try await TestServer(kind, model: nil)
        await #expect(throws: ServiceError.self) {
            try await server.push(server.book(1, "x", by: 1), to: Self.library, by: 1, Self.anna)
        }
    }

    @Test(
        "A newer model adds properties for good, and an older one takes none away",
        arguments: TestedDatabase.all)
    func newerModel(_ kind: TestedDatabase) async throws {
        let server = try await TestServer(kind, model: Self.note([Self.text]))
        let set = server.change(1, "Note", .set("title", .string("new")), by: 1)
        let made = server.change(1, "Note", .existence(1, seen: 0), by: 1)
        let before = try await server.push([made, set], to: Self.library, by: 1, Self.anna)
        #expect(before.outcomes == [.applied, .rejected("Note has no property title")])
        let title = SyncModel.Property("title", .attribute(.string, default: .null))
        _ = try await Self.hello(server, Self.note([Self.text, title]))
        _ = try await Self.hello(server, Self.note([Self.text]), device: 2)
        #expect(try await server.push([set], to: Self.library, by: 1, Self.anna).outcomes == [.applied])
        let stored = try await server.service.database.read { try ServerFacts($0).model() }
        #expect(stored?.entities["Note"]?.registers.count == 2)
    }

    @Test(
        "A model that gives a property another type is refused, and changes nothing",
        arguments: TestedDatabase.all)
    func otherModel(_ kind: TestedDatabase) async throws {
        let server = try await TestServer(kind, model: Self.note([Self.text]))
        let other = Self.note([.init("text", .attribute(.integer64, default: .null))])
        await #expect(throws: SyncModelError.self) { try await Self.hello(server, other) }
        #expect(
            try await server.service.database.read { try ServerFacts($0).model()?.model }
                == Self.note([Self.text]))
    }

    @Test(
        "Where the operator alone gives models, a device with more is refused", arguments: TestedDatabase.all)
    func operatorsModel(_ kind: TestedDatabase) async throws {
        let folder = try ServerFolder(kind)
        let database = try folder.database()
        defer { database.close() }
        try await database.write { try ServerFacts($0).set(Self.note([Self.text])) }
        let service = try await SyncService(database, allowsNewModels: false)
        let title = SyncModel.Property("title", .attribute(.string, default: .null))
        func hello(_ model: SyncModel) async throws {
            _ = try await service.hello(
                HelloRequest(replica: TestServer.device(1), name: "", model: model), by: Self.anna)
        }
        try await hello(Self.note([Self.text]))
        await #expect(throws: ServiceError.self) { try await hello(Self.note([title])) }
    }

    @Test("Values that lost come page by page, each once", arguments: TestedDatabase.all)
    func losses(_ kind: TestedDatabase) async throws {
        let server = try await TestServer(kind)
        try await server.push(server.book(1, "first", by: 1), to: Self.library, by: 1, Self.anna)
        for round in 0..<5 {
            let set = server.change(
                1, "Book", .set("title", .string("round \(round)")), by: 2,
                after: UInt64(round * 10 + 10))
            try await server.push([set], to: Self.library, by: 2, Self.anna)
            // The other device has not seen it.
            let other = server.change(
                1, "Book", .set("title", .string("late \(round)")), by: 1,
                after: UInt64(round * 10 + 5))
            try await server.push([other], to: Self.library, by: 1, Self.anna)
        }
        var place = LogPlace()
        var values: [SyncValue] = []
        while true {
            let page = try await server.service.losses(
                in: Self.library, behind: place, limit: 2, by: Self.anna)
            #expect(page.rows.count <= 2)
            values += page.rows.map(\.lost.value)
            place = page.next
            if page.isComplete { break }
        }
        let whole = try await server.service.losses(
            in: Self.library, behind: LogPlace(), limit: 100, by: Self.anna)
        #expect(values == whole.rows.map(\.lost.value) && values.contains(.string("late 0")))
        #expect(values.count >= 5)
    }

    @Test("A restored object is back with all of its values, for every device", arguments: TestedDatabase.all)
    func restore(_ kind: TestedDatabase) async throws {
        let server = try await TestServer(kind)
        try await server.push(server.book(1, "kept", by: 1), to: Self.library, by: 1, Self.anna)
        let gone = server.change(1, "Book", .existence(2, seen: 1), by: 1, after: 1)
        try await server.push([gone], to: Self.library, by: 1, Self.anna)
        #expect(try await server.pull(Self.library, Self.anna).items.first?.state.isAlive == false)
        for expected in [UInt64(3), 3] {
            // Once more changes nothing.
            let answer = try await server.service.restore(
                RestoreRequest(objects: [TestServer.id(1), TestServer.id(7)]), in: Self.library, by: Self.anna
            )
            #expect(answer == RestoreAnswer(living: [TestServer.id(1)], sequence: expected))
        }
        #expect(try await server.pull(Self.library, Self.anna, since: 2).titles == [.string("kept")])
    }

    @Test(
        "What is older than the retention is forgotten, and a device that was away compares",
        arguments: TestedDatabase.all)
    func forgetting(_ kind: TestedDatabase) async throws {
        let server = try await TestServer(kind)
        try await server.push(server.book(1, "x", by: 1), to: Self.library, by: 1, Self.anna)
        let gone = server.change(1, "Book", .existence(2, seen: 1), by: 1, after: 1)
        try await server.push([gone], to: Self.library, by: 1, Self.anna)
        server.advance(1000)
        #expect(try await server.service.forget(changedBefore: server.now - 2000) == 0)
        #expect(try await server.service.forget(changedBefore: server.now) == 1)
        let response = try await server.pull(Self.library, Self.anna, since: 1)
        #expect(response.answer == .refused(.forgotten))
    }

    @Test("A push that was taken gets its answer again", arguments: TestedDatabase.all)
    func repeated(_ kind: TestedDatabase) async throws {
        let server = try await TestServer(kind)
        let push = PushRequest(
            epoch: TestServer.epoch, replica: TestServer.device(1), previous: [],
            changes: server.book(1, "x", by: 1))
        let first = try await server.service.answer(.push(push), in: Self.library, by: Self.anna)
        server.advance(5000)
        let second = try await server.service.answer(.push(push), in: Self.library, by: Self.anna)
        #expect(first.answer == second.answer && second.milliseconds == server.now)
    }

    @Test(
        "Pushes of many devices to many zones at once all arrive, each number once a zone",
        arguments: TestedDatabase.all)
    func concurrency(_ kind: TestedDatabase) async throws {
        let server = try await TestServer(kind)
        let zones = (0..<4).map { ZoneName(owner: "anna", name: "z\($0)")! }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in UInt64(1)...12 {
                group.addTask {
                    for step in 0..<10 {
                        let zone = zones[Int(device) % 4]
                        let id = device * 100 + UInt64(step)
                        let changes = server.book(id, "\(id)", by: device)
                        let outcomes = try await server.push(changes, to: zone, by: device, Self.anna)
                            .outcomes
                        #expect(outcomes == [.applied, .applied])
                    }
                }
            }
            try await group.waitForAll()
        }
        for zone in zones {
            let response = try await server.pull(zone, Self.anna)
            let numbers = response.items.count
            #expect(numbers == 30)
            guard case .pull(let page) = response.answer else { continue }
            #expect(page.next == Cursor(complete: 30))
        }
    }
}
