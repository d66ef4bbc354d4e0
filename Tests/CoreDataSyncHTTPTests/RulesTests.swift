#if SyncServer
import CoreDataJSON
import CoreDataSQLite
import CoreDataSyncCore
import CoreDataSyncServer
import CoreDataSyncTransport
import CoreDataValues
import Foundation
import Testing

/// One test a rule that a request meets.
@Suite("Rules of the server")
struct RulesTests {
    private static let push = "/v1/zones/Library/push"
    private static let changes = "/v1/zones/Library/changes?epoch=1"

    @Test("Without a valid token nobody comes in")
    func tokens() async throws {
        try await LiveServer.run { server in
            try await server.hello()
            for path in ["/v1/live?zone=Library", "/v1/zones/Library/changes?epoch=1", "/v1/nothing"] {
                for token in [nil, "", "wrong", LiveServer.annasToken + "x"] {
                    let reply = try await server.ask("GET", path, token: token)
                    #expect(reply.status == 401 || path == "/v1/nothing" && reply.status == 404)
                }
            }
            let basic = try await server.ask(
                "GET", "/v1/zones/Library/changes?epoch=1", token: nil,
                ["Authorization": "Basic \(LiveServer.annasToken)"])
            #expect(basic.status == 401 && basic.fields["www-authenticate"] == "Bearer")
        }
    }

    @Test("No verb reads or writes in a zone of another user")
    func zones() async throws {
        try await LiveServer.run { server in
            try await server.hello()
            _ = try await server.client().answer(
                to: LiveServer.push(LiveServer.book(1, "SECRET", by: 1), by: 1))
            let body = Data(
                CBORWriter.bytes(of: LiveServer.push(LiveServer.book(2, "x", by: 2), by: 2).wire))
            let restore = Data(CBORWriter.bytes(of: RestoreRequest(objects: [LiveServer.id(1)]).wire))
            let reconcile = SyncRequest.reconcile(
                ReconcileRequest(epoch: 1, buckets: [UInt64](repeating: 1, count: 256)))
            let hash = String(repeating: "ab", count: 32)
            let calls: [(String, String, Data?)] = [
                ("POST", "push", body), ("POST", "restore", restore),
                ("POST", "reconcile", Data(CBORWriter.bytes(of: reconcile.wire))),
                ("GET", "changes?epoch=1", nil), ("GET", "snapshot?epoch=1", nil), ("GET", "issues", nil),
                ("GET", "blobs/\(hash)", nil), ("HEAD", "blobs/\(hash)", nil), ("PUT", "blobs/\(hash)", body),
            ]
            for (method, verb, body) in calls {
                let reply = try await server.ask(
                    method, "/v1/zones/anna:Library/\(verb)", body: body, token: LiveServer.bensToken)
                #expect(reply.status == 403, "\(method) \(verb)")
                #expect(!reply.text.contains("SECRET"))
            }
            let live = try await server.ask(
                "GET", "/v1/live?zone=anna%3ALibrary", token: LiveServer.bensToken)
            #expect(live.status == 403)
            let own = try await server.client().answer(to: LiveServer.pull())
            #expect(own.titles == [.string("SECRET")])
        }
    }

    @Test("A path cannot leave its zone")
    func paths() async throws {
        try await LiveServer.run { server in
            try await server.hello()
            for zone in [
                "..", "%2e%2e", "a%2Fb", "%00", "a%20b", "ben:", ":x", "%ff",
                String(repeating: "x", count: 99),
            ] {
                let reply = try await server.ask("GET", "/v1/zones/\(zone)/changes?epoch=1")
                #expect([400, 403, 404].contains(reply.status), "\(zone)")
            }
        }
    }

    /// Bodies that are no message, each with its status.
    private static var hostile: [(name: String, body: [UInt8], type: String, status: Int)] {
        let cbor = "application/cbor"
        let json = "application/json"
        let deep = [UInt8](repeating: 0x81, count: 100_000) + [0xF6]
        let valid = LiveServer.push(LiveServer.book(1, "x", by: 1), by: 1).wire
        let pull = CBORWriter.bytes(of: LiveServer.pull().wire)
        return [
            ("empty", [], cbor, 400), ("not CBOR", Array("hello".utf8), cbor, 400),
            ("cut off", Array(CBORWriter.bytes(of: valid).dropLast()), cbor, 400),
            ("too deep", deep, cbor, 400),
            ("a huge length", [0x9B] + [UInt8](repeating: 0xFF, count: 8), cbor, 400),
            ("a tag", [0xC1, 0], cbor, 400), ("another type", [0x01], cbor, 400),
            ("another request", pull, cbor, 400), ("no JSON", Array("{".utf8), json, 400),
            ("deep JSON", Array(String(repeating: "[", count: 100_000).utf8), json, 400),
            ("JSON of another type", Array("[1]".utf8), json, 400),
            ("no UTF-8", [0x22, 0xFF, 0x22], json, 400), ("plain text", Array("x".utf8), "text/plain", 415),
            ("no type", [0xA0], "", 415),
        ]
    }

    @Test("A body that is no message gets a clear status, and the server goes on")
    func hostileBodies() async throws {
        try await LiveServer.run { server in
            try await server.hello()
            for (name, body, type, status) in Self.hostile {
                let reply = try await server.ask(
                    "POST", Self.push, body: Data(body), ["Content-Type": type])
                #expect(reply.status == status, "\(name)")
                #expect(reply.json?["error"]?.string?.isEmpty == false, "\(name)")
            }
            let compressed = try await server.ask(
                "POST", Self.push, body: Data([0xA0]), ["Content-Encoding": "br"])
            #expect(compressed.status == 415)
            #expect(try await server.ask("GET", "/healthz").text == "ok\n")
        }
    }

    @Test("A body whose length is not announced, or that comes in a form that is none, is refused")
    func lengths() async throws {
        try await LiveServer.run { server in
            for (body, status) in [
                ("1\r\nx\r\n0\r\n\r\n", "411 Length Required"), ("none\r\n", "400 Bad Request"),
            ] {
                let socket = try LoopbackSocket(to: server.url)
                socket.send(
                    "POST /v1/hello HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(LiveServer.annasToken)\r\n"
                        + "Content-Type: application/cbor\r\nTransfer-Encoding: chunked\r\n\r\n\(body)")
                #expect(await socket.reply().hasPrefix("HTTP/1.1 \(status)"))
            }
        }
    }

    @Test("A body that is announced to be too large costs no more than the largest one")
    func announced() async throws {
        // Time stands still.
        try await LiveServer.run(#""limits": {"bytesPerSecond": 1000000}"#, now: { 1_800_000_000_000 }) {
            server in
            for length in ["9000000000000000000", "99999999999999999999"] {
                let socket = try LoopbackSocket(to: server.url)
                socket.send(
                    "POST /v1/hello HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(LiveServer.annasToken)\r\n"
                        + "Content-Type: application/cbor\r\nContent-Length: \(length)\r\n\r\n")
                #expect(await socket.reply().hasPrefix(length.count == 19 ? "HTTP/1.1 413" : "HTTP/1.1 4"))
            }
            try await server.hello()
        }
    }

    @Test("A body may be compressed, but not so much that few bytes make much work")
    func compressedBodies() async throws {
        try await LiveServer.run { server in
            try await server.hello()
            let epoch = try await server.client().epoch()
            let push = LiveServer.push(LiveServer.book(1, "x", by: 1), by: 1, in: epoch)
            let raw = try #require(Deflate.compress(Data(CBORWriter.bytes(of: push.wire))))
            let zeros = try #require(Deflate.compress(Data(count: 1 << 20)))
            let header = Data([0x78, 0x9C])
            let gzip = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])
            for (body, encoding, status) in [
                (zeros, "deflate", 400), (header + zeros, "deflate", 400), (raw, "gzip", 400),
                (header + raw.dropLast(), "deflate", 400), (header + raw, "deflate", 200),
                // The same push again.
                (gzip + raw + Data(count: 8), "gzip", 200),
            ] {
                let reply = try await server.ask(
                    "POST", Self.push, body: body, ["Content-Encoding": encoding])
                #expect(reply.status == status, "\(encoding) \(body.count)")
            }
            #expect(try await server.client().answer(to: LiveServer.pull()).titles == [.string("x")])
        }
    }

    @Test("An address that has sent many wrong tokens has to wait, whatever it sends then")
    func wrongTokens() async throws {
        // Time stands still.
        try await LiveServer.run(#""limits": {"failuresPerSecond": 1}"#, now: { 1_800_000_000_000 }) {
            server in
            for _ in 0..<10 {
                #expect(try await server.ask("GET", Self.changes, token: "wrong").status == 401)
            }
            for token in ["wrong", LiveServer.annasToken] {
                let reply = try await server.ask("GET", Self.changes, token: token)
                #expect(reply.status == 429 && reply.fields["retry-after"] == "1")
            }
        }
    }

    @Test("Random changes of a valid body never end the server")
    func mutations() async throws {
        try await LiveServer.run(#""limits": {"requestsPerSecond": 0, "bytesPerSecond": 0}"#) { server in
            try await server.hello()
            var random = SeededGenerator(1)
            let epoch = try await server.client().epoch()
            let push = LiveServer.push(LiveServer.book(1, "x", by: 1), by: 1, in: epoch)
            let valid = CBORWriter.bytes(of: push.wire)
            for _ in 0..<200 {
                var body = valid
                for _ in 0...Int.random(in: 0..<4, using: &random) {
                    body[Int.random(in: 0..<body.count, using: &random)] = UInt8.random(
                        in: 0...255, using: &random)
                }
                let reply = try await server.ask("POST", Self.push, body: Data(body))
                #expect([200, 400, 403, 409, 410, 422].contains(reply.status), "\(body)")
            }
            #expect(try await server.ask("GET", "/healthz").status == 200)
        }
    }

    @Test("A body above the limit is refused, and so is a push with too many changes")
    func sizes() async throws {
        try await LiveServer.run(#""limits": {"bodyBytes": 2000, "changes": 3}"#) { server in
            let client = server.client()
            let model = SyncModel(entities: [
                SyncModel.Entity("Book", properties: [.init("title", .attribute(.string, default: .null))])
            ])
            let answer = try await client.hello(HelloRequest(replica: nil, name: "", model: model))
            #expect(answer.bytes == 2000 && answer.changes == 3)
            let large = try await server.ask("POST", Self.push, body: Data(count: 2001))
            #expect(large.status == 413 && large.json?["error"] == .string("a body has at most 2000 bytes"))
            let many = (1...2).flatMap { LiveServer.book($0, "x", by: 1) }
            guard case .refused(.invalid) = try await client.answer(to: LiveServer.push(many, by: 1)).answer
            else {
                Issue.record("four changes were taken")
                return
            }
        }
    }

    @Test("Who asks too often is told when to come again, and others are not held up")
    func rates() async throws {
        let now = SyncService.present()
        try await LiveServer.run(#""limits": {"requestsPerSecond": 1}"#, now: { now }) { server in
            try await server.hello()
            var last: LiveServer.Reply?
            for _ in 0..<12 { last = try await server.ask("GET", "/v1/zones/Library/issues") }
            #expect(last?.status == 429)
            #expect(last?.fields["retry-after"].flatMap { Int($0) }.map { $0 >= 1 } == true)
            let other = try await server.ask(
                "GET", "/v1/live?zone=Library&wait=0", token: LiveServer.bensToken)
            #expect(other.status == 200)
        }
    }

    @Test("Who does not read what was asked for gets no more, and others do")
    func unread() async throws {
        try await LiveServer.run(#""limits": {"answers": 2, "requestsPerSecond": 0, "bytesPerSecond": 0}"#) {
            server in
            try await server.hello()
            // More than the system keeps for a reader.
            let bytes = Data(count: 30 << 20)
            let hash = BlobHash(of: Array(bytes)).text
            try await server.client().upload(bytes, as: hash)
            let path = "/v1/zones/Library/blobs/\(hash)"
            let lines =
                "GET \(path) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(LiveServer.annasToken)\r\n\r\n"
            var silent: [LoopbackSocket] = []
            for _ in 0..<2 {
                silent.append(try LoopbackSocket(to: server.url))
                silent.last?.send(lines)
            }
            while try await server.ask("HEAD", path).status != 429 { await Task.yield() }
            #expect(try await server.ask("GET", "/v1/live?zone=Library&wait=0").status == 200)
            let other = try await server.ask("GET", "/v1/zones/Library/issues", token: LiveServer.bensToken)
            #expect(other.status == 404)
            silent = []
            while try await server.ask("HEAD", path).status != 200 { await Task.yield() }
        }
    }

    @Test("Before a device has said hello, the answer says so")
    func noModel() async throws {
        try await LiveServer.run { server in
            let error = try await #require(throws: SyncHTTPError.self) {
                try await server.client().answer(to: LiveServer.pull())
            }
            #expect(error.status == 422 && error.reason.contains("hello"))
        }
    }

    @Test("What is not there yet says so")
    func notThere() async throws {
        try await LiveServer.run { server in
            let shares = try await server.ask("POST", "/v1/shares", body: Data([0xA0]))
            #expect(
                shares.status == 501 && shares.json?["error"] == .string("sharing zones is not there yet"))
            #expect(try await server.ask("GET", "/v1/zones/Library/nothing").status == 404)
            #expect(try await server.ask("DELETE", "/v1/zones/Library/changes").status == 404)
        }
    }

    @Test("Metrics have a token of their own, count requests and outcomes, and name no user or zone")
    func metrics() async throws {
        try await LiveServer.run { server in
            try await server.hello()
            _ = try await server.client().answer(
                to: LiveServer.push(LiveServer.book(1, "SECRET", by: 1), by: 1))
            #expect(try await server.ask("GET", "/metrics").status == 401)
            #expect(try await server.ask("GET", "/metrics", token: nil).status == 401)
            let text = try await server.ask("GET", "/metrics", token: "the-secret-token-of-ops").text
            #expect(text.contains("syncd_changes_total{outcome=\"applied\"} 2\n"))
            #expect(text.contains("route=\"/v1/zones/{zone}/push\""))
            #expect(text.contains("syncd_push_wait_seconds_count 2\n"))
            #expect(text.contains("syncd_push_transaction_seconds_count 2\n"))
            #expect(text.contains("# TYPE syncd_received_bytes_total counter\n"))
            #expect(text.contains("# TYPE syncd_sent_bytes_total counter\n"))
            #expect(text.contains("# TYPE syncd_requests_total counter\n"))
            #expect(text.contains("syncd_zones 1\n") && text.contains("syncd_full_zones 0\n"))
            #expect(text.contains("syncd_items 1\n") && text.contains("syncd_bin_items 0\n"))
            for word in ["SECRET", "anna", "Library"] { #expect(!text.contains(word)) }
        }
    }
}
#endif
