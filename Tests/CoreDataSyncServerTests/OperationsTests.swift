import CoreDataJSON
import CoreDataSyncCore
import CoreDataSyncServer
import CoreDataValues
import Foundation
import Testing

@Suite("What operators do")
struct OperationsTests {
    private static let anna = Caller(user: "anna")
    private static let library = ZoneName(owner: "anna", name: "Library")!

    private static func service(_ folder: DataFolder) async throws -> SyncService {
        try await SyncService(try SQLiteDatabase(path: folder.database), now: { TestServer.start + 10_000 })
    }

    private static func titles(_ service: SyncService, epoch: UInt64) async throws -> [SyncValue] {
        try await service.answer(
            .pull(PullRequest(epoch: epoch, cursor: Cursor(complete: 0), limit: 100)), in: library, by: anna
        ).titles
    }

    @Test("An export has a line for every object that lives and every pair that is there")
    func export() async throws {
        let server = try await TestServer()
        var changes = server.book(1, "a", by: 1) + server.book(2, "b", by: 1)
        changes.append(server.change(1, "Book", .set("latitude", .real(1)), by: 1))
        changes.append(server.change(5, "Tag", .existence(1, seen: 0), by: 1))
        var pair = server.change(0, "Book.tags", .set(ItemState.presence, .boolean(true)), by: 1)
        pair.item = .pair("Book.tags", TestServer.id(1), TestServer.id(5))
        changes.append(pair)
        try await server.push(changes, to: Self.library, by: 1, Self.anna)
        let gone = server.change(2, "Book", .existence(2, seen: 1), by: 1, after: 1)
        try await server.push([gone], to: Self.library, by: 1, Self.anna)
        var lines: [JSONValue] = []
        try await ZoneExport(server.service.database).write(Self.library) { lines.append($0) }
        #expect(lines.count == 4)
        #expect(lines[0]["zone"] == .string("anna:Library") && lines[0]["sequence"] == .integer(2))
        #expect(lines[1]["object"] == .string(TestServer.id(1).description))
        #expect(lines[1]["values"]?["title"] == .string("a"))
        #expect(lines[2]["entity"] == .string("Tag"))
        #expect(lines[3]["pair"] == .string("Book.tags") && lines[3]["second"] == lines[2]["object"])
        for line in lines { #expect(try JSONParser.parse(line.line) == line) }
    }

    @Test("Every value is exported, and what JSON cannot say is marked")
    func exportedValues() throws {
        #expect(SyncValue.real(.infinity).exported.line == #"{"$double":"inf"}"#)
        #expect(SyncValue.real(1.5).exported == .double(1.5))
        #expect(SyncValue.date(seconds: 2).exported.line == #"{"$date":"2.0"}"#)
        #expect(SyncValue.data([1, 2]).exported.line == #"{"$bytes":"AQI="}"#)
        #expect(SyncValue.decimal(CanonicalDecimal("1.50")!).exported.line == #"{"$decimal":"1.5"}"#)
        #expect(SyncValue.group(["b": .integer(1), "a": .null]).exported.line == #"{"a":null,"b":1}"#)
    }

    @Test("A backup takes the place of a database that is damaged, which is kept as it is")
    func damaged() async throws {
        let server = try await TestServer()
        try await server.push(server.book(1, "kept", by: 1), to: Self.library, by: 1, Self.anna)
        let copy = try ServerFolder()
        let (folder, source) = (server.folder.folder, copy.folder)
        try Backup.make(of: folder, to: source.path)
        server.service.database.close()
        let damage = Data(repeating: 0x55, count: 10_000)
        try damage.write(to: URL(fileURLWithPath: folder.database))
        let kept = try Backup.restore(source.path, to: folder, at: TestServer.epoch + 5)
        #expect(try Data(contentsOf: URL(fileURLWithPath: #require(kept))) == damage)
        let service = try await Self.service(folder)
        let epoch = try #require(try await service.heads(of: [Self.library], by: Self.anna).first?.epoch)
        #expect(epoch > TestServer.epoch + 5)
        #expect(try await Self.titles(service, epoch: epoch) == [.string("kept")])
        service.database.close()
    }

    @Test("A backup is whole while pushes go on, and brings back what it had under a new epoch")
    func backup() async throws {
        let server = try await TestServer()
        let (blobs, bytes) = (try server.folder.blobs(), Data("blob".utf8))
        let hash = try #require(BlobHash(Array(SHA2.sha256(bytes))))
        _ = try await server.service.add(
            bytes, at: 0, of: 4, to: hash, in: Self.library, blobs, by: Self.anna)
        try await server.push(server.book(1, "kept", by: 1), to: Self.library, by: 1, Self.anna)
        let copy = try ServerFolder()
        try Backup.make(of: server.folder.folder, to: copy.folder.path)
        #expect(throws: Backup.Failure.self) {
            try Backup.make(of: server.folder.folder, to: copy.folder.path)
        }
        try await server.push(server.book(2, "lost", by: 1), to: Self.library, by: 1, Self.anna)
        server.service.database.close()

        let epoch = TestServer.epoch + 501
        let kept = try Backup.restore(copy.folder.path, to: server.folder.folder, at: epoch - 1)
        let service = try await Self.service(server.folder.folder)
        defer { service.database.close() }
        #expect(try await Self.titles(service, epoch: epoch) == [.string("kept")])
        let response = try await service.answer(
            .pull(PullRequest(epoch: TestServer.epoch, cursor: Cursor(complete: 2), limit: 9)),
            in: Self.library,
            by: Self.anna)
        #expect(response.answer == .refused(.epoch(epoch)))
        #expect(FileManager.default.fileExists(atPath: try #require(kept)))
        #expect(try await blobs.read(hash, from: 0, count: 9) == bytes)
    }

    @Test("Restored twice from one backup, a server has another epoch each time, whatever the clock says")
    func twoRestores() async throws {
        let server = try await TestServer()
        try await server.push(server.book(1, "kept", by: 1), to: Self.library, by: 1, Self.anna)
        let copy = try ServerFolder()
        try Backup.make(of: server.folder.folder, to: copy.folder.path)
        server.service.database.close()
        let first = TestServer.epoch
        for (seconds, epoch) in [(first + 500, first + 501), (first + 400, first + 502), (0, first + 503)] {
            _ = try Backup.restore(copy.folder.path, to: server.folder.folder, at: seconds)
            let service = try await Self.service(server.folder.folder)
            #expect(try await Self.titles(service, epoch: epoch) == [.string("kept")])
            service.database.close()
        }
    }

    @Test(
        "A zone that is made anew has another epoch, so that devices do not take it for one with everything deleted"
    )
    func newZone() async throws {
        let server = try await TestServer()
        try await server.push(server.book(1, "x", by: 1), to: Self.library, by: 1, Self.anna)
        try await server.service.database.write { connection in
            let directory = ZoneDirectory(connection)
            try directory.remove(try #require(try directory.number(of: Self.library)))
        }
        server.advance(5000)
        let old = try await server.pull(Self.library, Self.anna, since: 1)
        #expect(old.answer == .refused(.epoch(TestServer.epoch + 5)))
    }

    @Test("A backup is not brought back under a running server")
    func runningServer() async throws {
        let server = try await TestServer()
        let copy = try ServerFolder()
        try Backup.make(of: server.folder.folder, to: copy.folder.path)
        let lock = try server.folder.folder.lockForThisProcess()
        #expect(throws: FolderInUse.self) {
            try Backup.restore(copy.folder.path, to: server.folder.folder, at: 1)
        }
        withExtendedLifetime(lock) {}
    }

    @Test("A purge leaves nothing of the user in the files, and all that others have")
    func purge() async throws {
        let server = try await TestServer()
        let ben = Caller(user: "ben")
        let his = ZoneName(owner: "ben", name: "Notes")!
        try await server.push(server.book(1, "SECRET-OF-ANNA", by: 1), to: Self.library, by: 1, Self.anna)
        try await server.push(server.book(1, "his", by: 2), to: his, by: 2, ben)
        let report = try await Purge.remove("anna", from: server.folder.place)
        #expect(report == Purge.Report(zones: 1, devices: 1))
        #expect(try await server.pull(his, ben).titles == [.string("his")])
        #expect(try await server.pull(Self.library, Self.anna).items.isEmpty)
        #expect(
            try await Purge.remove("nobody", from: server.folder.place) == Purge.Report(zones: 0, devices: 0))
        server.service.database.close()
        for suffix in ["", "-wal"] {
            let path = server.folder.folder.database + suffix
            guard let bytes = FileManager.default.contents(atPath: path) else { continue }
            #expect(bytes.range(of: Data("SECRET-OF-ANNA".utf8)) == nil, "\(suffix)")
        }
    }

    @Test("A device that was removed comes back as a new one")
    func removedDevice() async throws {
        let server = try await TestServer()
        try await server.push(server.book(1, "x", by: 1), to: Self.library, by: 1, Self.anna)
        let entries = try await server.service.database.read { try DeviceDirectory($0).entries(of: "anna") }
        #expect(entries.map(\.replica) == [TestServer.device(1)])
        #expect(
            try await server.service.database.write { try DeviceDirectory($0).remove(TestServer.device(1)) })
        let again = try await server.push(server.book(2, "y", by: 1), to: Self.library, by: 1, Self.anna)
        #expect(again.answer == .refused(.clone(isTaken: false)))
        #expect(
            try await !server.service.database.write { try DeviceDirectory($0).remove(TestServer.device(7)) })
    }
}
