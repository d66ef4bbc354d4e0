#if PostgreSQL
import CoreDataLibpq
import CoreDataSQL
import CoreDataSyncCore
import CoreDataSyncServer
import CoreDataValues
import Synchronization
import Testing

/// Two services on one database are as two processes: they share nothing else.
@Suite("A database of several processes", .enabled(if: TestedDatabase.hasServer))
struct SharedDatabaseTests {
    private static let anna = Caller(user: "anna")
    private static let library = ZoneName(owner: "anna", name: "Library")!

    private static func neighbour(of server: TestServer) async throws -> SyncService {
        try await SyncService(try server.folder.database(), now: { TestServer.start })
    }

    private static func push(_ id: UInt64, _ server: TestServer) -> SyncRequest {
        .push(
            PushRequest(
                epoch: TestServer.epoch, replica: TestServer.device(id), previous: [],
                changes: server.book(id, "book \(id)", by: id)))
    }

    private static func pull(_ service: SyncService, since number: UInt64 = 0) async throws -> SyncResponse {
        try await service.answer(
            .pull(PullRequest(epoch: TestServer.epoch, cursor: Cursor(complete: number), limit: 1000)),
            in: library, by: anna
        )
    }

    @Test("Pushes of two processes to one zone get numbers without a gap, each in the order of its commit")
    func numbers() async throws {
        let server = try await TestServer(.postgreSQL)
        let other = try await Self.neighbour(of: server)
        defer { other.database.close() }
        let sequences = try await withThrowingTaskGroup(of: UInt64.self) { group in
            for id in UInt64(1)...40 {
                let service = id % 2 == 0 ? server.service : other
                group.addTask {
                    let response = try await service.answer(
                        Self.push(id, server), in: Self.library, by: Self.anna)
                    guard case .push(let answer) = response.answer else { return 0 }
                    // What was answered is seen by the other process at once.
                    let reader = id % 2 == 0 ? other : server.service
                    let seen = try await Self.pull(reader, since: answer.sequence - 1)
                    #expect(seen.titles.contains(.string("book \(id)")))
                    return answer.sequence
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sequences.sorted() == Array(1...40))
        #expect(try await Self.pull(other).titles.count == 40)
    }

    @Test("A push to one process wakes those who listen to another one")
    func pokes() async throws {
        let server = try await TestServer(.postgreSQL)
        let other = try await Self.neighbour(of: server)
        defer { other.database.close() }
        let subscription = try other.pokes.listen(to: [Self.library], as: "anna", atMost: 1)
        _ = try await server.service.answer(Self.push(1, server), in: Self.library, by: Self.anna)
        for await _ in subscription.signals { break }
        #expect(subscription.take().pokes == [Poke(zone: Self.library, epoch: TestServer.epoch, sequence: 1)])
    }

    @Test("What one process learns of the model, the others follow")
    func models() async throws {
        func note(_ names: [String]) -> SyncModel {
            SyncModel(entities: [
                SyncModel.Entity(
                    "Note",
                    properties: names.map { SyncModel.Property($0, .attribute(.string, default: .null)) })
            ])
        }
        let server = try await TestServer(.postgreSQL, model: note(["text"]))
        let other = try await Self.neighbour(of: server)
        defer { other.database.close() }
        func hello(_ names: [String], _ service: SyncService) async throws {
            _ = try await service.hello(
                HelloRequest(replica: nil, name: "", model: note(names)), by: Self.anna)
        }
        // Neither knows what the other has just learned.
        try await hello(["text", "title"], server.service)
        try await hello(["text", "place"], other)
        let changes =
            [server.change(1, "Note", .existence(1, seen: 0), by: 1)]
            + ["title", "place"].map { server.change(1, "Note", .set($0, .string("x")), by: 1) }
        let response = try await server.push(changes, to: Self.library, by: 1, Self.anna)
        #expect(response.outcomes == [.applied, .applied, .applied])
    }

    /// Returns a connection that has locked all zones, for which pushes wait.
    private static func rival(at server: TestServer) throws -> PostgreSQLConnection {
        let rival = try #require(try server.folder.schema?.connect())
        try rival.begin()
        try rival.run("SELECT id FROM zone FOR UPDATE")
        return rival
    }

    @Test("A push whose connection is killed while it waits for its zone is taken once")
    func killedConnection() async throws {
        let server = try await TestServer(.postgreSQL)
        _ = try await server.service.answer(Self.push(1, server), in: Self.library, by: Self.anna)
        let rival = try Self.rival(at: server)
        defer { rival.close() }
        async let response = server.service.answer(Self.push(2, server), in: Self.library, by: Self.anna)
        // Only that push waits for a row that this connection has locked.
        var killed = 0
        while killed == 0 {
            try rival.forEachRow(
                of: """
                    SELECT CAST(count(pg_terminate_backend(pid)) AS bigint) FROM pg_stat_activity \
                    WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))
                    """
            ) { killed = Int($0.integer(0)) }
            await Task.yield()
        }
        rival.rollback()
        #expect(try await response.outcomes == [.applied, .applied])
        #expect(try await Self.pull(server.service).titles == [.string("book 1"), .string("book 2")])
    }

    private final class Line: Sendable {
        let isOpen = Mutex(true)
    }

    @Test("A push whose device hangs up while it waits for its zone is not made, and its repetition is")
    func hangup() async throws {
        let server = try await TestServer(.postgreSQL)
        _ = try await server.service.answer(Self.push(1, server), in: Self.library, by: Self.anna)
        let rival = try Self.rival(at: server)
        defer { rival.close() }
        let line = Line()
        let push = Self.push(2, server)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = try await server.service.answer(push, in: Self.library, by: Self.anna) {
                    line.isOpen.withLock { $0 }
                }
            }
            var waiting = 0
            while waiting == 0 {
                try rival.forEachRow(
                    of: """
                        SELECT count(*) FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))
                        """
                ) { waiting = Int($0.integer(0)) }
                await Task.yield()
            }
            line.isOpen.withLock { $0 = false }
            rival.rollback()
            await #expect(throws: CancellationError.self) { try await group.waitForAll() }
        }
        #expect(try await Self.pull(server.service).titles == [.string("book 1")])
        let response = try await server.service.answer(push, in: Self.library, by: Self.anna)
        #expect(response.outcomes == [.applied, .applied])
    }

    @Test("A user has no more devices and zones than are allowed, whichever process makes them")
    func counts() async throws {
        var limits = ServiceLimits()
        limits.zones = 3
        let server = try await TestServer(.postgreSQL, limits: limits)
        let other = try await SyncService(
            try server.folder.database(), limits: limits, now: { TestServer.start })
        defer { other.database.close() }
        let made = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<12 {
                let zone = ZoneName(owner: "anna", name: "z\(number)")!
                let service = number % 2 == 0 ? server.service : other
                group.addTask {
                    do {
                        _ = try await service.heads(of: [zone], by: Self.anna)
                        return true
                    } catch ServiceError.tooMany("zones", 3) {
                        return false
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(made == 3)
    }

    @Test("A process whose folder of blobs is not that of the others does not start")
    func folders() async throws {
        let server = try await TestServer(.postgreSQL)
        let other = try await Self.neighbour(of: server)
        defer { other.database.close() }
        try await server.service.claim(try server.folder.blobs())
        try await other.claim(try server.folder.blobs())
        let apart = try ServerFolder()
        let error = await #expect(throws: DataPlaceError.self) { try await other.claim(try apart.blobs()) }
        #expect(error?.description.contains("on a disk that they share") ?? false)
        // What a first start has named, a second one takes, if the first ended in between.
        let new = try await TestServer(.postgreSQL)
        try await new.service.claim(try apart.blobs())
        try await new.service.claim(try apart.blobs())
        let third = try ServerFolder()
        let last = try await TestServer(.postgreSQL)
        try await last.service.claim(try third.blobs())
        await #expect(throws: DataPlaceError.self) { try await new.service.claim(try third.blobs()) }
    }

    @Test("What another process has taught the server about a model counts for what is forgotten here")
    func forgetting() async throws {
        let server = try await TestServer(.postgreSQL, model: nil)
        let other = try await Self.neighbour(of: server)
        defer { other.database.close() }
        _ = try await other.hello(
            HelloRequest(replica: nil, name: "", model: TestModel.library), by: Self.anna)
        func push(_ changes: [Change], after receipt: [UInt8]) async throws -> PushAnswer {
            let request = PushRequest(
                epoch: TestServer.epoch, replica: TestServer.device(1), previous: receipt, changes: changes)
            let response = try await other.answer(.push(request), in: Self.library, by: Self.anna)
            guard case .push(let answer) = response.answer else { throw ServiceError.broken }
            return answer
        }
        let first = try await push(server.book(1, "x", by: 1), after: [])
        _ = try await push(
            [server.change(1, "Book", .existence(2, seen: 1), by: 1)], after: first.receipt)
        // This process has seen no hello.
        #expect(try await server.service.forget(changedBefore: TestServer.start + 1) == 1)
    }

    @Test("Tables of a newer program are not touched")
    func newer() async throws {
        let server = try await TestServer(.postgreSQL)
        let rival = try #require(try server.folder.schema?.connect())
        defer { rival.close() }
        try rival.execute("UPDATE format SET version = 99")
        #expect(throws: NewerDatabase.self) { try server.folder.database() }
    }
}
#endif
