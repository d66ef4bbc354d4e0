import CoreDataSyncCore
import CoreDataSyncServer
import Testing

@Suite("Rights in zones")
struct RightsTests {
    private static let anna = Caller(user: "anna")
    private static let ben = Caller(user: "ben")
    private static let library = ZoneName(owner: "anna", name: "Library")!

    private static func grant(_ role: Role, to user: String, _ server: TestServer) async throws {
        try await server.service.database.write { connection in
            let directory = ZoneDirectory(connection)
            let number = try #require(try directory.number(of: library))
            try directory.set(role, of: user, in: number)
        }
    }

    @Test("A caller reads and writes in zones of its own, and in no others", arguments: TestedDatabase.all)
    func ownZones(_ kind: TestedDatabase) async throws {
        let server = try await TestServer(kind)
        try await server.push(server.book(1, "x", by: 1), to: Self.library, by: 1, Self.anna)
        #expect(try await server.pull(Self.library, Self.anna).titles == [.string("x")])
        await #expect(throws: ServiceError.forbidden("the zone Library is not open to this token")) {
            try await server.pull(Self.library, Self.ben)
        }
        await #expect(throws: ServiceError.self) {
            try await server.push(server.book(2, "y", by: 2), to: Self.library, by: 2, Self.ben)
        }
        await #expect(throws: ServiceError.self) {
            try await server.service.losses(in: Self.library, behind: LogPlace(), limit: 9, by: Self.ben)
        }
        await #expect(throws: ServiceError.self) {
            try await server.service.restore(RestoreRequest(objects: []), in: Self.library, by: Self.ben)
        }
        await #expect(throws: ServiceError.self) {
            try await server.service.heads(of: [Self.library], by: Self.ben)
        }
        #expect(try await server.pull(Self.library, Self.anna).titles == [.string("x")])
    }

    @Test("Zones of two users with one name are two", arguments: TestedDatabase.all)
    func namesakes(_ kind: TestedDatabase) async throws {
        let server = try await TestServer(kind)
        try await server.push(server.book(1, "hers", by: 1), to: Self.library, by: 1, Self.anna)
        let his = ZoneName(owner: "ben", name: "Library")!
        #expect(try await server.pull(his, Self.ben).items.isEmpty)
        try await server.push(server.book(1, "his", by: 2), to: his, by: 2, Self.ben)
        #expect(try await server.pull(Self.library, Self.anna).titles == [.string("hers")])
    }

    @Test("A zone that is not there looks to a stranger like one that is", arguments: TestedDatabase.all)
    func strangers(_ kind: TestedDatabase) async throws {
        let server = try await TestServer(kind)
        try await server.push(server.book(1, "x", by: 1), to: Self.library, by: 1, Self.anna)
        var texts: [String] = []
        for name in ["Library", "Nothing"] {
            do {
                _ = try await server.pull(ZoneName(owner: "anna", name: name)!, Self.ben)
            } catch ServiceError.forbidden(let text) {
                texts.append(text.replacing(name, with: "…"))
            }
        }
        #expect(texts.count == 2 && texts[0] == texts[1])
    }

    @Test(
        "A reader reads, a writer writes, and who has lost the role does neither",
        arguments: TestedDatabase.all)
    func members(_ kind: TestedDatabase) async throws {
        let server = try await TestServer(kind)
        try await server.push(server.book(1, "x", by: 1), to: Self.library, by: 1, Self.anna)
        try await Self.grant(.reader, to: "ben", server)
        #expect(try await server.pull(Self.library, Self.ben).items.count == 1)
        await #expect(throws: ServiceError.forbidden("a reader is not a writer of Library")) {
            try await server.push(server.book(2, "y", by: 2), to: Self.library, by: 2, Self.ben)
        }
        try await Self.grant(.writer, to: "ben", server)
        try await server.push(server.book(2, "y", by: 2), to: Self.library, by: 2, Self.ben)
        #expect(try await server.pull(Self.library, Self.anna).items.count == 2)
        try await server.service.database.write { connection in
            let directory = ZoneDirectory(connection)
            let number = try #require(try directory.number(of: Self.library))
            try directory.set(nil, of: "ben", in: number)
        }
        await #expect(throws: ServiceError.self) { try await server.pull(Self.library, Self.ben) }
    }

    @Test("A task is a writer's, and known to the zone's other devices", arguments: TestedDatabase.all)
    func tasks(_ kind: TestedDatabase) async throws {
        let server = try await TestServer(kind)
        try await server.push(server.book(1, "x", by: 1), to: Self.library, by: 1, Self.anna)
        try await Self.grant(.reader, to: "ben", server)
        let epoch = try await server.service.heads(of: [Self.library], by: Self.anna)[0].epoch
        func take(_ holder: UInt64, _ caller: Caller) async throws -> SyncAnswer {
            let request = TaskRequest(
                epoch: epoch, name: "split", holder: SyncID(high: 4, low: holder), step: .take,
                duration: 60_000)
            return try await server.service.answer(.task(request), in: Self.library, by: caller).answer
        }
        await #expect(throws: ServiceError.forbidden("a reader is not a writer of Library")) {
            try await take(2, Self.ben)
        }
        #expect(try await take(1, Self.anna) == .task(.mine))
        try await Self.grant(.writer, to: "ben", server)
        guard case .task(.taken(1...60_000)) = try await take(2, Self.ben) else {
            Issue.record("two have one task")
            return
        }
    }

    @Test("A token for some zones opens these alone, even to their owner", arguments: TestedDatabase.all)
    func grants(_ kind: TestedDatabase) async throws {
        let server = try await TestServer(kind)
        try await server.push(server.book(1, "x", by: 1), to: Self.library, by: 1, Self.anna)
        var narrow = Self.anna
        narrow.grants = [ZoneName(owner: "anna", name: "Notes")!: .writer]
        await #expect(throws: ServiceError.self) { try await server.pull(Self.library, narrow) }
        narrow.grants = [Self.library: .reader]
        #expect(try await server.pull(Self.library, narrow).items.count == 1)
        await #expect(throws: ServiceError.self) {
            try await server.push(server.book(2, "y", by: 1), to: Self.library, by: 1, narrow)
        }
    }

    @Test("A device belongs to the first user who pushes with it", arguments: TestedDatabase.all)
    func devices(_ kind: TestedDatabase) async throws {
        let server = try await TestServer(kind)
        try await server.push(server.book(1, "x", by: 1), to: Self.library, by: 1, Self.anna)
        let his = ZoneName(owner: "ben", name: "Library")!
        await #expect(throws: ServiceError.forbidden("the replica belongs to another user")) {
            try await server.push(server.book(1, "x", by: 1), to: his, by: 1, Self.ben)
        }
    }

    @Test("A user has no more zones and devices than are allowed", arguments: TestedDatabase.all)
    func counts(_ kind: TestedDatabase) async throws {
        var limits = ServiceLimits()
        (limits.zones, limits.devices) = (2, 2)
        let server = try await TestServer(kind, limits: limits)
        for name in ["a", "b"] { _ = try await server.pull(ZoneName(owner: "anna", name: name)!, Self.anna) }
        await #expect(throws: ServiceError.tooMany("zones", 2)) {
            try await server.pull(ZoneName(owner: "anna", name: "c")!, Self.anna)
        }
        let zone = ZoneName(owner: "anna", name: "a")!
        for device in UInt64(1)...2 {
            try await server.push(server.book(device, "x", by: device), to: zone, by: device, Self.anna)
        }
        await #expect(throws: ServiceError.tooMany("devices", 2)) {
            try await server.push(server.book(3, "x", by: 3), to: zone, by: 3, Self.anna)
        }
    }

    /// Starts a server whose zones have at most so many bytes.
    private static func server(_ kind: TestedDatabase, zoneBytes: UInt64) async throws -> TestServer {
        var limits = ServiceLimits()
        limits.zoneBytes = zoneBytes
        return try await TestServer(kind, limits: limits)
    }

    @Test("A full zone takes no more, and is read as before", arguments: TestedDatabase.all)
    func quota(_ kind: TestedDatabase) async throws {
        let server = try await Self.server(kind, zoneBytes: 2000)
        let text = String(repeating: "x", count: 3000)
        try await server.push(server.book(1, text, by: 1), to: Self.library, by: 1, Self.anna)
        await #expect(throws: ServiceError.quota(2000)) {
            try await server.push(server.book(2, "y", by: 1), to: Self.library, by: 1, Self.anna)
        }
        #expect(try await server.pull(Self.library, Self.anna).items.count == 1)
    }

    @Test("A full zone takes deletions and edits that do not make it larger", arguments: TestedDatabase.all)
    func smallerEdits(_ kind: TestedDatabase) async throws {
        let server = try await Self.server(kind, zoneBytes: 2000)
        let text = String(repeating: "x", count: 1000)
        let books = [1, 2, 3].flatMap { server.book($0, text, by: 1) }
        try await server.push(books, to: Self.library, by: 1, Self.anna)
        func title(_ id: UInt64, _ title: String, _ milliseconds: UInt64) -> Change {
            server.change(id, "Book", .set("title", .string(title)), by: 1, after: milliseconds)
        }
        // One that is longer takes the deletion in the same push with it.
        let deletion = server.change(2, "Book", .existence(2, seen: 9), by: 1, after: 1)
        await #expect(throws: ServiceError.quota(2000)) {
            try await server.push([deletion, title(1, text + "y", 1)], to: Self.library, by: 1, Self.anna)
        }
        #expect(try await server.pull(Self.library, Self.anna).items.allSatisfy { $0.state.isAlive })
        let pushes = [
            [deletion], [title(1, String(repeating: "z", count: 1000), 2)],
            // What becomes shorter makes room for a new object.
            [title(1, "short", 3)] + server.book(4, "new", by: 1),
        ]
        for push in pushes {
            let answer = try await server.push(push, to: Self.library, by: 1, Self.anna)
            #expect(answer.outcomes.allSatisfy { $0 == .applied })
        }
        let items = try await server.pull(Self.library, Self.anna).items
        let titles = items.filter { $0.state.isAlive }.map { $0.state["title"] }
        #expect(Set(titles) == [.string("short"), .string(text), .string("new")])
    }

    @Test("A full zone answers a push again that it has taken", arguments: TestedDatabase.all)
    func repeatedPush(_ kind: TestedDatabase) async throws {
        let server = try await Self.server(kind, zoneBytes: 2000)
        let text = String(repeating: "x", count: 3000)
        let request = PushRequest(
            epoch: TestServer.epoch, replica: TestServer.device(1), previous: [],
            changes: server.book(1, text, by: 1))
        let answers = [
            try await server.service.answer(.push(request), in: Self.library, by: Self.anna),
            try await server.service.answer(.push(request), in: Self.library, by: Self.anna),
        ]
        #expect(answers[0].outcomes == [.applied, .applied] && answers[0] == answers[1])
    }

    @Test("What zones have together is counted, and how many are nearly full", arguments: TestedDatabase.all)
    func figures(_ kind: TestedDatabase) async throws {
        var limits = ServiceLimits()
        limits.zoneBytes = 4000
        let server = try await TestServer(kind, limits: limits)
        #expect(try await server.service.figures().zones == 0)
        let text = String(repeating: "x", count: 3700)
        try await server.push(server.book(1, text, by: 1), to: Self.library, by: 1, Self.anna)
        let notes = ZoneName(owner: "anna", name: "Notes")!
        try await server.push(server.book(2, "y", by: 1), to: notes, by: 1, Self.anna)
        var deletion = server.book(2, "y", by: 1)[0]
        deletion.edit = .existence(2, seen: 9)
        try await server.push([deletion], to: notes, by: 1, Self.anna)
        let figures = try await server.service.figures()
        #expect(figures.zones == 2 && figures.fullZones == 1 && figures.items == 2)
        #expect(figures.bytes > 3700 && figures.deleted == 1)
    }

    @Test(
        "Names of zones are short and plain",
        arguments: ["", "a/b", "a b", "ä", ".hidden", "..", "a\n", String(repeating: "x", count: 65)])
    func badNames(text: String) {
        #expect(ZoneName(text, caller: "anna") == nil)
    }

    @Test("An owner's name may have colons, and a zone is written without its owner by the owner alone")
    func names() throws {
        let zone = try #require(ZoneName("oauth:7:Library", caller: "anna"))
        #expect(zone.owner == "oauth:7" && zone.name == "Library")
        #expect(zone.text(for: "anna") == "oauth:7:Library" && zone.text(for: "oauth:7") == "Library")
        #expect(ZoneName("a\u{0}:Library", caller: "anna") == nil)
    }
}
