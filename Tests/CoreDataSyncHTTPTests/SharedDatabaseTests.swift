#if SyncServer && PostgreSQL
import CoreDataSyncCore
import CoreDataSyncTransport
import Foundation
import PostgreSQLTestSupport
import Testing

@Suite("Two processes on one database", .enabled(if: TestServer.isAvailable), .serialized)
struct SharedDatabaseTests {
    /// Two processes with a folder, on a schema of their own.
    private final class Pair {
        let folder = "\(FileManager.default.temporaryDirectory.path)/syncd-\(UUID().uuidString)"
        let url: String
        var processes: [ServerProcess] = []

        init() throws {
            url = try TestServer.shared().url(
                with: "schema=syncd_\(UUID().uuidString.prefix(8).lowercased())")
            processes = try [start(), start()]
        }

        func start() throws -> ServerProcess { try ServerProcess(data: folder, database: url) }

        func client(_ index: Int) -> SyncHTTPClient {
            SyncHTTPClient(server: processes[index].url, zone: "Library", configuration: LiveServer.patience)
            { LiveServer.annasToken }
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }
    }

    @Test("What is pushed to one process wakes a device at the other one, which pulls it there")
    func pushAndPull() async throws {
        let pair = try Pair()
        let hello = HelloRequest(replica: nil, name: "", model: TestModel.library)
        _ = try await pair.client(0).hello(hello)
        var news = pair.client(1).news().makeAsyncIterator()
        // The first says where the zone stands.
        _ = await news.next()
        let push = LiveServer.push(LiveServer.book(1, "x", by: 1), by: 1)
        let receipt = try await pair.client(0).answer(to: push).receipt
        _ = await news.next()
        #expect(try await pair.client(1).answer(to: LiveServer.pull()).titles == [.string("x")])
        // The answer was lost, and the device asks the other process.
        #expect(try await pair.client(1).answer(to: push).receipt == receipt)
    }

    @Test("A device whose process is killed goes on at another one, and nothing is taken twice")
    func killed() async throws {
        let pair = try Pair()
        _ = try await pair.client(0).hello(HelloRequest(replica: nil, name: "", model: TestModel.library))
        var receipt: [UInt8] = []
        var side = 0
        for number in UInt64(1)...24 {
            let request = LiveServer.push(LiveServer.book(number, "\(number)", by: 1), by: 1, after: receipt)
            var killer: Task<Void, Never>?
            if number % 8 == 0 {
                let victim = pair.processes[side]
                killer = Task.detached { _ = victim.end(SIGKILL) }
            }
            do {
                receipt = try await pair.client(side).answer(to: request).receipt
            } catch is URLError {
                // Nobody knows whether it was taken.
                receipt = try await pair.client(1 - side).answer(to: request).receipt
            }
            if let killer {
                await killer.value
                pair.processes[side] = try pair.start()
                side = 1 - side
            }
        }
        let titles = try await pair.client(side).answer(to: LiveServer.pull(limit: 1000)).titles
        #expect(titles == (1...24).map { .string("\($0)") })
    }
}
#endif
