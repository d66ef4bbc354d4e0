#if Studio
import CoreDataJSON
import CoreDataStudioInterface
import CoreDataStudioServer
import Foundation
import Synchronization
import Testing

@Suite("Connections", .serialized)
struct ConnectionTests {
    private let honest =
        "GET /api/documents HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n\r\n"

    @Test("a connection is kept for the next request")
    func keepAlive() async throws {
        try await ServedStudio.run { studio in
            let client = try RawClient(port: studio.server.port)
            for _ in 0..<3 {
                client.send(studio.filled(honest))
                #expect(await client.readAnswer().status == 200)
            }
            #expect(studio.requests.count == 3)
        }
    }

    @Test("a request that comes in single bytes is read")
    func singleBytes() async throws {
        try await ServedStudio.run { studio in
            let client = try RawClient(port: studio.server.port)
            for byte in studio.filled(honest).utf8 { client.send([byte]) }
            #expect(await client.readAnswer().status == 200)
        }
    }

    @Test("a request that comes before the answer to the one before ends the connection")
    func pipelining() async throws {
        let (stream, gate) = AsyncStream<Void>.makeStream()
        let answer: StudioHandler = { _ in
            for await _ in stream { break }
            return .json(.null)
        }
        try await ServedStudio.run(answer: answer) { studio in
            let client = try RawClient(port: studio.server.port)
            client.send(studio.filled(honest + honest))
            #expect(await client.readToEnd().status == nil)
            gate.finish()
        }
    }

    @Test("a head that does not end in time closes the connection, whether or not bytes come")
    func slowHead() async throws {
        var limits = ServerLimits()
        limits.headTime = .milliseconds(200)
        try await ServedStudio.run(limits: limits) { studio in
            let silent = try RawClient(port: studio.server.port)
            #expect(await silent.readToEnd().text.isEmpty)
            let slow = try RawClient(port: studio.server.port)
            slow.send("GET / HTTP/1.1\r\n")
            #expect(await slow.readToEnd().text.isEmpty)
        }
    }

    @Test("a body that does not end in time closes the connection, and is not carried out")
    func slowBody() async throws {
        var limits = ServerLimits()
        limits.bodyTime = .milliseconds(200)
        try await ServedStudio.run(limits: limits) { studio in
            let client = try RawClient(port: studio.server.port)
            client.send(
                studio.filled(
                    "POST /api/models HTTP/1.1\r\nHost: localhost:{port}\r\nAuthorization: Bearer {token}\r\n"
                        + "Content-Type: application/json\r\nContent-Length: 20\r\n\r\n{"))
            #expect(await client.readToEnd().text.isEmpty)
            #expect(studio.requests.isEmpty)
        }
    }

    @Test("no more connections are taken than allowed, and one that ends makes room")
    func places() async throws {
        var limits = ServerLimits()
        limits.connections = 2
        try await ServedStudio.run(limits: limits) { studio in
            // The connection that got the token may not have ended yet.
            var kept: [RawClient] = []
            while kept.count < 2 {
                let client = try RawClient(port: studio.server.port)
                client.send(studio.filled(honest))
                if await client.readAnswer().status == 200 { kept.append(client) }
            }
            let third = try RawClient(port: studio.server.port)
            third.send(studio.filled(honest))
            #expect(await third.readToEnd().text.isEmpty)
            kept.removeFirst()
            while true {
                let next = try RawClient(port: studio.server.port)
                next.send(studio.filled(honest))
                if await next.readAnswer().status == 200 { break }
            }
        }
    }

    @Test("parts are sent as they come, and the source learns when the page leaves")
    func parts() async throws {
        let (parts, source) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        let (ends, end) = AsyncStream<Void>.makeStream()
        source.onTermination = { _ in end.finish() }
        let answer: StudioHandler = { _ in StudioResponse(.parts(parts, type: .events)) }
        try await ServedStudio.run(answer: answer) { studio in
            var client: RawClient? = try RawClient(port: studio.server.port)
            client?.send(studio.filled(honest))
            var text = ""
            for part in ["one\n", "two\n"] {
                source.yield(Array(part.utf8))
                while !text.contains(part) {
                    text += String(decoding: await client?.read() ?? [], as: UTF8.self)
                }
            }
            #expect(text.contains("application/x-ndjson"))
            client = nil
            for await _ in ends {}
        }
    }

    @Test("a request is cancelled when its page leaves")
    func cancelling() async throws {
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (ends, end) = AsyncStream<Void>.makeStream()
        let answer: StudioHandler = { _ in
            begin.yield()
            await withTaskCancellationHandler {
                for await _ in ends {}
            } onCancel: {
                end.finish()
            }
            return .json(.null)
        }
        try await ServedStudio.run(answer: answer) { studio in
            var client: RawClient? = try RawClient(port: studio.server.port)
            client?.send(studio.filled(honest))
            for await _ in begun { break }
            #expect(client != nil)
            client = nil
            for await _ in ends {}
        }
    }

    @Test("a request that is sent again with its key is carried out once")
    func keys() async throws {
        try await ServedStudio.run { studio in
            func send(_ key: String) async throws -> RawAnswer {
                let post = ServedStudio.post("/api/x", "{}", port: studio.server.port, token: studio.token)
                return try await studio.answer(
                    to: post.replacing("\r\n\r\n{}", with: "\r\n\(key)\r\n{}"))
            }
            for _ in 1...2 {
                #expect(String(try await send("Idempotency-Key: one\r\n").body) == "{\"done\":true}")
            }
            #expect(studio.requests.count == 1)
            _ = try await send("Idempotency-Key: two\r\n")
            #expect(studio.requests.count == 2)
            for _ in 1...2 { _ = try await send("") }
            #expect(studio.requests.count == 4)
        }
    }

    @Test("a request with a key goes on when its page leaves, and is answered when it is sent again")
    func leaving() async throws {
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (gate, opening) = AsyncStream<Void>.makeStream()
        let answer: StudioHandler = { _ in
            begin.yield()
            for await _ in gate {}
            return .json(.boolean(!Task.isCancelled))
        }
        try await ServedStudio.run(answer: answer) { studio in
            let post = ServedStudio.post("/api/x", "{}", port: studio.server.port, token: studio.token)
                .replacing("\r\n\r\n{}", with: "\r\nIdempotency-Key: one\r\n\r\n{}")
            var client: RawClient? = try RawClient(port: studio.server.port)
            client?.send(post)
            for await _ in begun { break }
            #expect(client != nil)
            client = nil
            let again = try RawClient(port: studio.server.port)
            again.send(post)
            opening.finish()
            #expect(String(await again.readAnswer().body) == "true")
            #expect(studio.requests.count == 1)
        }
    }

    @Test("the server ends while pages read events")
    func ending() async throws {
        let answer: StudioHandler = { _ in
            StudioResponse(.parts(AsyncThrowingStream { _ in }, type: .events))
        }
        let kept = Mutex<RawClient?>(nil)
        try await ServedStudio.run(answer: answer) { studio in
            let client = try RawClient(port: studio.server.port)
            client.send(studio.filled(honest))
            #expect(RawAnswer(await client.read()).status == 200)
            kept.withLock { $0 = client }
        }
        let client = try #require(kept.withLock { $0 })
        // Broken off: a whole answer would end with an empty part.
        #expect(await client.readToEnd().text.isEmpty)
    }

    @Test("files of the page carry a tag, and are not sent again to a browser that has them")
    func assets() async throws {
        try await ServedStudio.run { studio in
            let page = try await studio.answer(to: "GET / HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n")
            #expect(page.field("content-type") == "text/html; charset=utf-8")
            #expect(String(page.body).contains("<script type=\"module\" src=\"/main.js\">"))
            let tag = try #require(page.field("etag"))
            let again = try RawClient(port: studio.server.port)
            again.send(
                studio.filled(
                    "GET / HTTP/1.1\r\nHost: localhost:{port}\r\nIf-None-Match: \(tag)\r\nConnection: close\r\n\r\n"
                ))
            let answer = await again.readToEnd()
            #expect(answer.status == 304)
            #expect(answer.body.isEmpty)
        }
    }
}
#endif
