import CoreDataSQL
import CoreDataSyncCore
import CoreDataSyncServer
import Foundation
import Testing

@Suite("The server's database")
struct DatabaseTests {
    private struct Failure: Error {}

    private static func name(_ text: String) -> ZoneName { ZoneName(owner: "anna", name: text)! }

    private static func zones(_ database: any ServerDatabase) async throws -> [String] {
        try await database.read { try ZoneDirectory($0).entries().map(\.name.name) }
    }

    @Test(
        "What a job throws undoes its own writes, and not those of its neighbours",
        arguments: TestedDatabase.all)
    func savepoints(_ kind: TestedDatabase) async throws {
        let folder = try ServerFolder(kind)
        let database = try folder.database()
        defer { database.close() }
        // Many at once share transactions.
        let failures = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<200 {
                group.addTask {
                    do {
                        try await database.write { connection in
                            _ = try ZoneDirectory(connection).add(Self.name("z\(index)"), at: 0, atMost: 1000)
                            if index % 3 == 0 { throw Failure() }
                        }
                        return false
                    } catch {
                        return error is Failure
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 67)
        let expected = (0..<200).filter { $0 % 3 != 0 }.map { "z\($0)" }.sorted()
        #expect(try await Self.zones(database) == expected)
    }

    @Test("A statement that fails undoes its job and no other", arguments: TestedDatabase.all)
    func failingStatement(_ kind: TestedDatabase) async throws {
        let folder = try ServerFolder(kind)
        let database = try folder.database()
        defer { database.close() }
        async let first: Void = database.write {
            _ = try ZoneDirectory($0).add(Self.name("a"), at: 0, atMost: 9)
        }
        await #expect(throws: SQLError.self) {
            try await database.write { connection in
                _ = try ZoneDirectory(connection).add(Self.name("b"), at: 0, atMost: 9)
                try connection.execute("INSERT INTO nowhere VALUES (1)")
            }
        }
        try await first
        #expect(try await Self.zones(database) == ["a"])
    }

    @Test("What was written is there when the database is opened again", arguments: TestedDatabase.all)
    func reopening(_ kind: TestedDatabase) async throws {
        let folder = try ServerFolder(kind)
        let first = try folder.database()
        _ = try await first.write { try ZoneDirectory($0).add(Self.name("a"), at: 0, atMost: 9) }
        first.close()
        let second = try folder.database()
        defer { second.close() }
        #expect(try await Self.zones(second) == ["a"])
    }

    @Test("A database of a newer program is not touched")
    func newer() async throws {
        let folder = try ServerFolder()
        let database = try folder.database()
        // A pragma has no effect on the transaction that it is in.
        try await database.write { try $0.execute("PRAGMA user_version = 99") }
        database.close()
        #expect(throws: NewerDatabase.self) { try folder.database() }
    }

    @Test("A reader sees one moment, whatever is written meanwhile", arguments: TestedDatabase.all)
    func snapshots(_ kind: TestedDatabase) async throws {
        let folder = try ServerFolder(kind)
        let database = try folder.database()
        defer { database.close() }
        _ = try await database.write { try ZoneDirectory($0).add(Self.name("a"), at: 0, atMost: 9) }
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let written = DispatchSemaphore(value: 0)
        async let counts = database.read { connection in
            let first = try ZoneDirectory(connection).entries().count
            begin.yield()
            written.wait()
            return [first, try ZoneDirectory(connection).entries().count]
        }
        for await _ in begun { break }
        _ = try await database.write { try ZoneDirectory($0).add(Self.name("b"), at: 0, atMost: 9) }
        written.signal()
        let found = try await counts
        #expect(found == [1, 1])
        #expect(try await Self.zones(database).count == 2)
    }

    @Test("One process has the folder at a time")
    func lock() throws {
        let folder = try ServerFolder()
        let lock = try folder.folder.lockForThisProcess()
        #expect(throws: FolderInUse.self) { try folder.folder.lockForThisProcess() }
        withExtendedLifetime(lock) {}
    }
}
