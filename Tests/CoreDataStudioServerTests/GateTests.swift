#if Studio
import CoreDataJSON
import CoreDataStudioInterface
import CoreDataStudioServer
import Foundation
import Testing

@Suite("Gate", .serialized)
struct GateTests {
    @Test("a hostile request is turned away and reaches nothing", arguments: HostileRequest.all)
    func hostileRequest(_ hostile: HostileRequest) async throws {
        try await ServedStudio.run { studio in
            let answer = try await studio.answer(to: hostile.text)
            #expect(answer.status == hostile.status, "\(answer.text)")
            #expect(studio.requests.isEmpty)
            // The server is unharmed.
            #expect(try await studio.answer(to: honest).status == 200)
            #expect(studio.requests.count == 1)
        }
    }

    private let honest =
        "GET /api/documents HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n\r\n"

    @Test("the page's own requests are answered by every name of this machine")
    func ownNames() async throws {
        try await ServedStudio.run { studio in
            for name in ["127.0.0.1", "localhost", "[::1]"] {
                let answer = try await studio.answer(
                    to:
                        "GET /api/documents HTTP/1.1\r\nHost: \(name):{port}\r\nOrigin: http://\(name):{port}\r\n"
                        + "Sec-Fetch-Site: same-origin\r\nAuthorization: Bearer {token}\r\n\r\n")
                #expect(answer.status == 200)
            }
        }
    }

    @Test("no answer lets another page read it, run anything or show it in a frame")
    func protection() async throws {
        try await ServedStudio.run { studio in
            for text in [
                "GET / HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n", honest, "GET / HTTP/1.1\r\n\r\n",
            ] {
                let answer = try await studio.answer(to: text)
                #expect(
                    answer.field("content-security-policy")?.hasPrefix(
                        "default-src 'none'; script-src 'self';") == true)
                #expect(answer.field("x-content-type-options") == "nosniff")
                #expect(answer.field("cross-origin-resource-policy") == "same-origin")
                #expect(answer.field("cross-origin-opener-policy") == "same-origin")
                #expect(answer.field("access-control-allow-origin") == nil)
                #expect(answer.field("set-cookie") == nil)
            }
            #expect(try await studio.answer(to: honest).field("cache-control") == "no-store")
        }
    }

    @Test("another page can lead to the start, in a tab of its own")
    func visit() async throws {
        try await ServedStudio.run { studio in
            let answer = try await studio.answer(
                to: "GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nSec-Fetch-Site: cross-site\r\n"
                    + "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n\r\n")
            #expect(answer.status == 200)
        }
    }

    @Test("a code is good once")
    func code() async throws {
        try await ServedStudio.run { studio in
            let code = try #require(studio.server.makeLink().split(separator: "=").last)
            let request = ServedStudio.post(
                "/api/session", "{\"code\":\"\(code)\"}", port: studio.server.port)
            #expect(try await studio.answer(to: request).status == 200)
            #expect(try await studio.answer(to: request).status == 401)
        }
    }

    @Test("after ten wrong secrets no code is taken for a minute, and the page that is signed in goes on")
    func guessing() async throws {
        try await ServedStudio.run { studio in
            let code = try #require(studio.server.makeLink().split(separator: "=").last)
            let right = ServedStudio.post("/api/session", "{\"code\":\"\(code)\"}", port: studio.server.port)
            let wrong = ServedStudio.post("/api/session", "{\"code\":\"0\"}", port: studio.server.port)
            for _ in 0..<10 { #expect(try await studio.answer(to: wrong).status == 401) }
            #expect(try await studio.answer(to: wrong).status == 429)
            #expect(try await studio.answer(to: right).status == 429)
            #expect(try await studio.answer(to: honest).status == 200)
            studio.pass(.seconds(59))
            #expect(try await studio.answer(to: right).status == 429)
            studio.pass(.seconds(1))
            #expect(try await studio.answer(to: right).status == 200)
        }
    }

    @Test("a download is saved from an address that is good once, and for a minute")
    func downloads() async throws {
        let answer: StudioHandler = { request in
            StudioResponse(.bytes(Array(request.path.joined().utf8), type: .csv, fileName: "a\"\r\nb;ü.csv"))
        }
        try await ServedStudio.run(answer: answer) { studio in
            let offer = ServedStudio.post(
                "/api/downloads", "{\"path\":\"/stores/s1/export?x=a%20b\"}", port: studio.server.port,
                token: studio.token)
            let first = try await url(studio.answer(to: offer))
            let get = "GET \(first) HTTP/1.1\r\nHost: localhost:{port}\r\nSec-Fetch-Site: same-origin\r\n\r\n"
            let saved = try await studio.answer(to: get)
            #expect(saved.status == 200)
            #expect(String(saved.body) == "storess1export")
            #expect(
                saved.field("content-disposition")
                    == "attachment; filename*=UTF-8''a%22%0D%0Ab%3B%C3%BC.csv")
            #expect(studio.requests.last?.query == ["x": "a b"])
            #expect(try await studio.answer(to: get).status == 404)

            let second = try await url(studio.answer(to: offer))
            studio.pass(.seconds(60))
            #expect(
                try await studio.answer(to: "GET \(second) HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n").status
                    == 404)
        }
    }

    private func url(_ answer: RawAnswer) throws -> String {
        try #require(try JSONParser.parse(Array(answer.body))["url"]?.string)
    }
}
#endif
