#if SyncServer
import CoreDataSyncCore
import CoreDataSyncServer
import CoreDataSyncTransport
import Foundation
import Testing

@Suite("The program", .serialized)
struct ProgramTests {
    /// A folder that goes with the test.
    private final class Folder {
        let path = "\(FileManager.default.temporaryDirectory.path)/syncd-\(UUID().uuidString)"
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private static func client(_ server: ServerProcess) -> SyncHTTPClient {
        SyncHTTPClient(server: server.url, zone: "Library", configuration: LiveServer.patience) {
            LiveServer.annasToken
        }
    }

    /// The titles of all books.
    private static func titles(_ client: SyncHTTPClient) async throws -> [SyncValue] {
        guard case .pull(let page) = try await client.answer(to: LiveServer.pull(limit: 1000)).answer
        else { return [] }
        #expect(page.isComplete)
        return page.updates.map { $0.state["title"] }
    }

    @Test("What was answered is there after the server was killed, and what was not is taken once")
    func killed() async throws {
        let folder = Folder()
        var server = try ServerProcess(data: folder.path)
        _ = try await Self.client(server).hello(
            HelloRequest(replica: nil, name: "", model: TestModel.library))
        var receipt: [UInt8] = []
        var number: UInt64 = 0
        var open: SyncRequest?
        for round in 1...4 {
            let (current, client) = (server, Self.client(server))
            var killer: Task<Void, Never>?
            do {
                while true {
                    // The server is killed while a push is under way.
                    if number == 5 * round { killer = Task.detached { _ = current.end(SIGKILL) } }
                    let request: SyncRequest
                    if let open {
                        request = open
                    } else {
                        number += 1
                        request = LiveServer.push(
                            LiveServer.book(number, "\(number)", by: 1), by: 1, after: receipt)
                    }
                    open = request
                    guard case .push(let answer) = try await client.answer(to: request).answer else {
                        Issue.record("a push was refused")
                        return
                    }
                    receipt = answer.receipt
                    open = nil
                }
            } catch is URLError {}
            await killer?.value
            server = try ServerProcess(data: folder.path)
        }
        if let open {
            guard case .push = try await Self.client(server).answer(to: open).answer else {
                Issue.record("the repeated push was refused")
                return
            }
        }
        #expect(number > 20)
        #expect(try await Self.titles(Self.client(server)) == (1...number).map { .string("\($0)") })
    }

    @Test("The server ends in order when it is asked to, with devices that listen")
    func terminated() async throws {
        let folder = Folder()
        let server = try ServerProcess(data: folder.path)
        let client = Self.client(server)
        _ = try await client.hello(HelloRequest(replica: nil, name: "", model: TestModel.library))
        var news = client.news().makeAsyncIterator()
        _ = await news.next()
        #expect(server.end(SIGTERM) == 0)
    }

    @Test("A second server does not start on the same data")
    func locked() async throws {
        let folder = Folder()
        let server = try ServerProcess(data: folder.path)
        #expect(throws: (any Error).self) { try ServerProcess(data: folder.path) }
        #expect(server.end(SIGTERM) == 0)
        try ServerProcess(data: folder.path).end(SIGTERM)
    }

    @Test("An operator lists, exports, backs up and brings back, and devices bring what the backup lacks")
    func operations() async throws {
        let (folder, copy) = (Folder(), Folder())
        var server = try ServerProcess(data: folder.path)
        var client = Self.client(server)
        _ = try await client.hello(
            HelloRequest(replica: LiveServer.device(1), name: "phone", model: TestModel.library))
        let known = try await client.epoch()
        let first = try await client.answer(
            to: LiveServer.push(LiveServer.book(1, "kept", by: 1), by: 1))
        #expect(
            try ServerProcess.command(["zones"], data: folder.path).text.contains("anna:Library\t1 items"))
        #expect(try ServerProcess.command(["devices"], data: folder.path).text.contains("phone"))
        let export = try ServerProcess.command(["export", "anna:Library"], data: folder.path)
        #expect(export.text.contains("\"title\":\"kept\"") && export.status == 0)
        let policy = try ServerProcess.command(["policy", "test", "anna:Library", "ben"], data: folder.path)
        #expect(policy.status == 1 && policy.text == "ben may not enter anna:Library\n")
        let model = try ServerProcess.command(["model"], data: folder.path).text
        #expect(model.contains("\"Book\""))
        #expect(try ServerProcess.command(["backup", copy.path], data: folder.path).status == 0)
        _ = try await client.answer(
            to: LiveServer.push(LiveServer.book(2, "later", by: 1), by: 1, after: first.receipt))
        #expect(try ServerProcess.command(["restore", copy.path], data: folder.path).status != 0)
        let running = try ServerProcess.command(["restore", "--new-epoch", copy.path], data: folder.path)
        #expect(running.status != 0 && running.text.contains("is the server running"))
        server.end(SIGTERM)
        #expect(
            try ServerProcess.command(["restore", "--new-epoch", copy.path], data: folder.path).status == 0)

        server = try ServerProcess(data: folder.path)
        client = Self.client(server)
        let epoch = try await client.epoch()
        #expect(epoch > known)
        let pull = SyncRequest.pull(PullRequest(epoch: epoch, cursor: Cursor(complete: 0), limit: 9))
        #expect(try await client.answer(to: pull).titles == [.string("kept")])
        let purge = try ServerProcess.command(["purge", "--user", "anna", "--yes"], data: folder.path)
        #expect(purge.text.contains("Removed 1 zones") && purge.status == 0)
        #expect(try ServerProcess.command(["zones"], data: folder.path).text.isEmpty)
    }

    @Test("Connections that say nothing wait for each other, and those that are there are served")
    func halfOpen() async throws {
        let folder = Folder()
        let server = try ServerProcess(data: folder.path, descriptors: 400)
        let client = Self.client(server)
        _ = try await client.hello(HelloRequest(replica: nil, name: "", model: TestModel.library))
        let bytes = Data("a large value".utf8)
        let hash = BlobHash(of: Array(bytes)).text
        try await client.upload(bytes, as: hash)
        let known = try LoopbackSocket(to: server.url)
        known.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(await known.reply().hasSuffix("ok\n"))
        // More than the server takes at once; the others wait in the system's queue.
        let silent = try (0..<300).map { _ in try LoopbackSocket(to: server.url) }
        for socket in silent { socket.send("GET /healthz HTTP/1.1\r\nX-") }
        let token = "Authorization: Bearer \(LiveServer.annasToken)\r\n"
        known.send("GET /v1/zones/Library/blobs/\(hash) HTTP/1.1\r\nHost: x\r\n\(token)\r\n")
        #expect(await known.reply().hasSuffix("a large value"))
        withExtendedLifetime(silent) {}
    }

    @Test("A mistake in the settings is told before anything is opened")
    func settings() throws {
        let folder = Folder()
        let result = try ServerProcess.command(["serve"], data: folder.path)
        #expect(result.status != 0 && result.text.contains("neither tokens nor jwt"))
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }
}
#endif
