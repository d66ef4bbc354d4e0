#if SyncServer
import CoreDataJSON
import CoreDataSyncCore
import CoreDataSyncServer
import CoreDataSyncTransport
import CoreDataValues
import Foundation
import Testing

@Suite("Syncing over HTTP")
struct SyncingTests {
    @Test("What one device pushes, another one pulls, page by page, and by snapshot")
    func pushAndPull() async throws {
        try await LiveServer.run { server in
            try await server.hello()
            let client = server.client()
            let changes = (1...7).flatMap { LiveServer.book($0, "book \($0)", by: 1) }
            let pushed = try await client.answer(to: LiveServer.push(changes, by: 1))
            guard case .push(let answer) = pushed.answer else {
                Issue.record("the push was refused")
                return
            }
            #expect(answer.outcomes.allSatisfy { $0 == .applied } && answer.sequence == 1)
            var cursor = Cursor(complete: 0)
            var titles: [SyncValue] = []
            var pages = 0
            while true {
                let request = SyncRequest.pull(PullRequest(epoch: 0, cursor: cursor, limit: 3))
                guard case .pull(let page) = try await client.answer(to: request).answer else { break }
                titles += page.updates.map { $0.state["title"] }
                cursor = page.next
                pages += 1
                if page.isComplete { break }
            }
            #expect(titles == (1...7).map { .string("book \($0)") } && pages == 3)
            let snapshot = SyncRequest.snapshot(
                SnapshotRequest(epoch: 0, after: .object(LiveServer.id(5)), limit: 50))
            guard case .snapshot(let page) = try await client.answer(to: snapshot).answer else {
                Issue.record("there is no snapshot")
                return
            }
            #expect(page.updates.map(\.item) == [.object(LiveServer.id(6)), .object(LiveServer.id(7))])
        }
    }

    @Test("Of two devices that want a task one has it, until it is done")
    func tasks() async throws {
        try await LiveServer.run { server in
            try await server.hello()
            let client = server.client()
            _ = try await client.answer(to: LiveServer.push(LiveServer.book(1, "x", by: 1), by: 1))
            let epoch = try await client.epoch()
            func ask(_ step: TaskRequest.Step, _ holder: UInt64) async throws -> SyncAnswer {
                let request = TaskRequest(
                    epoch: epoch, name: "split", holder: LiveServer.id(holder), step: step, duration: 60_000)
                return try await client.response(to: .task(request)).answer
            }
            #expect(try await ask(.take, 1) == .task(.mine))
            guard case .task(.taken) = try await ask(.take, 2) else {
                Issue.record("two have one task")
                return
            }
            #expect(try await ask(.finish, 1) == .task(.done))
            #expect(try await ask(.take, 2) == .task(.done))
        }
    }

    @Test("A refusal is an answer with a status of its own")
    func refusals() async throws {
        try await LiveServer.run { server in
            try await server.hello()
            let client = server.client()
            let first = LiveServer.push(LiveServer.book(1, "x", by: 1), by: 1)
            let receipt = try await client.answer(to: first).receipt
            // The answer was lost, and the push comes again.
            #expect(try await client.answer(to: first).receipt == receipt)
            let clone = LiveServer.push(LiveServer.book(2, "x", by: 1), by: 1)
            #expect(try await client.answer(to: clone).answer == .refused(.clone(isTaken: false)))
            let epoch = try await client.epoch()
            let old = SyncRequest.pull(PullRequest(epoch: 7, cursor: Cursor(complete: 0), limit: 1))
            #expect(try await client.response(to: old).answer == .refused(.epoch(epoch)))
            let later = LiveServer.push(LiveServer.book(2, "x", by: 1), by: 1, in: epoch)
            let statuses = [
                try await server.ask("GET", "/v1/zones/Library/changes?epoch=7").status,
                try await server.ask("GET", "/v1/zones/Library/changes?epoch=\(epoch)&since=9").status,
                try await server.ask(
                    "POST", "/v1/zones/Library/push", body: Data(CBORWriter.bytes(of: later.wire))
                ).status,
            ]
            #expect(statuses == [410, 410, 409])
        }
    }

    @Test("People read and write JSON")
    func json() async throws {
        try await LiveServer.run { server in
            try await server.hello()
            let epoch = try await server.client().epoch()
            let push = LiveServer.push(LiveServer.book(1, "x", by: 1), by: 1, in: epoch)
            let reply = try await server.ask(
                "POST", "/v1/zones/Library/push", body: Data(push.wire.json.line.utf8),
                ["Content-Type": "application/json; charset=utf-8"])
            #expect(reply.status == 200 && reply.fields["content-type"] == "application/json")
            #expect(reply.json?["push"]?["sequence"] == .integer(1))
            let changes = try await server.ask("GET", "/v1/zones/Library/changes?epoch=\(epoch)")
            #expect(changes.text.contains("\"x\"") && changes.fields["cache-control"] == "no-store")
        }
    }

    @Test("Losing values and restored objects go over the wire")
    func lossesAndRestore() async throws {
        try await LiveServer.run { server in
            try await server.hello()
            let client = server.client()
            let book = LiveServer.book(1, "x", by: 1)
            let receipt = try await client.answer(to: LiveServer.push(book, by: 1)).receipt
            var other = LiveServer.book(1, "y", by: 2)[1]
            other.stamp.time = HybridTime(milliseconds: other.stamp.time.milliseconds + 1000)
            _ = try await client.answer(to: LiveServer.push([other], by: 2))
            let page = try await client.losses(behind: LogPlace(), limit: 10)
            #expect(page.rows.map(\.lost.value) == [.string("x")] && page.isComplete)
            #expect(try await client.losses(behind: page.next, limit: 10).rows.isEmpty)
            let metrics = try await server.ask("GET", "/metrics", token: "the-secret-token-of-ops").text
            #expect(metrics.contains("syncd_losses_total{reason=\"concurrent\"} 1\n"))
            var gone = book[0]
            gone.edit = .existence(2, seen: 9)
            gone.stamp.time = HybridTime(milliseconds: gone.stamp.time.milliseconds + 2000)
            _ = try await client.answer(to: LiveServer.push([gone], by: 1, after: receipt))
            let restored = try await client.restore(RestoreRequest(objects: [LiveServer.id(1)]))
            #expect(restored.living == [LiveServer.id(1)])
            #expect(try await client.answer(to: LiveServer.pull(since: 3)).titles == [.string("y")])
        }
    }

    @Test("A push wakes a device that listens, which asks no more often than there are news")
    func live() async throws {
        try await LiveServer.run { server in
            try await server.hello()
            let client = server.client()
            let start = ContinuousClock.now
            var news = client.news().makeAsyncIterator()
            // The first says where the zone stands.
            _ = await news.next()
            _ = try await client.answer(to: LiveServer.push(LiveServer.book(1, "x", by: 1), by: 1))
            _ = await news.next()
            #expect(try await client.answer(to: LiveServer.pull()).titles == [.string("x")])
            let metrics = try await server.ask("GET", "/metrics", token: "the-secret-token-of-ops")
            let counter = try #require(
                metrics.text.firstMatch(
                    of: /syncd_requests_total{method="GET",route="\/v1\/live",status="200"} (\d+)\n/))
            let count = try #require(Int(counter.1))
            // On a busy machine a request may have been held to its end before the push.
            let heldInVain = Int((ContinuousClock.now - start) / .seconds(25))
            #expect(count >= 2 && count <= 2 + heldInVain)
        }
    }

    @Test("A device that takes no streams waits for one answer, which comes with the news")
    func longPoll() async throws {
        try await LiveServer.run { server in
            try await server.hello()
            let path = "/v1/live?zone=Library&wait=60"
            // What was never asked for is news.
            let first = try await server.ask("GET", path)
            #expect(first.text.contains(#""sequence":0"#))
            let none = try await server.ask("GET", "/v1/live?zone=Library&wait=0&after=0")
            #expect(none.text == first.text)
            async let answer = server.ask("GET", path + "&after=0")
            _ = try await server.client().answer(
                to: LiveServer.push(LiveServer.book(1, "x", by: 1), by: 1))
            #expect(try await answer.text.contains(#""sequence":1"#))
            #expect(try await server.ask("GET", "/v1/live?zone=Library&wait=61").status == 400)
        }
    }

    @Test("A blob goes up in parts and comes down from any place")
    func blobs() async throws {
        try await LiveServer.run { server in
            try await server.hello()
            let client = server.client()
            let bytes = Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            let hash = BlobHash(Array(SHA2.sha256(bytes)))!.text
            let path = "/v1/zones/Library/blobs/\(hash)"
            #expect(try await server.ask("HEAD", path).status == 404)
            let first = try await server.ask(
                "PUT", path, body: bytes[..<1000], ["Content-Range": "bytes 0-999/5000000"])
            #expect(first.status == 202 && first.fields["upload-offset"] == "1000")
            let wrong = try await server.ask(
                "PUT", path, body: bytes[..<10], ["Content-Range": "bytes 7-16/5000000"])
            #expect(wrong.status == 409)
            try await client.upload(bytes, as: hash)
            let (head, total) = try await client.part(of: hash, from: 0)
            #expect(head == bytes[..<(4 << 20)] && total == bytes.count)
            #expect(try await client.part(of: hash, from: head.count).bytes == bytes[head.count...])
            let part = try await server.ask("GET", path, ["Range": "bytes=5-9"])
            #expect(part.status == 206 && part.body == bytes[5...9])
            #expect(part.fields["content-range"] == "bytes 5-9/5000000")
            #expect(try await server.ask("GET", path, ["Range": "bytes=5000000-"]).status == 416)
            #expect(try await server.ask("GET", path, token: LiveServer.bensToken).status == 404)
            #expect(try await server.ask("GET", "/v1/zones/Library/blobs/..").status == 404)
            #expect(try await server.ask("GET", "/v1/zones/Library/blobs/ff").status == 400)
        }
    }
}
#endif
